"""Varies the rows that the reader of arguments learns from, so that it cannot learn them by heart.

A row is {text, history, said: {slot: [(turn or -1, start, end)]}, flags, halves, stance, doubtful, act, several, unmet}, as `reader.py` makes it of `training/calls`. Every
function returns another row whose places are right for its text, or the same row if the variation does not apply.
"""
import collections, json, os, random, re

LETTERS_BESIDE = {"a": "sq", "b": "vn", "c": "xv", "d": "sf", "e": "wr", "f": "dg", "g": "fh", "h": "gj", "i": "uo", "j": "hk", "k": "jl", "l": "k", "m": "n", "n": "bm", "o": "ip", "p": "o", "q": "w", "r": "et", "s": "ad", "t": "ry", "u": "yi", "v": "cb", "w": "qe", "x": "zc", "y": "tu", "z": "x"}      # on a keyboard
BY_EAR = (("ph", "f"), ("ck", "k"), ("ie", "ei"), ("ei", "ie"), ("ou", "u"), ("ea", "e"), ("ee", "i"), ("oo", "u"), ("tion", "shun"), ("qu", "kw"), ("th", "t"), ("wh", "w"), ("ough", "uf"), ("able", "abel"), ("ance", "ence"), ("ence", "ance"), ("er ", "ar "), ("y ", "i "), ("c", "s"), ("s", "z"), ("a", "e"), ("i", "y"))      # spelt as it sounds
VERBS = set("""add adjust alert allocate apply archive arrange assign attach author block book bring broadcast build buy calculate call cancel change charge check claim clean clear close collect compare compute configure confirm convert copy count create cut
deactivate delete deliver deploy disable dispatch draft drop enable enrol enroll enter escalate estimate exchange export extend fetch file fill filter find fix flag forward freeze generate get give grant hire hold import increase inspect install invite invoice issue join keep label
lend list load lock log look lower make map mark match measure merge message move mute name note notify offer open order pack park pause pay pick place plan play post print process publish pull purchase push put query queue quote raise rate rebook record reduce refill refund register release remind
remove rename renew rent repair replace report request reserve reset restart restore resume return review revoke ring roll rotate run save scale scan schedule search see sell send set share shift ship show sign silence skip sort split start stop store submit subscribe switch swap tag take tell test text track
transfer translate trigger turn unlock update upload use verify watch write""".split())      # with which orders begin
JOINS = ("; ", ". Also ", " and ", ". And then ", "\n", " / ", ". Second one: ", "; then ", ". One more: ", " + ", ". Plus ", ", and another: ")
AGAIN = ("same as last time", "the usual please", "again please", "as before", "same again", "like last time", "do it again", "same as before", "repeat the last one", "just like before", "the same thing once more", "what I had last time", "as always", "same procedure as last time", "my usual", "once more, same details", "use what I said before", "keep everything as it was")
SAME = (", same {} as last time", ", with the same {} as before", "; {} as last time", ". {} as usual", ", and keep the {} from before", ", {}: same as before", ", the {} I used last", " (same {} as ever)", ". Use my last {}")
TAKES_MORE = re.compile(r"(?i)note|comment|instruct|remark|repeat|recur|frequen|interval|every|schedule|cron|except|exclud|without|notif|message|text|body|option|extra|budget|price|cost|amount|quantit|count|colou?r|language|times")      # slots that may take what a frame asks for beside the order
REMEMBERED = "Remembered: {}."      # as crates/engine/src/arguments writes it
MONTHS = "January February March April May June July August September October November December".split()
MONTH = re.compile(r"(?i)\b(?:" + "|".join(MONTHS + [n[:3] for n in MONTHS]) + r")\b")
WORD = re.compile(r"[A-Za-z][A-Za-z']+")


def spoken(name): return re.sub(r"[_\-./\[\]]+", " ", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)).strip()


def edited(r, edits):
    """The row with pieces of its text replaced: [(start, end, new)], none overlapping another; an edit never begins inside a value and ends outside of it."""
    if not edits: return r
    edits = sorted(edits); text, at, out = r["text"], 0, []
    for a, b, new in edits: out += [text[at:a], new]; at = b
    def moved(p, is_end): return p + sum(len(new) - (b - a) for a, b, new in edits if b < p or b == p and (a < b or not is_end))
    said = {name: [(turn, moved(a, False), moved(b, True)) if turn < 0 else (turn, a, b) for turn, a, b in spans] for name, spans in r["said"].items()}
    return dict(r, text="".join(out) + text[at:], said=said)


def borders(r): return {p for spans in r["said"].values() for turn, a, b in spans if turn < 0 for p in (a, b)}


def mistyped(rng, word):
    """A word as it comes out when typed in a hurry, or by ear."""
    style = rng.random(); k = rng.randrange(1, len(word)) if len(word) > 2 else 0
    if not k: return word
    if style < .25: k = min(k, len(word) - 2); return word[:k] + word[k + 1] + word[k] + word[k + 2:]
    if style < .45: return word[:k] + word[k + 1:]
    if style < .6: return word[:k] + word[k] + word[k:]
    if style < .75: near = LETTERS_BESIDE.get(word[k].lower()); return word[:k] + rng.choice(near) + word[k + 1:] if near else word
    for old, new in rng.sample(BY_EAR, len(BY_EAR)):
        if old.strip() in word[1:].lower(): at = word.lower().index(old.strip(), 1); return word[:at] + new.strip() + word[at + len(old.strip()):]
    return word


def typed(rng, r, share=.2):
    """As thumbs write it: small letters, signs left out, words mistyped, in values too."""
    style = rng.random()
    if style < .22 and len(r["text"].lower()) == len(r["text"]): r = dict(r, text=r["text"].lower())
    if rng.random() < .08: r = edited(r, [(m.start(), m.end(), "") for m in re.finditer(r"[,.!?;](?=\s|$)", r["text"]) if not any(a < m.end() and m.start() < b for spans in r["said"].values() for turn, a, b in spans if turn < 0)])
    if rng.random() < share:
        ends = borders(r); words = [m for m in WORD.finditer(r["text"]) if m.end() - m.start() > 3 and not any(m.start() < p < m.end() for p in ends)]
        heavy = rng.choice((.04, .08, .15, .35)); picked = [m for m in words if rng.random() < heavy] or rng.sample(words, min(1, len(words)))
        r = edited(r, [(m.start(), m.end(), new) for m in picked for new in [mistyped(rng, m.group())] if new != m.group()])
    return r


class Variations:
    """Pools of what may stand in the place of something else, gathered from all tools."""
    def __init__(self, tools, folder=""):
        self.texts = collections.defaultdict(list); self.times = collections.defaultdict(list); self.all_texts = []
        for t in tools:
            kinds = {s["name"]: s for s in t["slots"]}
            for r in t["rows"]:
                for name, spans in r["said"].items():
                    s = kinds.get(name)
                    if s is None or s["many"] or len(spans) != 1 or spans[0][0] >= 0: continue
                    piece = r["text"][spans[0][1]:spans[0][2]]
                    if s["kind"] == "text": self.texts[spoken(name).split()[-1].lower()].append(piece); self.all_texts.append(piece)
                    elif s["kind"] in ("date", "time", "date and time") and name not in r["doubtful"]: self.times[s["kind"]].append((piece, r["flags"].get(name), r["halves"].get(name)))
        path = os.path.join(folder, "noise.txt"); self.noise = [line.strip() for line in open(path, encoding="utf-8") if line.strip()] if os.path.exists(path) else []
        path = os.path.join(folder, "columns.jsonl"); self.columns = [json.loads(line) for line in open(path, encoding="utf-8")] if os.path.exists(path) else []
        path = os.path.join(folder, "frames.json"); self.frames = json.load(open(path, encoding="utf-8")) if os.path.exists(path) else {}

    def exchanged(self, rng, r, slots):
        """Other values in the place of some that were said: texts of slots that are called alike or any, days and times, figures, and values of a choice in their own words."""
        if r["several"]: return r
        edits, flags, halves, stance = [], dict(r["flags"]), dict(r["halves"]), dict(r["stance"]); free = lambda a, b: not any(x < b and a < y for x, y, _ in edits)
        for s in rng.sample(slots, len(slots)):
            name = s["name"]; spans = r["said"].get(name, ())
            if s["many"] or len(spans) != 1 or spans[0][0] >= 0 or name in r["doubtful"] or rng.random() < .45: continue
            _, a, b = spans[0]; old = r["text"][a:b]
            if not free(a, b) or sum(x < b and a < y for others in r["said"].values() for turn, x, y in others if turn < 0) > 1: continue
            if s["kind"] == "text":
                pool = self.texts.get(spoken(name).split()[-1].lower()) if rng.random() < .85 else self.all_texts
                if pool: edits.append((a, b, rng.choice(pool)))
            elif s["kind"] in self.times:
                new, flag, half = rng.choice(self.times[s["kind"]]); edits.append((a, b, new))
                for of, value in ((flags, flag), (halves, half)):
                    of.pop(name, None)
                    if value is not None: of[name] = value
            elif s["kind"] == "number" and not s["values"] and re.fullmatch(r"[1-9]\d{0,5}", old): edits.append((a, b, str(rng.randint(10 ** (len(old) - 1), 10 ** len(old) - 1) if rng.random() < .8 else rng.randint(1, 500))))
            elif s["kind"] == "choice" and len(s["values"]) > 1 and list(stance.get(name, {}).values()) == ["wanted"]:
                was = next(iter(stance[name])); said_by = lambda v: {spoken(str(w)).lower() for w in [v[0], *v[1]]}; own = next((v for v in s["values"] if v[0] == was), None)
                if own and spoken(old).lower() in said_by(own) and not isinstance(was, bool):
                    other = rng.choice([v for v in s["values"] if v[0] != was]); new = spoken(str(rng.choice([other[0], *other[1]]) if rng.random() < .3 else other[0]))
                    if len(new) < 40: edits.append((a, b, new if old.isupper() or rng.random() < .3 else new.lower())); stance[name] = {other[0]: "wanted"}
        return dict(edited(r, edits), flags=flags, halves=halves, stance=stance)

    def other_months(self, rng, r, slots):
        """Other months in days that say no year: all rows are said in one November, and which months are over then is not to be learned."""
        dates = {s["name"] for s in slots if s["kind"] in ("date", "date and time")}; edits = {}
        for name in dates & r["said"].keys():
            for turn, a, b in r["said"][name]:
                if turn >= 0 or re.search(r"\d{4}", r["text"][a:b]): continue
                for m in MONTH.finditer(r["text"], a, b): names = MONTHS if len(m.group()) > 3 or m.group().lower() == "may" else [n[:3] for n in MONTHS]; new = rng.choice(names); edits[m.span()] = new if m.group()[0].isupper() else new.lower()
        return edited(r, [(a, b, new) for (a, b), new in edits.items()])

    def noisy(self, rng, r):
        """Sentences around it that ask for nothing."""
        if not self.noise or r["several"] or len(r["text"]) > 220: return r
        inside = lambda p: any(a < p < b for spans in r["said"].values() for turn, a, b in spans if turn < 0)
        gaps = [0, len(r["text"])] + [m.end() for m in re.finditer(r"[.!?]\s+(?=[A-Z])", r["text"]) if not inside(m.end()) and not inside(m.start())]; edits = {}
        for _ in range(rng.choice((1, 1, 1, 2, 2, 3))):
            at = rng.choice(gaps); new = rng.choice(self.noise)
            if r["text"].islower(): new = new.lower()
            if at == 0: new = new if new[-1] in ".!?" else new + rng.choice((".", " -", ",")); edits[at] = edits.get(at, "") + new + " "
            elif at == len(r["text"]): edits[at] = edits.get(at, "") + ("" if (r["text"] + " ")[len(r["text"].rstrip()) - 1] in ".!?" or edits.get(at) else rng.choice((".", ",", " -"))) + " " + new
            else: edits[at] = edits.get(at, "") + new + " "
        return edited(r, [(at, at, new) for at, new in edits.items()])

    def framed(self, rng, r, slots):
        """An order put as a refusal, a question, a thought, a condition, somebody's words or a report, with a wish that no slot takes, or in words that only look so."""
        if not self.frames or r["act"] != "request" or r["history"] or r["several"] or r["doubtful"] or len(r["text"]) > 160 or re.search(r"[.!?;\n]\s*\S", r["text"]): return r
        m = re.match(r"(?i)(?:please |pls |plz )?([a-z]+)\b", r["text"])
        if not m or m.group(1).lower() not in VERBS: return r
        kind = rng.choices(("refusal", "keeps", "question", "polite", "hypothetical", "condition", "quoted", "past", "unmet"), (5, 4, 3, 3, 2, 3, 1.5, 1, 4))[0]; frame = rng.choice(self.frames[kind])
        if frame.count("{}") != 1 or kind == "unmet" and (r["unmet"] is None or TAKES_MORE.search(" ".join(f"{spoken(s['name'])} {s['about']}" for s in slots))): return r
        before, behind = frame.split("{}"); start = m.start(1); end = len(r["text"].rstrip(" .!"))
        if end <= start or any(a < start or b > end for spans in r["said"].values() for turn, a, b in spans if turn < 0): return r
        act = {"keeps": "request", "polite": "request", "unmet": "request", "condition": "hypothetical", "quoted": "other"}.get(kind, kind)
        return dict(edited(r, [(0, start + 1, before + r["text"][start].lower()), (end, len(r["text"]), behind)] if end < len(r["text"]) else [(0, start + 1, before + r["text"][start].lower()), (end, end, behind)]), act=act, unmet=True if kind == "unmet" else r["unmet"] if act == "request" else None)

    def joined(self, rng, r, rows):
        """Two requests for the tool in one message."""
        plain = lambda x: x["act"] == "request" and not x["history"] and not x["several"] and not x["doubtful"] and 0 < sum(map(len, x["said"].values())) and len(x["text"]) < 110 and not any(len(v) > 1 for v in x["said"].values())
        others = [x for x in rows if x is not r and plain(x)]
        if not plain(r) or not others: return r
        other = rng.choice(others); join = rng.choice(JOINS); first = r["text"].rstrip(" .!"); at = len(first) + len(join); second = other["text"]
        if any(b > len(first) for spans in r["said"].values() for _, _, b in spans): return r
        if join[0] == "." and second[:1].isupper() and rng.random() < .5: second = second[0].lower() + second[1:]
        said = {name: list(spans) for name, spans in r["said"].items()}; stance = {name: dict(of) for name, of in r["stance"].items()}
        for name, spans in other["said"].items(): said.setdefault(name, []).extend((turn, a + at, b + at) for turn, a, b in spans)
        for name, of in other["stance"].items(): stance.setdefault(name, {}).update(of)
        both = lambda one, two: {name: value for name, value in {**one, **two}.items() if one.get(name, value) == two.get(name, value)}
        return dict(r, text=first + join + second, said=said, stance=stance, flags=both(r["flags"], other["flags"]), halves=both(r["halves"], other["halves"]), several=True, unmet=None)

    def recalled(self, rng, r, rows, slots):
        """After what is remembered of an earlier call: it may be meant, all of it or one slot, or not at all."""
        singles = {s["name"]: s for s in slots if not s["many"] and s["kind"] != "yes or no"}; old = [x for x in rows if x is not r and x["act"] == "request" and not x["history"] and not x["several"] and any(name in singles for name in x["said"])]
        if not old or r["several"] or r["doubtful"]: return r
        before = rng.choice(old); entries = []
        for name, spans in before["said"].items():
            if name not in singles or name in before["doubtful"]: continue
            wanted = [v for v, st in before["stance"].get(name, {}).items() if st == "wanted"]
            if singles[name]["values"] and len(wanted) != 1: continue
            piece = str(wanted[0]) if singles[name]["values"] else before["text"][spans[0][1]:spans[0][2]] if spans and spans[0][0] < 0 else ""
            if piece: entries.append((name, piece, wanted))
        if not entries: return r
        rng.shuffle(entries); told, spans = "", {}
        start = REMEMBERED.index("{}")
        called = rng.choice((lambda name: name, lambda name: name, lambda name: name, lambda name: spoken(name).split()[-1], lambda name: "result." + name, lambda name: "last_" + name))      # results of other tools have names of their own
        for name, piece, wanted in entries: told += ("; " if told else "") + f"{called(name)} = "; spans[name] = (start + len(told), start + len(told) + len(piece)); told += piece
        memory = REMEMBERED.format(told); style = rng.random(); later = {name: [(turn + 1 if turn >= 0 else turn, a, b) for turn, a, b in x] for name, x in r["said"].items()}; out = dict(r, history=[memory] + r["history"], said=later)
        wanted_of = {name: wanted for name, _, wanted in entries}
        def take(out, names):
            said, stance, flags, halves = dict(out["said"]), dict(out["stance"]), dict(out["flags"]), dict(out["halves"])
            for name in names:
                said[name] = [(0, *spans[name])]
                if wanted_of[name]: stance[name] = {wanted_of[name][0]: "wanted"}
                for mine, theirs in ((flags, before["flags"]), (halves, before["halves"])):
                    if name in theirs: mine[name] = theirs[name]
            return dict(out, said=said, stance=stance, flags=flags, halves=halves, act="reference", unmet=None)
        if style < .35 or r["act"] != "request" or r["history"]: return r if r["act"] == "reference" else out
        if style < .65:
            bare = dict(out, text=rng.choice(AGAIN), said={}, stance={}, flags={}, halves={}, unmet=None); return take(bare, spans)
        open_ones = [name for name in spans if name not in r["said"] and name not in r["stance"]]
        if not open_ones or r["text"][-1:] in "\n": return out
        name = rng.choice(open_ones); text = r["text"].rstrip(" .")
        if any(b > len(text) for x in r["said"].values() for turn, _, b in x if turn < 0): return out
        return take(dict(out, text=text + rng.choice(SAME).format(spoken(name).lower())), [name])
