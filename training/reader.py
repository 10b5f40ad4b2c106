#!/usr/bin/env python3
"""Trains the reader that fills a tool's arguments from a message, and writes it as one int8 file.

    python3 training/reader.py --start crates/engine/models/routes.safetensors --words DIR --calls training/calls [--sets SETS] --out reader.safetensors

SETS adds rows of public sets: massive and restaurant8k (CC BY 4.0), snips (CC0), seal-tools and the odd lines of bfcl (Apache-2.0). CALLS holds train*.jsonl and valid.jsonl, one tool with what people say to it per line; DIR holds tokenizer.json of all-MiniLM-L6-v2. One
GPU takes minutes; using the result needs none.

A tool is read by itself, once: its name and description, then each slot behind a mark, and behind each slot the values it may take,
each behind a mark of its own. What the layers make of it is kept. A message is read beside what was kept: its tokens look at the
tool and at each other, and in the last layers the marks look back at the message. From a slot's mark follow where its value
stands, or that none is said, and whether what is said can be run as it is; from a value's mark whether it is wanted, rejected or
merely mentioned; from the message as a whole what it does and whether it asks for several calls. Word vectors are those of the
encoder it starts from and never move, so that both can share them.

Whether something is asked for that no slot takes (`unmet`) is learned too.
"""
import argparse, collections, functools, glob, hashlib, itertools, json, lzma, math, os, random, re, struct, time
import numpy as np, torch
from torch import nn
from torch.nn import functional as F
import routes
from variations import Variations, typed
from wordnet import Kinds

CLS, SEP, MASK, SLOT, VALUE = 101, 102, 103, 1, 2
WIDTH, LAYERS, HEADS, PLACES = 384, 6, 12, 512
EPSILON = 1e-12           # of norms, as MiniLM has it
LIVE = 4                  # layers in which marks look at the message, the last ones (--live)
MESSAGE_TOKENS = 256
HISTORY_TOKENS = 80       # the last so many of earlier turns
TOOL_TOKENS = 32          # of a tool's name and description
SLOT_TOKENS = 40          # of a slot's name, kind and description
VALUE_TOKENS = 24         # of a value a slot may take
VALUES = 32               # values a slot may take that are read
SPAN_TOKENS = 40          # longest value
MASKED_ROWS = .3          # share of the rows in which words are hidden, and of their words
MASKED_WORDS = .08
MASKED_TOOLS = .35        # share of the tools in which words are hidden, and of their words
MASKED_TOOL_WORDS = .08
OTHER_MONTHS = .6          # share of the rows whose days are said with other months
NAMELESS = ("value", "input", "field", "parameter", "arg", "data")      # names that say nothing
TOOLS = ((96, 12, 20), (160, 12, 28), (256, 12, 36), (512, 20, 100))      # tokens of tools that are read together, and how many slots and values they have at most
ROWS = ((32, 512, 72), (64, 384, 200), (152, 224, 200), (340, 80, 80))      # tokens of messages that are read together, how many they are, and of how many tools at most
SPANS = 8                 # marked pieces per row of a batch at most, on average
KEY = 96                  # length of what marks and tokens are compared by
ACTS = ("request", "question", "hypothetical", "past", "reference", "other", "refusal", "correction")
STANCES = ("absent", "wanted", "rejected", "mentioned")
NOW = "2026-11-16"        # the day on which all rows are said
ASKED = {"conditional", "wrong_unit", "competing", "vague"}      # said, and yet to be asked about; a number out of bounds is read like any other, since bounds are held against it afterwards
MENTIONED = {"lookalike", "other_person", "past", "quoted", "compared", "conditional"}
MEANT = 10                # steps after which weights count for their mean
WARM_UP = .06             # share of the training in which the rates rise
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
HALF = DEVICE == "cuda" or torch.backends.mkldnn.is_available() and (torch.cpu._is_amx_tile_supported() or torch.cpu._is_avx512_bf16_supported())      # sixteen bits where they are fast
NEVER = -1e4
ROW_WEIGHT = .15          # how often a public tool of a single row is drawn; one of ours has about twelve rows and weighs 1
TAUGHT_WEIGHT = 100.      # how often a tool of a catalog that brings hundreds of examples is drawn; raised from 60 with the last run, not measured by itself
OWN_WEIGHT = .2           # how often a row of our first ones, or one with marked options, is drawn
KINDS_OF_REQUEST = ("intent", "topic", "category", "reason", "request_type", "kind", "subject", "department", "concern", "what")      # names of a slot whose values are the routes of a catalog
KINDS_OF_CHOICE = ("choice", "option", "selection", "pick", "preference", "variant", "type", "item")
COLUMN_SLOTS, COLUMN_TOOLS = ("variable", "column", "indicator", "field", "metric", "factor", "map_variable", "by"), ("map_variable", "rank_places", "make_chart", "analyze_data", "filter_rows", "summarise", "plot")
DESKS = ("create_ticket", "route_request", "log_enquiry", "open_case", "triage_message", "classify", "new_request", "dispatch")
ROUTES_READ = 24          # of a catalog at most: they and what they are for have to fit beside each other
NEIGHBOURS = 5            # how far away tools stand of which a message is none of this tool's business
QUESTIONS = ("What is the {}?", "What is the {}?", "Could you tell me the {}?", "Which {}?", "And the {}?", "What should the {} be?", "Please give the {}.")
LEADS, TAILS = ("", "", "", "", "it's ", "make it ", "let's say ", "um, ", "I think "), ("", "", "", " please", " thanks", ".", " then")
YES, NO = ("yes", "yes please", "yeah", "sure", "ok", "yep, do", "of course", "y", "please do"), ("no", "no thanks", "nope", "rather not", "not needed", "no need", "n", "don't bother", "better not")


@functools.lru_cache(100_000)
def spoken(name):
    """A name as words: `dueDate`, `due_date` and `due-date` are "due date"."""
    return re.sub(r"[_\-./\[\]]+", " ", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)).strip()


class Words(routes.Words):
    """Token ids and where they stand, remembered."""
    __call__ = routes.Words.read

    def known(self): return set(self.tok.get_vocab())


# --- tools and rows ---------------------------------------------------------------------------------------------------------------

def kind_of(s):
    if "enum" in s: return "choice"
    if s.get("type") == "boolean": return "yes or no"
    if s.get("type") in ("integer", "number"): return "number"
    return {"date": "date", "time": "time", "date-time": "date and time", "email": "email", "uri": "link", "phone": "phone"}.get(s.get("format"), "text")


def glosses(about, codes):
    """What a description says codes stand for: "PO by mouth, SC under the skin", "dtm = bare ground"; as crates/engine/src/encode/reader/gloss.rs finds it."""
    def place(text, code): found = re.search(r"(?<![\w])" + re.escape(code) + r"(?![\w])", text); return found.start() if found else None
    def gloss(code):
        at = place(about, code)
        if at is None: return None
        said = about[at + len(code):].lstrip(); parted = said[:1] in "=:(–—" and said[:1] != "" or said.startswith("- "); said = said.lstrip("=:(–—"); said = (said[2:] if said.startswith("- ") else said).lstrip()
        ends = [len(said)] + [k for k in (place(said, other) for other in codes) if k is not None] + [said.find(sign) for sign in ",;.|)\n" if sign in said]; said = said[:min(ends)].strip()
        return (said, parted) if sum(c.isalnum() for c in said) > 1 and said not in ("or", "and") else None
    if not all(isinstance(code, str) for code in codes): return [None] * len(codes)
    found = [gloss(code) for code in codes]; count = sum(g is not None for g in found); every = count >= 2 and 2 * count >= len(codes)
    return [g[0] if g and (g[1] or every) else None for g in found]


def slots_of(schema, prefix="", needed=True):
    """The slots of a schema: those of objects as `outer.inner`, those of lists of objects as `outer[].inner`. What an optional object needs is not required."""
    for name, s in schema.get("properties", {}).items():
        required = needed and name in (schema.get("required") or ())
        if s.get("type") == "object" and s.get("properties"): yield from slots_of(s, f"{prefix}{name}.", required)
        elif s.get("type") == "array" and s.get("items", {}).get("properties"): yield from slots_of(s["items"], f"{prefix}{name}[].", False)
        else:
            many = s.get("type") == "array"; one = s.get("items", {}) if many else s; aliases = s.get("x-aliases") or one.get("x-aliases") or {}
            told = glosses(s.get("description") or one.get("description") or "", one.get("enum", []))
            values = [(v, [*(aliases.get(v, []) if isinstance(aliases, dict) else []), *([gloss] if gloss else [])]) for v, gloss in zip(one.get("enum", []), told)]
            yield dict(name=prefix + name, kind=kind_of(one), many=many or "[]" in prefix, about=s.get("description") or one.get("description") or "", values=values, required=required)


def placed(text, said, at, after=0):
    """Where a piece stands: as written down, else its first place."""
    if at is not None: return tuple(at)
    start = text.find(said, after)
    if start < 0: start = text.lower().find(said.lower(), after)
    return (start, start + len(said)) if start >= 0 else None


def row_of(row, slots):
    """A message with the spans of each slot: [(turn or -1, start, end)], what they come to, and what only looks like it."""
    turns = row.get("history") or []; said, flags, halves, doubtful, beyond = collections.defaultdict(list), {}, {}, set(), collections.defaultdict(list)
    stance = collections.defaultdict(dict); kinds = {s["name"]: s for s in slots}
    for call in [row["values"], *(row.get("more") or [])]:
        for name, v in call.items():
            name = re.sub(r"\[\d+\]", "[]", name); slot = kinds.get(name)
            if slot is None: return None
            turn = v.get("turn", -1); text = row["text"] if turn < 0 else turns[turn]
            pieces, ats, values = (v["said"], v.get("at") or [None] * len(v["said"]), v["value"]) if isinstance(v["said"], list) else ([v["said"]], [v.get("at")], v["value"] if isinstance(v["value"], list) else [v["value"]])
            after = 0
            for piece, at in zip(pieces, ats):
                place = placed(text, piece, at, after) or placed(text, piece, None)
                if place is None: return None
                article = re.match(r"(the|a|an) (?=\S)", text[place[0]:place[1]]) if slot["kind"] == "text" else None      # some authors count it in and some do not; who compares texts passes over it
                if article: place = (place[0] + article.end(), place[1])
                if (turn, *place) not in said[name]: said[name].append((turn, *place))
                after = place[1]
            if slot["kind"] == "yes or no": flags[name] = bool(values[0])
            # Which side of now a day is on, and which half of the day an hour: what words around it tell.
            if slot["kind"] in ("date", "date and time"): flags[name] = str(values[0])[:10] < NOW
            if slot["kind"] in ("time", "date and time") and ":" in str(values[0]): halves[name] = int(str(values[0]).split("T")[-1][:2]) >= 12
            if slot["values"]:
                for x in values: stance[name][x] = "wanted"
    for n in row["not"]:
        name = re.sub(r"\[\d+\]", "[]", n.get("slot") or ""); slot = kinds.get(name)
        if slot is None: continue
        if n["why"] in ASKED and name not in said: doubtful.add(name)
        if n["why"] == "out_of_bounds" and name not in said:
            turn = n.get("turn", -1); place = placed(row["text"] if turn < 0 else turns[turn], n["said"], n.get("at"))
            beyond[name].append((turn, *place) if place and slot["kind"] == "number" else None)
        for x, aliases in slot["values"]:
            words = {spoken(str(w)).lower() for w in [x, *aliases]}
            if spoken(n["said"]).lower().rstrip("s") in {w.rstrip("s") for w in words} and x not in stance[name]: stance[name][x] = "mentioned" if n["why"] in MENTIONED else "rejected"
    for name, places in beyond.items():
        if len(places) == 1 and places[0] and not row.get("more"): said[name] = places
        else: doubtful.add(name)
    corrects = row["act"] == "request" and any(n["why"] == "corrected" and n.get("turn", -1) >= 0 for n in row["not"])
    return dict(text=row["text"], history=turns, said=dict(said), flags=flags, halves=halves, stance={k: dict(v) for k, v in stance.items()}, doubtful=doubtful, act="correction" if corrects else row["act"], several=bool(row.get("more")), unmet=any(n["why"] == "no_slot" for n in row["not"]))


def read_tools(path):
    """Tools with their rows, as they are trained on."""
    tools, lost = [], 0
    with (lzma.open if path.endswith("xz") else open)(path, "rt", encoding="utf-8") as f:
        for line in f:
            t = json.loads(line); slots = list(slots_of(t["tool"]["parameters"])); rows = [r for r in (row_of(r, slots) for r in t["rows"]) if r]; lost += len(t["rows"]) - len(rows)
            if slots and rows: tools.append(dict(name=t["tool"]["name"], about=t["tool"].get("description", ""), slots=slots, rows=rows))
    print(path, len(tools), "tools", sum(len(t["rows"]) for t in tools), "rows;", lost, "rows could not be placed", flush=True)
    return tools


UNMARKED = dict(history=[], said={}, flags={}, halves={}, stance={}, doubtful=set(), several=False, unmet=None)      # a row of which nothing else is known


def read_catalogs(folder):
    """Small catalogs with what people say to them, those that the encoder was trained on."""
    lines = lambda found: [json.loads(line) for path in sorted(found) for line in (lzma.open if path.endswith("xz") else open)(path, "rt", encoding="utf-8")]; parts, more = glob.glob(f"{folder}/train*.jsonl*"), set(glob.glob(f"{folder}/train_added*"))
    catalogs = lines(set(parts) - more); by = {c["catalog"]: c for c in catalogs}
    for added in lines(more): by[added["catalog"]]["messages"] += added["messages"]
    print("catalogs:", len(catalogs), "with", sum(len(c["messages"]) for c in catalogs), "messages", flush=True); return catalogs


def taught_tools(path, said_to):
    """The tools of a catalog, as JSON, with what people say to them: rows of {tool, text, args, act, part}. Columns count as choices. Where a choice stands in the text is not known; a number stands where its figures do. With
    `part` the row tells of that slot alone, and what other slots take of its numbers is not known."""
    catalog = json.load(open(path, encoding="utf-8")); columns = [(name, list(words)) for name, words in (catalog.get("columns") or {}).items()]; by = collections.defaultdict(list); out = []
    for line in open(said_to, encoding="utf-8"): r = json.loads(line); by[r["tool"]].append(r)
    for t in catalog["tools"]:
        props = t["input_schema"]["properties"]; slots = [dict(s, kind="choice", values=columns, columns=True) if props[s["name"]].get("x-columns") else s for s in slots_of(t["input_schema"])]; kinds = {s["name"]: s for s in slots}; rows = []; examples = collections.defaultdict(lambda: collections.defaultdict(list))
        for r in by[t["name"]]:
            text = r["text"]; one = dict(UNMARKED, text=text, said={}, stance={}, act=r["act"]); part = r.get("part")
            if part and re.search(HAS_NUMBER, text.lower()): one["said"] = {s["name"]: [] for s in slots if s["kind"] == "number"}
            for name, value in r["args"].items():
                s = kinds[name]; values = value if isinstance(value, list) else [value]
                if s["values"]:
                    one["said"][name] = []; one["stance"][name] = {v: "wanted" for v in values}
                    for v in values if part else (): examples[name][v].append(text)
                    continue
                numbers = list(NUMBER.finditer(text)); found = numbers[0] if value is None and len(numbers) == 1 else next((f for w in (str(value), f"{value:,}", *(word for word, n in NUMBER_WORDS.items() if n == value)) for f in [re.search(r"(?<![\w.])" + re.escape(w) + r"(?![\w]|\.\d|,\d)", text, re.I)] if f), None) if value is not None else None
                one["said"][name] = [(-1, found.start(), found.start() + len(found.group().rstrip()))] if found else []
            rows.append(one)
        if rows: out.append(dict(name=t["name"], about=t.get("description", ""), slots=slots, rows=rows, weight=TAUGHT_WEIGHT, examples=examples))
    print(said_to, len(out), "tools", sum(len(t["rows"]) for t in out), "rows", flush=True); return out


NUMBER = re.compile(r"(?i)\d(?:[\d,. ]*\d)?(?:\s?(?:k|m|million|thousand)\b)?|\b(?:(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|half a|quarter of a|a third|half)(?:[\s-]+(?=\w)|\b))+")
HAS_NUMBER = r"\d|\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|score|twenty|thirty|forty|fifty|hundred|thousand|million|single|few|couple|pair|half)\b"
NUMBER_WORDS = dict(zip("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(), range(1, 21)))


def own_tools(path):
    """Messages with a tool each and what it takes of them, the first we had. Where a value does not stand there as it is taken, its place is not known."""
    by = collections.defaultdict(list)
    for line in open(path, encoding="utf-8"): r = json.loads(line); by[json.dumps(r["tool"])].append(r)
    out = []
    for key, rows in by.items():
        t = json.loads(key); slots = list(slots_of(t["parameters"])); kinds = {s["name"]: s for s in slots}; got = []
        for r in rows:
            one = dict(UNMARKED, text=r["text"], said={}, flags={}, stance={}, act="request")
            for name, value in r["expected"].items():
                s = kinds.get(name)
                if s is None: break
                values = value if isinstance(value, list) else [value]; spans, after = [], 0
                for v in values:
                    ways = [str(v), *([f"{v:,}"] if isinstance(v, (int, float)) else []), *(w for w, n in NUMBER_WORDS.items() if v is not True and n == v)]; found = next((f for w in ways for f in [re.compile(r"(?<!\w)" + re.escape(w) + r"(?!\w)", re.I).search(r["text"], after)] if f), None)
                    if found is None or isinstance(v, bool): spans = []; break
                    spans.append((-1, found.start(), found.end())); after = found.end()
                one["said"][name] = spans
                if s["kind"] == "yes or no": one["flags"][name] = value is True
                if s["values"]: one["stance"][name] = {v: "wanted" for v in values}
            else: got.append(one)
        if slots and got: out.append(dict(name=t["name"], about=t.get("description", ""), slots=slots, rows=got, weight=OWN_WEIGHT * len(got)))
    print(path, len(out), "tools", sum(len(t["rows"]) for t in out), "rows", flush=True); return out


def option_tools(path):
    """Messages in which every option is marked as wanted (+), set aside (-) or left open (?): each is a tool that takes one of them, or several."""
    out = []
    for line in open(path, encoding="utf-8"):
        marked = json.loads(line)["text"]; text, at, options = "", 0, []
        for m in re.finditer(r"\[([+?-]) ([^\]]+)\]", marked): text += marked[at:m.start()]; options.append((m.group(1), m.group(2), len(text))); text += m.group(2); at = m.end()
        text += marked[at:]; bare = lambda option: re.sub(r"(?i)^(the|a|an|my|our|to) ", "", option); names = [bare(o) for _, o, _ in options]
        if not options or len(set(n.lower() for n in names)) < len(names): continue
        wanted = [(name, start, start + len(o)) for (sign, o, start), name in zip(options, names) if sign == "+"]; name = KINDS_OF_CHOICE[len(text) % len(KINDS_OF_CHOICE)]
        row = dict(UNMARKED, text=text, said={name: [(-1, a, b) for _, a, b in wanted]} if wanted else {}, stance={name: {n: {"+": "wanted", "-": "rejected", "?": "mentioned"}[sign] for (sign, _, _), n in zip(options, names)}}, doubtful={name} if not wanted and any(sign == "?" for sign, _, _ in options) else set(), act="request")
        out.append(dict(name=DESKS[len(text) % len(DESKS)], about="", slots=[dict(name=name, kind="choice", many=len(wanted) > 1 or len(text) % 5 == 0, about="", values=[(n, []) for n in names])], rows=[row], weight=OWN_WEIGHT, options=True))
    print(path, len(out), "rows with options", flush=True); return out


def public_tools(folder):
    """Rows of public sets as tools: an intent of massive and snips is a tool with the slots that are said to it; seal-tools has tools of its own, of which each row is
    read beside one; of bfcl the odd lines, which are for tuning. A row is left out if a value that must be given does not stand in the text; one that may be left out counts as not said then."""
    lines = lambda path: [json.loads(line) for line in open(f"{folder}/{path}", encoding="utf-8")]; out = []
    told = lambda name: "date" if name == "date" else "time" if name == "time" else "number" if name in ("people", "rating_value", "best_rating", "party_size_number") else "text"
    for path, key in (("slots/massive_en.jsonl", "intent"), ("snips/train.jsonl", "label"), ("slots/restaurant8k.jsonl", None)):
        by = collections.defaultdict(list)
        for r in lines(path):
            if not r.get("requested"): by[r[key] if key else "book_table"].append(r)
        for name, rows in by.items():
            often = collections.Counter(s["slot"] for r in rows for s in r["slots"]); slots = [dict(name=n, kind=told(n), many=False, about="", values=[]) for n, count in often.items() if count >= max(3, len(rows) // 100)]; known = {s["name"] for s in slots}; got = []
            for r in rows:
                said = collections.defaultdict(list)
                for s in r["slots"]: said[s["slot"]].append((-1, s["start"], s["end"]))
                if all(len(v) == 1 for v in said.values()) and said.keys() <= known: got.append(dict(UNMARKED, text=r["text"], said=dict(said), act="request"))
            if slots and len(got) > 5: out.append(dict(name=name, about="", slots=slots, rows=got, weight=1.))
    def call(text, name, about, schema, args):
        slots = list(slots_of(schema)); said, stance = {}, {}
        for s in slots:
            accepted = args.get(s["name"], [""]); wanted = next((v for v in accepted if v != "" and v is not None), None)
            if wanted is None or isinstance(wanted, dict): continue
            if s["kind"] == "yes or no":
                if "" not in accepted: return
                continue
            parts = wanted if isinstance(wanted, list) else [wanted]; spans, after = [], 0
            for part in parts:
                found = next((f for f in (re.compile(r"(?<![\w.])" + re.escape(w) + r"(?![\w]|\.\d)", re.I).search(text, after) for w in dict.fromkeys([str(part), f"{part:,}" if isinstance(part, (int, float)) else str(part), f"{int(part)}" if isinstance(part, float) and part == int(part) else str(part)]) if w) if f), None)
                if found is None: break
                spans.append((-1, found.start(), found.end())); after = found.end() if isinstance(wanted, list) else 0
            if len(spans) < len(parts):
                if "" in accepted and not s["values"]: continue
                return
            said[s["name"]] = spans
            if s["values"]: stance[s["name"]] = {part: "wanted" for part in parts}
        one = dict(UNMARKED, text=text, said=said, stance=stance, act="request")
        return dict(name=name, about=about, slots=slots, rows=[one], weight=ROW_WEIGHT) if slots and (said or not schema.get("required")) else None
    kinds = dict(str="string", int="integer", float="number", bool="boolean")
    for r in lines("slots/seal_tools_dev.jsonl"):
        for c in r["calls"]:
            schema = dict(properties={n: dict(type=kinds.get(p["type"], "string"), description=p.get("description", "")) for n, p in c["parameters"].items()}, required=c.get("required"))
            out.append(call(r["text"], c["name"], c["description"], schema, {n: [v] for n, v in c["args"].items()}))
    for path in ("bfcl/simple_python.jsonl", "bfcl/multiple.jsonl"):
        for r in lines(path)[::2]:
            for e in r["expected"]: tool = next(t for t in r["tools"] if t["name"] == e["name"]); out.append(call(r["text"], tool["name"], tool.get("description", ""), tool["parameters"], e["args"]))
    out = [t for t in out if t]; print("public sets:", len(out), "tools,", sum(len(t["rows"]) for t in out), "rows", flush=True)
    return out


# --- episodes ---------------------------------------------------------------------------------------------------------------------

class Episodes:
    """Draws tools with some of their rows, changed so that nothing can be learned by heart."""
    def __init__(self, tools, o, rng, catalogs=(), vary=None, kinds=None): self.kinds = kinds; self.tools, self.o, self.rng, self.catalogs, self.vary = tools, o, rng, catalogs, vary or Variations(tools); self.heavy = list(itertools.accumulate(t.get("weight", 1.) for t in tools)); self.options = [v for t in tools if t.get("options") for s in t["slots"] for v in s["values"]]; self.columns = [(c["column"], c["aliases"]) for c in self.vary.columns]

    def draw(self):
        """A tool with some of its rows."""
        if self.catalogs and self.rng.random() < self.o.desks: return self.desk()
        if self.columns and self.rng.random() < self.o.tables: return self.table()
        if self.kinds and self.rng.random() < self.o.things: return self.thing()
        rng, o = self.rng, self.o; at = rng.choices(range(len(self.tools)), cum_weights=self.heavy)[0]; t = self.tools[at]; slots = list(t["slots"]); rows = rng.sample(t["rows"], min(o.rows, len(t["rows"])))
        if len(slots) > 1 and rng.random() < .25: slots = rng.sample(slots, rng.randint(max(1, len(slots) - 2), len(slots)))
        if rng.random() < .25:
            have = {s["name"] for s in slots}; other = [s for s in rng.choice(self.tools)["slots"] if s["name"] not in have]
            slots += [dict(s, name=s["name"]) for s in rng.sample(other, min(len(other), rng.choice([1, 1, 2])))]
        if rng.random() < .5: rng.shuffle(slots)
        if rng.random() < .12: slots = [dict(s, required=False) for s in slots]      # schemas that say of nothing that it is needed
        bare = rng.random() < .2; slots = [dict(s, about="" if bare or rng.random() < .1 else s["about"]) for s in slots]
        slots = [dict(s, spoken=rng.choice(NAMELESS)) if s["about"] and rng.random() < .08 else s for s in slots]      # some have to be told by what is said about them
        used = {(name, v) for r in rows for name, of in r["stance"].items() for v in of}; slots = [self.shown(t, s, rows) for s in slots]
        for s in slots:
            if s["values"] and rng.random() < .5: s["values"] = [v for v in s["values"] if (s["name"], v[0]) in used or rng.random() < .7] or s["values"]; rng.shuffle(s["values"])
        have = {s["name"] for s in slots}; rows = [dict(r, unmet=True) if r["unmet"] is not None and not r["said"].keys() <= have else r for r in rows]      # what is said for a slot that was taken away has no place
        rows = [self.answered(r, rows, slots) if rng.random() < o.answers else self.varied(r, rows, slots) for r in rows]
        if rng.random() < o.foreign:
            beside = self.tools[min(max(at + rng.choice((-1, 1)) * rng.randint(1, NEIGHBOURS), 0), len(self.tools) - 1)] if rng.random() < .6 else rng.choice(self.tools); r = rng.choice(beside["rows"])      # an author's next tool is often of the same field
            if r not in t["rows"]: rows.append(dict(r, said={}, flags={}, halves={}, stance={}, doubtful=set(), act="other", several=False, unmet=None))
        return dict(name=t["name"], about="" if rng.random() < .15 else t["about"], slots=slots, rows=[dict(typed(rng, r), masked=rng.random()) for r in rows], masked=rng.random())

    def varied(self, r, rows, slots):
        """A row as somebody else might have put it."""
        rng, o, vary = self.rng, self.o, self.vary
        if rng.random() < o.exchange: r = vary.exchanged(rng, r, slots)
        if rng.random() < OTHER_MONTHS: r = vary.other_months(rng, r, slots)
        style = rng.random()
        if style < o.joined: r = vary.joined(rng, r, rows)
        elif style < o.joined + o.recalled: r = vary.recalled(rng, r, rows, slots)
        elif style < o.joined + o.recalled + o.framed: r = vary.framed(rng, r, slots)
        return vary.noisy(rng, r) if rng.random() < o.noisy else r

    def shown(self, t, s, rows):
        """A slot with some of what is known of its values: examples of how they are asked for, if there are any, and other values beside them."""
        rng = self.rng; examples = t.get("examples", {}).get(s["name"], {}); values = list(s["values"])
        if examples and rng.random() < .8:
            texts = {r["text"] for r in rows}; count = rng.choice((1, 2, 3)); values = [(v, [*aliases, *(x for x in rng.sample(examples.get(v, []), min(count, len(examples.get(v, [])))) if x not in texts)]) for v, aliases in values]
        others = self.options if t.get("options") and s["kind"] == "choice" else self.columns if s.get("columns") and rng.random() < .5 else []
        if others: have = {str(v).lower() for v, _ in values}; values += [v for v in rng.sample(others, rng.randint(0, 5)) if v[0].lower() not in have]; rng.shuffle(values)
        return dict(s, values=values)

    def desk(self):
        """A catalog as a tool that takes one choice, which of its routes a message needs: what enum values in people's own words are learned from. Where the choice stands is not known."""
        rng = self.rng; c = rng.choice(self.catalogs); routes = rng.sample(c["routes"], min(len(c["routes"]), rng.randint(3, ROUTES_READ))); style = rng.random(); name = rng.choice(KINDS_OF_REQUEST)
        said_of = lambda r: [r["description"]] if style < .5 or not r["examples"] else rng.sample(r["examples"], min(2, len(r["examples"]))) if style < .75 else []
        slots = [dict(name=name, kind="choice", many=False, about="", values=[(r["name"], said_of(r)) for r in routes])]; known = {r["name"] for r in routes}; rows = []
        if rng.random() < .3: other = rng.choice(self.tools)["slots"]; slots += [s for s in rng.sample(other, min(len(other), 2)) if s["name"] != name]; rng.shuffle(slots)
        for m in rng.sample(c["messages"], min(self.o.rows, len(c["messages"]))):
            wanted = [w for w in (m["route"], m.get("also")) if w in known]; stance = {w: "wanted" for w in wanted}
            if m.get("denied") in known: stance.setdefault(m["denied"], "rejected")
            act = {"far_oos": "other", "small_talk": "other", "hypothetical": "hypothetical"}.get(m["group"], "request")
            rows.append(dict(UNMARKED, text=m["text"], history=m.get("history") or [], said={name: []} if wanted else {}, stance={name: stance}, act=act, masked=rng.random()))
        return dict(name=rng.choice(DESKS), about=c.get("domain", "") if rng.random() < .5 else "", slots=slots, rows=rows)

    def thing(self):
        """A tool that takes one choice, named by something that belongs to it."""
        rng = self.rng; self.kinds.rng = rng; other = rng.choice(self.tools)
        row = lambda text, name, value, place: dict(UNMARKED, text=text, said={name: [(-1, *place)]}, stance={name: {value: "wanted"}}, act="request")
        name, values, rows = self.kinds.draw(self.o.rows, row); slots = [dict(name=name, kind="choice", many=rng.random() < .2, about="", values=[(v, []) for v in values])]
        if rng.random() < .4: slots += [s for s in rng.sample(other["slots"], min(len(other["slots"]), 2)) if s["name"] != name]; rng.shuffle(slots)
        return dict(name=other["name"] if rng.random() < .5 else rng.choice(DESKS), about="", slots=slots, rows=[dict(typed(rng, self.vary.noisy(rng, r) if rng.random() < .2 else r, .1), masked=rng.random()) for r in rows])

    def table(self):
        """A table as a tool that takes one of its columns, or several."""
        rng = self.rng; columns = rng.sample(self.vary.columns, rng.randint(5, 20)); name = rng.choice(COLUMN_SLOTS); rows = []
        for c in rng.choices(columns, k=self.o.rows): rows.append(dict(UNMARKED, text=rng.choice(c["messages"]), said={name: []}, stance={name: {c["column"]: "wanted"}}, act="request"))
        slots = [dict(name=name, kind="choice", many=rng.random() < .3, about="" if rng.random() < .5 else "Column of the data", values=[(c["column"], c["aliases"] if rng.random() < .7 else []) for c in columns])]
        return dict(name=rng.choice(COLUMN_TOOLS), about="", slots=slots, rows=[dict(typed(rng, r), masked=rng.random()) for r in rows])

    def answered(self, r, rows, slots):
        """The answer to a question for one slot: what was said for it, by itself, after another message that leaves it open, or after nothing but the question."""
        rng = self.rng; s = rng.choice(slots); name = s["name"]; flag = rng.random() < .5
        if s["many"] or r["act"] != "request" or r["several"]: return r
        if s["kind"] == "yes or no": lead, piece, tail = "", rng.choice(YES if flag else NO), ""; asked = f"Do you want {spoken(name)}, yes or no?"
        else:
            spans = r["said"].get(name, ())
            if len(spans) != 1 or spans[0][0] >= 0 or name in r["doubtful"]: return r
            piece = r["text"][spans[0][1]:spans[0][2]]; lead, tail = rng.choice(LEADS), rng.choice(TAILS); listed = [str(v) for v, _ in s["values"]]
            asked = f"Which {spoken(name)}: {', '.join(listed[:-1])} or {listed[-1]}?" if 1 < len(listed) <= 12 and rng.random() < .7 else rng.choice(QUESTIONS).format(spoken(name))
        only = lambda of: {name: of[name]} if name in of else {}; mine = dict(said={name: [(-1, len(lead), len(lead) + len(piece))]}, flags={name: flag} if s["kind"] == "yes or no" else only(r["flags"]), halves=only(r["halves"]), stance=only(r["stance"])); history = [asked]
        open_ones = [x for x in rows if x["act"] == "request" and not x["several"] and not x["history"] and not x["doubtful"] and name not in x["said"] and name not in x["stance"] and len(x["text"]) < 120]
        if open_ones and rng.random() < .6:
            before = rng.choice(open_ones); history = [before["text"], asked]; mine["said"].update({n: [(0, a, b) for _, a, b in spans] for n, spans in before["said"].items()})
            for part in ("flags", "halves", "stance"): mine[part] = {**before[part], **mine[part]}
        return dict(UNMARKED, text=lead + piece + tail, history=history, act="request", **mine)


# --- packing ----------------------------------------------------------------------------------------------------------------------

def tool_ids(words, t):
    """The tokens of a tool; where the pieces of its slots and of their values stand, each from its mark to its end."""
    ids = [CLS] + words(spoken(t["name"]) + (": " + t["about"] if t["about"] else ""))[0][:TOOL_TOKENS] + [SEP]; marks, values = [], []
    for at, s in enumerate(t["slots"]):
        kind = ("list of " if s["many"] else "") + s["kind"] + (", required" if s.get("required") else ""); piece = words(f"{s.get('spoken') or spoken(s['name'])}, {kind}" + (": " + s["about"] if s["about"] else ""))[0][:SLOT_TOKENS]
        if len(ids) + len(piece) + 2 > PLACES: break
        marks.append((len(ids), len(ids) + 1 + len(piece))); ids += [SLOT] + piece
        for v, aliases in s["values"][:VALUES]:
            piece = words(", ".join(spoken(str(x)) for x in [v, *aliases]))[0][:VALUE_TOKENS]
            if len(ids) + len(piece) + 2 > PLACES: break
            values.append((at, v, (len(ids), len(ids) + 1 + len(piece)))); ids += [VALUE] + piece
    return ids + [SEP], marks, values


def message_ids(words, r):
    """The tokens of a message behind its earlier turns; the types; and where each stands: (turn or -1, start, end)."""
    ids, where = [], []
    for turn, text in enumerate(r["history"]):
        got, offsets = words(text); ids += got + [SEP]; where += [(turn, a, b) for a, b in offsets] + [None]
    ids, where = ids[-HISTORY_TOKENS:], where[-HISTORY_TOKENS:]; before = len(ids); got, offsets = words(r["text"])
    got, offsets = got[:MESSAGE_TOKENS], offsets[:MESSAGE_TOKENS]
    return [CLS] + ids + got + [SEP], [0] + [1] * before + [0] * (len(got) + 1), [None] + where + [(-1, a, b) for a, b in offsets] + [None]


def tokens_of(where, spans):
    """The tokens of each span."""
    out = []
    for turn, a, b in spans:
        of = [k for k, w in enumerate(where) if w and w[0] == turn and w[1] < b and w[2] > a]
        if of: out.append((of[0], of[-1]))
    return out


def packed(words, tools):
    """Tools and their rows as tensors. Filled as numpy arrays: single places of a tensor take ten times as long to set."""
    T = [tool_ids(words, t) for t in tools]; rows = [(k, r) for k, t in enumerate(tools) for r in t["rows"]]; M = [message_ids(words, r) for _, r in rows]
    lt, lm = (max(len(t[0]) for t in T) + 7) // 8 * 8, (max(len(m[0]) for m in M) + 7) // 8 * 8; S = max(1, max(len(t[1]) for t in T)); V = max(1, max(len(t[2]) for t in T)); n = len(rows); empty = lambda *size, fill=0: np.full(size, fill, np.int64)
    tool, tool_mask, slot_mask, single, value_slot, value_mask, pieces = empty(len(T), lt), empty(len(T), lt), empty(len(T), S), empty(len(T), S), empty(len(T), V), empty(len(T), V), empty(len(T), S + V, 2); pieces[..., 1] = 1
    for k, (ids, marks, values) in enumerate(T):
        if tools[k].get("masked", 1.) < MASKED_TOOLS: rng = random.Random(tools[k]["masked"]); ids = [MASK if one > MASK and rng.random() < MASKED_TOOL_WORDS else one for one in ids]      # what is said of a tool is not always all there
        tool[k, :len(ids)] = ids; tool_mask[k, :len(ids)] = 1; slot_mask[k, :len(marks)] = 1; single[k, :len(marks)] = [not s["many"] for s in tools[k]["slots"][:len(marks)]]
        if marks: pieces[k, :len(marks)] = marks
        if values: value_slot[k, :len(values)] = [v[0] for v in values]; value_mask[k, :len(values)] = 1; pieces[k, S:S + len(values)] = [v[2] for v in values]
    ids, types, mask, own, turn = empty(n, lm), empty(n, lm), empty(n, lm), empty(n, lm), empty(n, lm, fill=-2)
    span, inside = [], np.zeros((n, S, 2, lm), np.float32); absent, known, doubt, flag, half, stance = empty(n, S, fill=1), empty(n, S), empty(n, S, fill=-1), empty(n, S, fill=-1), empty(n, S, fill=-1), empty(n, V, fill=-1)
    for i, (k, r) in enumerate(rows):
        t, (_, marks, values), (read, kinds, where) = tools[k], T[k], M[i]; length = len(read); found = {name: tokens_of(where, spans) for name, spans in r["said"].items()}
        if r.get("masked", 1.) < MASKED_ROWS:      # a few words that belong to no value are hidden, so that not all hangs on one
            rng = random.Random(r["masked"]); taken = {x for spans in found.values() for a, b in spans for x in range(a, b + 1)}; read = [MASK if w and x not in taken and rng.random() < MASKED_WORDS else one for x, (one, w) in enumerate(zip(read, where))]
        ids[i, :length] = read; types[i, :length] = kinds; mask[i, :length] = 1; own[i, :length] = [w is not None for w in where]; turn[i, :length] = [w[0] if w else -2 for w in where]
        for j, s in enumerate(t["slots"][:len(marks)]):
            name = s["name"]; spans = found.get(name, ()); known[i, j] = all(b - a < SPAN_TOKENS for a, b in spans) and (bool(spans) or name not in found); absent[i, j] = not spans; doubt[i, j] = name in r["doubtful"]
            for a, b in spans: span.append((i * S + j, a * lm + b)); inside[i, j, 0, a] = 1; inside[i, j, 1, a + 1:b + 1] = 1
            if name in r["flags"]: flag[i, j] = r["flags"][name]
            if name in r["halves"]: half[i, j] = r["halves"][name]
        if values: stance[i, :len(values)] = [STANCES.index(r["stance"].get(t["slots"][at]["name"], {}).get(v, "absent")) for at, v, _ in values]
    b = dict(tool=tool, tool_mask=tool_mask > 0, of=np.array([k for k, _ in rows]), ids=ids, types=types, mask=mask > 0, own=own > 0, turn=turn, pieces=pieces, slot_mask=slot_mask > 0, single=single > 0, value_slot=value_slot, value_mask=value_mask > 0, span=np.array(span, np.int64).reshape(-1, 2), inside=inside, absent=absent > 0, known=known > 0, flag=flag, half=half, stance=stance, doubt=doubt.astype(np.float32),
             act=np.array([ACTS.index(r["act"]) for _, r in rows]), several=np.array([r["several"] for _, r in rows], np.float32), unmet=np.array([-1. if r["unmet"] is None or r["act"] not in ("request", "correction") else float(r["unmet"]) for _, r in rows], np.float32))
    return {name: torch.from_numpy(x) for name, x in b.items()}, [where for _, _, where in M]


# --- the model --------------------------------------------------------------------------------------------------------------------

def attend(q, k, v, mask):
    """Attention in plain products: faster than the fused one on processors."""
    if DEVICE == "cuda": return F.scaled_dot_product_attention(q, k, v, attn_mask=mask if mask.dtype == torch.bool else mask.to(q.dtype))
    look = (q * q.shape[-1] ** -.5) @ k.transpose(-1, -2); return (look + (torch.where(mask, 0., NEVER) if mask.dtype == torch.bool else mask).to(look.dtype)).softmax(-1).to(v.dtype) @ v


def one_of(x, count): return x[..., None] == torch.arange(count, device=x.device)


class Norm(nn.LayerNorm):
    """A norm that keeps sixteen bits where the rest has them: half of the time of a step goes into moving states."""
    def __init__(self): super().__init__(WIDTH, EPSILON)

    def forward(self, x):
        if not HALF: return super().forward(x)
        with torch.autocast(DEVICE, enabled=False): return F.layer_norm(x.bfloat16(), (WIDTH,), self.weight.bfloat16(), self.bias.bfloat16(), self.eps)


class Layer(nn.Module):
    def __init__(self, dropout):
        super().__init__(); self.qkv, self.out, self.up, self.down = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.norm_a, self.norm_b, self.drop = Norm(), Norm(), nn.Dropout(dropout)

    def heads(self, h): return (x.view(*h.shape[:2], HEADS, -1).transpose(1, 2) for x in self.qkv(h).chunk(3, -1))

    def rest(self, h, seen):
        h = self.norm_a(h + self.drop(self.out(seen.transpose(1, 2).reshape(h.shape)))); return self.norm_b(h + self.drop(self.down(F.gelu(self.up(h), approximate="tanh"))))


class Reader(nn.Module):
    def __init__(self, dropout=.1):
        super().__init__(); self.tokens, self.places, self.types, self.norm = nn.Embedding(30522, WIDTH), nn.Embedding(PLACES, WIDTH), nn.Embedding(3, WIDTH), Norm()
        self.layers, self.drop = nn.ModuleList([Layer(dropout) for _ in range(LAYERS)]), nn.Dropout(dropout)
        self.ask, self.tell = nn.Linear(WIDTH, 4 * KEY), nn.Linear(WIDTH, 4 * KEY)      # first, last, begins, goes on
        self.seek, self.show = nn.Linear(WIDTH, KEY), nn.Linear(WIDTH, KEY)      # which words of the message a mark looks at before it is judged
        self.none = nn.Linear(WIDTH, 1); self.bias = nn.Linear(WIDTH, 2); self.flag, self.noon, self.doubt, self.pick, self.stance = (nn.Linear(3 * WIDTH, count) for count in (1, 1, 1, 1, len(STANCES))); self.act, self.several, self.unmet = nn.Linear(WIDTH, len(ACTS)), nn.Linear(WIDTH, 1), nn.Linear(WIDTH, 1)
        nn.init.constant_(self.bias.bias, -3.); nn.init.constant_(self.doubt.bias, -4.); nn.init.constant_(self.several.bias, -3.); nn.init.constant_(self.unmet.bias, -2.)

    def embedded(self, ids, types):
        return self.drop(self.norm(self.tokens(ids) + self.places.weight[None, :ids.shape[1]] + one_of(types, 3).to(self.types.weight.dtype) @ self.types.weight))

    def tool(self, ids, mask):
        """What is kept of tools: keys and values of each layer, and the states from which marks look back."""
        h = self.embedded(ids, torch.full_like(ids, 2)); kept, early = [], None; beside = mask[:, None, None, :]
        for at, layer in enumerate(self.layers):
            if at == LAYERS - LIVE: early = h
            q, k, v = layer.heads(h); kept.append((k, v))
            if at + 1 < LAYERS: h = layer.rest(h, attend(q, k, v, beside))
        return kept, early

    def forward(self, b):
        kept, early = self.tool(b["tool"], b["tool_mask"]); of = b["of"]; h = self.embedded(b["ids"], b["types"]); n = h.shape[1]; mask = b["mask"]; S = b["slot_mask"].shape[1]
        at = torch.arange(early.shape[1], device=h.device)[None, None]; piece = ((b["pieces"][..., :1] <= at) & (at < b["pieces"][..., 1:])).to(early.dtype); marks = piece @ early / piece.sum(-1, keepdim=True)      # a mark begins as the mean of its piece
        live = torch.cat([b["slot_mask"], b["value_mask"]], 1)[of]; beside = b["tool_mask"][of]
        which = one_of(of, len(early)); rows = lambda x: (which.to(x.dtype) @ x.flatten(1)).view(-1, *x.shape[1:])      # each row's tool; as a product, since the sums of its backward are quick then
        look = torch.cat([beside, mask], 1)[:, None, None, :]
        for at, layer in enumerate(self.layers):
            if at == LAYERS - LIVE: h = torch.cat([h, rows(marks.to(h.dtype))], 1); look = torch.cat([beside, mask, live], 1)[:, None, None, :]
            q, k, v = layer.heads(h); tk, tv = kept[at]
            h = layer.rest(h, attend(q, torch.cat([rows(tk), k], 2), torch.cat([rows(tv), v], 2), look))
        return self.heads_of(b, h, n, S)

    def heads_of(self, b, h, n, S):
        m, s = h[:, :n], h[:, n:n + S]; ask, tell = self.ask(s).view(*s.shape[:2], 4, KEY), self.tell(m).view(*m.shape[:2], 4, KEY)
        look = (self.seek(h[:, n:]) @ self.show(m).transpose(1, 2)).float() / KEY ** .5; seen = look.masked_fill(~b["mask"][:, None, :], NEVER).softmax(-1).to(m.dtype) @ m; s2, v2 = torch.cat([h[:, n:], seen, h[:, n:] * seen], -1).split([S, h.shape[1] - n - S], 1)
        near = torch.einsum("rskd,rtkd->krst", ask, tell).float() / KEY ** .5; own = b["own"][:, None, :]; bias = self.bias(s).float()
        return dict(turn=b["turn"], first=near[0].masked_fill(~own, NEVER), last=near[1].masked_fill(~own, NEVER), none=self.none(s).float()[..., 0], begins=near[2] + bias[..., :1], goes=near[3] + bias[..., 1:], flag=self.flag(s2).float()[..., 0], half=self.noon(s2).float()[..., 0], doubt=self.doubt(s2).float()[..., 0], pick=self.pick(s2).float()[..., 0], stance=self.stance(v2).float(), act=self.act(m[:, 0]).float(), several=self.several(m[:, 0]).float()[:, 0], unmet=self.unmet(m[:, 0]).float()[:, 0])


def span_scores(out):
    """Scores of all spans, a slot a row, with "none" last."""
    n = out["first"].shape[-1]; score = out["first"][..., :, None] + out["last"][..., None, :]; band = torch.ones(n, n, dtype=torch.bool, device=score.device).triu().tril(SPAN_TOKENS - 1)
    turn = out["turn"]; band = band & (turn[:, :, None] == turn[:, None, :])      # a value lies within one turn
    return torch.cat([score.masked_fill(~band[:, None], 2 * NEVER).flatten(2), out["none"][..., None]], -1)


def rivals(b, out):
    """For each slot that takes one of its values: how much each is wanted, and that none is, last; which it is; and whether the slot is such a one."""
    of = b["of"]; S = b["slot_mask"].shape[1]; V = b["value_slot"].shape[1]; slot = b["value_slot"][of]; live = b["value_mask"][of]
    mine = (slot[:, None, :] == torch.arange(S, device=slot.device)[None, :, None]) & live[:, None, :]      # rows, slots, values
    score = (out["stance"][..., 1] - out["stance"][..., 0])[:, None, :].masked_fill(~mine, NEVER); score = torch.cat([score, out["pick"][..., None]], -1)
    wanted = (b["stance"] == 1)[:, None, :] & mine; count = wanted.sum(-1); use = mine.any(-1) & b["single"][of] & (count < 2) & b["slot_mask"][of] & (b["act"] >= 0)[:, None]
    return score, torch.where(count > 0, wanted.float().argmax(-1), V), use.float()


def losses(b, out):
    mean = lambda x, weight: (x * weight).sum() / weight.sum().clamp(min=1)
    score = span_scores(out); total = score.logsumexp(-1); use = (b["slot_mask"][b["of"]] & b["known"]).float(); said = use * ~b["absent"]; slot, at, real = b["span"].T; told = score.flatten().gather(0, slot * score.shape[-1] + at) * real
    sums = torch.zeros(use.numel(), device=score.device).scatter_add(0, slot, told); counts = torch.zeros_like(sums).scatter_add(0, slot, real.float()); per = total - torch.where(b["absent"], score[..., -1], (sums / counts.clamp(min=1)).view_as(use)); loss = mean(per, use) + .5 * mean(per, said)
    part = {"span": loss.detach()}; own = b["own"][:, None, :].float() * use[..., None]
    for k, name in enumerate(("begins", "goes")): loss = loss + (F.binary_cross_entropy_with_logits(out[name], b["inside"][:, :, k], reduction="none") * own).sum() / use.sum().clamp(min=1) * .3
    for name in ("flag", "half"): loss = loss + .5 * mean(F.binary_cross_entropy_with_logits(out[name], b[name].clamp(min=0).float(), reduction="none"), (b[name] >= 0).float())
    loss = loss + .3 * mean(F.binary_cross_entropy_with_logits(out["doubt"], b["doubt"].clamp(min=0), reduction="none"), use)
    one, which, choice = rivals(b, out); per = F.cross_entropy(one.transpose(1, 2), which, reduction="none"); loss = loss + mean(per, choice) + .5 * mean(per, choice * (which < one.shape[-1] - 1))      # one of the values or none, held against each other
    live = b["value_mask"][b["of"]] & (b["stance"] >= 0); of_slot = (b["value_slot"][..., None] == torch.arange(b["slot_mask"].shape[1], device=live.device)) & b["value_mask"][..., None]; asked = (of_slot.any(1)[b["of"]] & (b["act"] >= 0)[:, None]).sum()      # as much for each slot, however many values it has
    loss = loss + F.cross_entropy(out["stance"].flatten(0, 1), torch.where(live, b["stance"], -100).flatten(), reduction="sum") / asked.clamp(min=1)
    real = (b["act"] >= 0).float(); return loss + .5 * mean(F.cross_entropy(out["act"], b["act"].clamp(min=0), reduction="none"), real) + .2 * mean(F.binary_cross_entropy_with_logits(out["several"], b["several"], reduction="none"), real) + .3 * mean(F.binary_cross_entropy_with_logits(out["unmet"], b["unmet"].clamp(min=0), reduction="none"), (b["unmet"] >= 0).float()), part


def apart(b, one, two):
    """How far two readings of a batch are from each other, what is hidden from one being seen by the other: they are to agree."""
    mean = lambda x, weight: (x * weight).sum() / weight.sum().clamp(min=1); use = (b["slot_mask"][b["of"]] & (b["act"] >= 0)[:, None]).float(); real = (b["act"] >= 0).float(); own = b["own"][:, None, :].float() * use[..., None]
    def between(x, y): x, y = x.log_softmax(-1), y.log_softmax(-1); return ((x.exp() - y.exp()) * (x - y)).sum(-1) / 2
    def of_chance(x, y): return (x.sigmoid() - y.sigmoid()) * (x - y) / 2
    first, _, choice = rivals(b, one); second, _, _ = rivals(b, two); live = (b["value_mask"][b["of"]] & (b["act"] >= 0)[:, None]).float()
    loss = mean(between(span_scores(one), span_scores(two)), use) + mean(between(first, second), choice) + mean(between(one["stance"], two["stance"]), live) + .5 * mean(between(one["act"], two["act"]), real)
    for name in ("begins", "goes"): loss = loss + .3 * (of_chance(one[name], two[name]) * own).sum() / use.sum().clamp(min=1)
    for name, weight, where in (("flag", .5, (b["flag"] >= 0).float()), ("half", .5, (b["half"] >= 0).float()), ("doubt", .3, use), ("several", .2, real), ("unmet", .3, (b["unmet"] >= 0).float())): loss = loss + weight * mean(of_chance(one[name], two[name]), where)
    return loss


# --- judging ----------------------------------------------------------------------------------------------------------------------

def bare(text): return re.sub(r"\s+", " ", re.sub(r"^(the|a|an) ", "", text.lower().strip(" .,;:!?'\"()")))


@torch.no_grad()
def judge(model, words, tools, tag):
    """How many texts, numbers, choices and flags are found, empty slots left empty, and whole requests read rightly."""
    model.eval(); count = collections.defaultdict(lambda: [0, 0]); acts = collections.Counter()
    for k in range(0, len(tools), 8):
        part = tools[k:k + 8]; b, where = packed(words, part); b = on_device(b)
        with torch.autocast(DEVICE, torch.bfloat16, enabled=HALF): out = model(b)
        P = span_scores(out).softmax(-1); none = P[..., -1].cpu(); best = P[..., :-1].max(-1); n = b["ids"].shape[1]; at, conf = best.indices.cpu(), best.values.cpu(); begins, goes = out["begins"].sigmoid().cpu(), out["goes"].sigmoid().cpu(); stance = out["stance"].softmax(-1).cpu(); raw = out["stance"].cpu(); pick = out["pick"].cpu(); flag = out["flag"].sigmoid().cpu(); act = out["act"].argmax(1).cpu()
        i = -1
        for t_at, t in enumerate(part):
            _, marks, values = tool_ids(words, t)
            for r in t["rows"]:
                i += 1; whole = True; w = where[i]; text = lambda a, b: (r["text"] if w[a][0] < 0 else r["history"][w[a][0]])[w[a][1]:w[b][2]] if w[a] and w[b] and w[a][0] == w[b][0] else ""
                for j, s in enumerate(t["slots"][:len(marks)]):
                    gold = r["said"].get(s["name"]); group = {"choice": "choice", "yes or no": "flag", "text": "text", "email": "text", "link": "text", "phone": "text"}.get(s["kind"], "number")
                    if s["values"]:
                        of = [(v, stance[i, x]) for x, (a, v, _) in enumerate(values) if a == j]; wanted = {v for v, p in of if p[1] > .5}
                        if not s["many"]: best = max((((raw[i, x, 1] - raw[i, x, 0]).item(), v) for x, (a, v, _) in enumerate(values) if a == j), key=lambda p: p[0], default=(NEVER, None)); wanted = {best[1]} if best[0] > pick[i, j].item() else set()
                        right = {v for v, st in r["stance"].get(s["name"], {}).items() if st == "wanted"}; found = bool(wanted); ok = wanted == right
                    else:
                        found = none[i, j] < .5
                        if s["many"]:
                            starts = [x for x in range(min(n, len(w))) if begins[i, j, x] > .5 and w[x]] if len(w) else []; pieces = []
                            for x in starts:
                                y = x
                                while y + 1 < len(w) and goes[i, j, y + 1] > .5 and (y + 1) not in starts: y += 1
                                pieces.append(bare(text(x, y)))
                            found = bool(pieces); ok = gold is not None and pieces == [bare((r["text"] if z[0] < 0 else r["history"][z[0]])[z[1]:z[2]]) for z in gold]; group = "list"
                        elif found and gold:
                            x, y = divmod(at[i, j].item(), n); said = bare(text(x, y)); golds = [bare((r["text"] if z[0] < 0 else r["history"][z[0]])[z[1]:z[2]]) for z in gold]
                            ok = said in golds if group == "text" else any(set(said.split()) & set(g.split()) for g in golds) if group == "number" else (flag[i, j].item() > .5) == r["flags"].get(s["name"])
                        else: ok = False
                    if gold is None: count["empty"][0] += not found; count["empty"][1] += 1; whole &= not found
                    else: count[group][0] += bool(found and ok); count[group][1] += 1; whole &= bool(found and ok)
                if r["act"] in ("request", "correction"): count["whole"][0] += whole; count["whole"][1] += 1
                count["act"][0] += ACTS[act[i].item()] == r["act"]; count["act"][1] += 1; acts[(r["act"], ACTS[act[i].item()])] += 1
    print(tag, {g: f"{a}/{n}={a / max(1, n):.3f}" for g, (a, n) in sorted(count.items())}, flush=True); model.train(); return count["whole"][0], acts


# --- files ------------------------------------------------------------------------------------------------------------------------

def on_device(b): return {k: v.to(DEVICE, non_blocking=True) if isinstance(v, torch.Tensor) else v for k, v in b.items()}


def read_file(path):
    data = open(path, "rb").read(); n = struct.unpack("<Q", data[:8])[0]; header = json.loads(data[8:8 + n]); kinds = dict(I8=np.int8, F32=np.float32)
    return {name: torch.from_numpy(np.frombuffer(data[8 + n + h["data_offsets"][0]:8 + n + h["data_offsets"][1]], kinds[h["dtype"]]).reshape(h["shape"]).copy()).float() for name, h in header.items() if name != "__metadata__"}, header["__metadata__"]


def begin(model, path):
    """Word vectors, layers and norms of the encoder that routes."""
    T, note = read_file(path); whole = lambda name: T[name] * T[name + ".scale"][:, None]; s = {"tokens.weight": whole("tokens"), "types.weight": torch.cat([T["types"], T["types"][:1]]), "norm.weight": T["norm.weight"], "norm.bias": T["norm.bias"]}
    # Places behind those of messages go on as those within them do on average.
    places = T["places"]; s["places.weight"] = torch.cat([places, places[-64:].mean(0, keepdim=True).expand(PLACES - len(places), -1)])
    have = next(i for i in itertools.count() if f"{i}.qkv" not in T)
    for i in range(LAYERS):
        of = i * have // LAYERS      # a deeper reader begins with some layers twice, a shallower one without some
        for part in ("qkv", "out", "up", "down"): s[f"layers.{i}.{part}.weight"], s[f"layers.{i}.{part}.bias"] = whole(f"{of}.{part}"), T[f"{of}.{part}.bias"]
        for part in ("norm_a", "norm_b"): s[f"layers.{i}.{part}.weight"], s[f"layers.{i}.{part}.bias"] = T[f"{of}.{part}.weight"], T[f"{of}.{part}.bias"]
    unexpected = model.load_state_dict(s, strict=False).unexpected_keys; assert not unexpected, unexpected
    return note["sha256"]


def resume(model, path):
    """Goes on from a reader that was written; a deeper one begins with some of its layers twice."""
    T, _ = read_file(path); whole = lambda name: T[name] * T[name + ".scale"][:, None] if name + ".scale" in T else T[name]; s = {"types.weight": T["types"], "places.weight": whole("places"), "norm.weight": T["norm.weight"], "norm.bias": T["norm.bias"]}
    have = next(i for i in itertools.count() if f"{i}.qkv" not in T)
    for i in range(LAYERS):
        of = i * have // LAYERS
        for part in ("qkv", "out", "up", "down"): s[f"layers.{i}.{part}.weight"], s[f"layers.{i}.{part}.bias"] = whole(f"{of}.{part}"), T[f"{of}.{part}.bias"]
        for part in ("norm_a", "norm_b"): s[f"layers.{i}.{part}.weight"], s[f"layers.{i}.{part}.bias"] = T[f"{of}.{part}.weight"], T[f"{of}.{part}.bias"]
    for part in ("ask", "tell", "seek", "show"): s[f"{part}.weight"], s[f"{part}.bias"] = whole(part), T[f"{part}.bias"]
    for part in ("none", "bias", "flag", "noon", "doubt", "pick", "stance", "act", "several", "unmet"):
        if f"head.{part}.weight" in T: s[f"{part}.weight"], s[f"{part}.bias"] = T[f"head.{part}.weight"], T[f"head.{part}.bias"]
    if len(s["act.weight"]) < len(ACTS): old = [ACTS.index("other"), ACTS.index("request")]; s["act.weight"] = torch.cat([s["act.weight"], s["act.weight"][old]]); s["act.bias"] = torch.cat([s["act.bias"], s["act.bias"][old] - 1.])      # an older reader knew no refusals and corrections
    missing = model.load_state_dict(s, strict=False); assert set(missing.missing_keys) <= {"tokens.weight", "unmet.weight", "unmet.bias"} and not missing.unexpected_keys, missing


def quantized(t): scale = t.abs().amax(1).clamp(min=1e-9) / 127; return torch.round(t / scale[:, None]).clamp(-127, 127).to(torch.int8), scale


def export(model, path, note):
    """One file in the layout of safetensors: matrices in eight bits with a scale per row, the rest in single precision; no word vectors."""
    s = {k: v.detach().float().cpu() for k, v in model.state_dict().items()}; T = {"types": s["types.weight"], "norm.weight": s["norm.weight"], "norm.bias": s["norm.bias"], "live": torch.tensor([float(LIVE)])}
    def matrix(name, ours): T[name], T[name + ".scale"] = quantized(s[ours + ".weight"]); T[name + ".bias"] = s[ours + ".bias"]
    T["places"], T["places.scale"] = quantized(s["places.weight"])
    for i in range(LAYERS):
        for part in ("qkv", "out", "up", "down"): matrix(f"{i}.{part}", f"layers.{i}.{part}")
        for part in ("norm_a", "norm_b"): T[f"{i}.{part}.weight"], T[f"{i}.{part}.bias"] = s[f"layers.{i}.{part}.weight"], s[f"layers.{i}.{part}.bias"]
    for part in ("ask", "tell", "seek", "show"): matrix(part, part)
    for part in ("none", "bias", "flag", "noon", "doubt", "pick", "stance", "act", "several", "unmet"): T[f"head.{part}.weight"], T[f"head.{part}.bias"] = s[part + ".weight"], s[part + ".bias"]
    kinds = {torch.int8: "I8", torch.float32: "F32"}; header, data, at = {}, [], 0
    for name, t in sorted(T.items()): raw = t.contiguous().numpy().tobytes(); header[name] = dict(dtype=kinds[t.dtype], shape=list(t.shape), data_offsets=[at, at + len(raw)]); at += len(raw); data.append(raw)
    blob = b"".join(data); header["__metadata__"] = dict(format="waypost-encoder-1", sha256=hashlib.sha256(blob).hexdigest(), **note); head = json.dumps(header).encode(); head += b" " * (-len(head) % 8)
    with open(path, "wb") as f: f.write(struct.pack("<Q", len(head)) + head + blob)
    print("wrote", path, len(blob), flush=True)


# --- batches of fixed shapes ------------------------------------------------------------------------------------------------------
# A step is a thousand small pieces of work for the GPU, and starting them one by one takes five times as long as doing them. So batches have one of a few
# shapes, each lies in a single piece of memory, and what is to be done for a shape is recorded once and played again.

def shaped(tool, row):
    """The fields of a batch, with their sizes and what stands where there is nothing."""
    (lt, S, V), (lm, n, T) = tool, row
    return dict(tool=((T, lt), 0), tool_mask=((T, lt), 0), of=((n,), 0), ids=((n, lm), 0), types=((n, lm), 0), mask=((n, lm), 0), own=((n, lm), 0), turn=((n, lm), -2), pieces=((T, S + V, 2), 0), slot_mask=((T, S), 0), single=((T, S), 0), value_slot=((T, V), 0), value_mask=((T, V), 0),
                span=((SPANS * n, 3), 0), inside=((n, S, 2, lm), 0), absent=((n, S), 1), known=((n, S), 0), flag=((n, S), -1), half=((n, S), -1), stance=((n, V), -1), doubt=((n, S), 0), act=((n,), -1), several=((n,), 0), unmet=((n,), -1))


def flat(b, tool, row):
    """A batch in one piece. Padded tools have one token, so that there is something to look at, and padded pieces are of one token."""
    (lt, S, V), (lm, n, T) = tool, row; fields = shaped(tool, row); out = np.empty(sum(math.prod(size) for size, _ in fields.values()), np.int32); at = 0; had = b["slot_mask"].shape[1]
    for name, (size, fill) in fields.items():
        part = out[at:at + math.prod(size)].reshape(size); part.fill(fill); at += part.size; x = b[name].numpy()
        if name == "pieces": part[..., 1] = 1; part[:len(x), :had] = x[:, :had]; part[:len(x), S:S + x.shape[1] - had] = x[:, had:]
        elif name == "span":
            slot, place = x[:, 0], x[:, 1]; wide = b["ids"].shape[1]; k = min(len(x), len(part)); part[:k, 0] = (slot // had * S + slot % had)[:k]; part[:k, 1] = (place // wide * lm + place % wide)[:k]; part[:k, 2] = 1
        else: part[tuple(slice(0, k) for k in x.shape)] = x
        if name == "tool_mask": part[len(x):, 0] = 1
    return torch.from_numpy(out)


def unflat(buffer, tool, row):
    """The fields of a batch that lies in one piece, each as it is used."""
    out, at = {}, 0
    for name, (size, _) in shaped(tool, row).items(): out[name] = buffer[at:at + math.prod(size)].view(size); at += math.prod(size)
    for name in ("tool_mask", "mask", "own", "slot_mask", "single", "value_mask", "absent", "known"): out[name] = out[name].bool()
    for name in ("inside", "doubt", "several", "unmet"): out[name] = out[name].float()
    for name in ("of", "span", "act", "stance", "value_slot"): out[name] = out[name].long()
    return out


class Batches(torch.utils.data.IterableDataset):
    def __init__(self, tools, o, words, catalogs, vary, kinds): self.tools, self.o, self.words, self.catalogs, self.vary, self.kinds = tools, o, words, catalogs, vary, kinds

    def __iter__(self):
        """Batches of tools and messages of about the same length, each as soon as it is full."""
        worker = torch.utils.data.get_worker_info(); rng = random.Random(self.o.seed * 1000 + (worker.id if worker else 0)); words = self.words; draw = Episodes(self.tools, self.o, rng, self.catalogs, self.vary, self.kinds).draw; torch.set_num_threads(1) if worker else None
        waiting = collections.defaultdict(list); count = collections.Counter()
        while True:
            t = draw(); ids, marks, values = tool_ids(words, t); kind = next((k for k, (lt, S, V) in enumerate(TOOLS) if len(ids) <= lt and len(marks) <= S and len(values) <= V), None)
            if kind is None: continue
            by = collections.defaultdict(list)
            for r in t["rows"]: length = len(message_ids(words, r)[0]); by[next(k for k, (lm, _, _) in enumerate(ROWS) if length <= lm)].append(r)
            for k, rows in by.items():
                key = (kind, k); _, n, T = ROWS[k]
                if count[key] + len(rows) > n or len(waiting[key]) == T: yield key, flat(packed(words, waiting[key])[0], TOOLS[kind], ROWS[k]); waiting[key] = []; count[key] = 0
                waiting[key].append(dict(t, rows=rows)); count[key] += len(rows)


class Steps:
    """Steps of the training; on a GPU each shape's is recorded when it comes a second time."""
    def __init__(self, run, opt, moving, agree): self.run, self.opt, self.moving, self.agree, self.seen, self.pool = run, opt, moving, agree, {}, None; self.shown = torch.zeros(2, device=DEVICE)

    def step(self, buffer, key):
        b = unflat(buffer, TOOLS[key[0]], ROWS[key[1]])
        with torch.autocast(DEVICE, torch.bfloat16, enabled=HALF, cache_enabled=False): out = self.run(b)
        loss, part = losses(b, out)
        if self.agree:
            with torch.autocast(DEVICE, torch.bfloat16, enabled=HALF, cache_enabled=False): again = self.run(b)
            loss = (loss + losses(b, again)[0]) / 2 + self.agree * apart(b, out, again)
        self.opt.zero_grad(set_to_none=True); loss.backward(); nn.utils.clip_grad_norm_(self.moving, 1.); self.opt.step(); self.shown += torch.stack([loss.detach(), part["span"]])

    def __call__(self, key, rows):
        key = tuple(key)      # which pinning makes a list of
        if DEVICE != "cuda": return self.step(rows, key)
        if key not in self.seen:
            self.seen[key] = (rows.to(DEVICE), None); buffer = self.seen[key][0]; side = torch.cuda.Stream(); side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                for _ in range(2): self.step(buffer, key)
            torch.cuda.current_stream().wait_stream(side); return
        buffer, graph = self.seen[key]; buffer.copy_(rows, non_blocking=True)
        if graph is None:
            graph = torch.cuda.CUDAGraph(); self.opt.zero_grad(set_to_none=True); torch.cuda.synchronize()
            with torch.cuda.graph(graph, pool=self.pool, capture_error_mode="thread_local"): self.step(buffer, key)
            self.pool = self.pool or graph.pool(); self.seen[key] = (buffer, graph)
        graph.replay()


def main():
    ap = argparse.ArgumentParser(); add = ap.add_argument
    add("--start", default="", help="the encoder it starts from"); add("--resume", default="", help="a reader to go on from"); add("--average", nargs="+", default=[], help="readers whose mean is written, without training"); add("--words", required=True, help="folder of tokenizer.json"); add("--calls", required=True); add("--sets", default="", help="folder of public sets"); add("--out", default=""); add("--steps", type=int, default=3000); add("--minutes", type=float, default=60); add("--lr", type=float, default=2e-4); add("--head-lr", type=float, default=1e-3); add("--decay", type=float, default=.9, help="rate of a layer, in parts of that above it")
    add("--valid", type=int, default=0, help="validation tools, the first ones; 0 for all"); add("--live", type=int, default=LIVE); add("--layers", type=int, default=LAYERS); add("--taught-weight", type=float, default=TAUGHT_WEIGHT, help="how often a tool of --taught is drawn"); add("--smaller", type=int, default=1, help="batches of so many times fewer rows and tools, for steps on a processor"); add("--often", nargs="*", default=[], help="parts that are drawn more often than others, PART=TIMES"); add("--rows", type=int, default=12, help="rows of a tool that are drawn together"); add("--exchange", type=float, default=.5, help="share of rows in which values are exchanged"); add("--joined", type=float, default=.04, help="of rows that ask for two calls"); add("--recalled", type=float, default=.05, help="of rows behind what is remembered"); add("--framed", type=float, default=.1, help="of orders put as a refusal, a question or the like"); add("--noisy", type=float, default=.12, help="of rows with sentences around them"); add("--foreign", type=float, default=.4); add("--dropout", type=float, default=.1); add("--agree", type=float, default=0., help="weight of the agreement of two readings of each batch, each without other numbers"); add("--mean", type=float, default=.9995); add("--workers", type=int, default=6); add("--seed", type=int, default=20261116); add("--report", type=int, default=5000); add("--shown", type=int, default=200, help="steps between two lines of progress")
    add("--episodes", default="", help="folder of small catalogs, read as tools that take one choice"); add("--desks", type=float, default=.15, help="share of such tools"); add("--answers", type=float, default=.06, help="share of rows that become answers to a question"); add("--taught", default="", help="the catalog `choices` as JSON; what people say to its tools is in choices.jsonl of --own"); add("--own", default="", help="folder of slots.jsonl and stances.jsonl"); add("--tables", type=float, default=.02, help="share of tools that take columns of data")
    add("--wordnet", default="", help="folder of WordNet's data files"); add("--things", type=float, default=.08, help="share of tools that take a choice named by something that belongs to it"); add("--share", type=float, default=1., help="share of the tools trained on, for the learning curve")
    o = ap.parse_args(); globals()["LIVE"] = o.live; globals()["LAYERS"] = o.layers; globals()["TAUGHT_WEIGHT"] = o.taught_weight; globals()["ROWS"] = tuple((length, rows // o.smaller, max(4, tools // o.smaller)) for length, rows, tools in ROWS); assert o.start, "--start says which encoder it begins with"; torch.manual_seed(o.seed); words = Words(o.words); find = lambda part: next(p for p in (f"{o.calls}/{part}.jsonl", f"{o.calls}/{part}.jsonl.xz") if os.path.exists(p))
    often = dict(one.split("=") for one in o.often); train, valid = [dict(t, weight=float(often.get(os.path.basename(path).split(".")[0], 1))) for path in sorted(glob.glob(f"{o.calls}/train*.jsonl*")) for t in read_tools(path)], read_tools(find("valid"))[:o.valid or None]; public = (public_tools(o.sets) if o.sets else []) + (taught_tools(o.taught, f"{o.own}/choices.jsonl") if o.taught else []) + (own_tools(f"{o.own}/slots.jsonl") + option_tools(f"{o.own}/stances.jsonl") if o.own else []); catalogs = read_catalogs(o.episodes) if o.episodes else []
    if o.share < 1: train = random.Random(o.seed).sample(train, int(len(train) * o.share))
    model = Reader(o.dropout)
    source = begin(model, o.start); resume(model, o.resume) if o.resume else None
    model = model.to(DEVICE).train(); model.tokens.weight.requires_grad_(False)
    if o.average:
        states = []
        for path in o.average: resume(model, path); states.append({name: value.clone() for name, value in model.state_dict().items()})
        model.load_state_dict({name: sum(state[name] for state in states) / len(states) for name in states[0]}); judge(model, words, valid, "valid, mean of the readers")
        return export(model, o.out, dict(source=f"routes {source}", tools=str(len(train)), seed=str(o.seed)))
    named = dict(model.named_parameters()); body = ("places", "types", "norm", "layers", "tokens"); of = lambda *names: [p for n, p in named.items() if n.startswith(names) and p.requires_grad]
    groups = [([p for n, p in named.items() if not n.startswith(body)], o.head_lr), (of("places", "types", "norm"), o.lr)] + [(of(f"layers.{i}."), o.lr * o.decay ** (LAYERS - 1 - i)) for i in range(LAYERS)]
    opt = torch.optim.AdamW([dict(params=ps, lr=torch.tensor(rate, device=DEVICE)) for ps, rate in groups], weight_decay=.01, fused=DEVICE == "cuda", capturable=DEVICE == "cuda"); rates = [rate for _, rate in groups]; moving = [p for ps, _ in groups for p in ps]; mean = [p.detach().clone() for p in moving]
    words.learn([r["text"] for t in train + public for r in t["rows"]] + [text for c in catalogs for m in c["messages"] for text in [m["text"], *(m.get("history") or [])]])
    kinds = Kinds(o.wordnet, random.Random(o.seed), words.known()) if o.wordnet else None
    steps = Steps(model, opt, moving, o.agree); batches = iter(torch.utils.data.DataLoader(Batches(train + public, o, words, catalogs, Variations(train + public, o.calls), kinds), batch_size=None, num_workers=o.workers, prefetch_factor=8 if o.workers else None, pin_memory=DEVICE == "cuda")); began = time.time(); waited = 0.
    for step in range(o.steps):
        done = max(step / o.steps, (time.time() - began) / 60 / o.minutes)
        if done >= 1: break
        for group, rate in zip(opt.param_groups, rates): group["lr"].fill_(rate * min(done / WARM_UP + .04, 1) * (.5 + .5 * math.cos(math.pi * max(0, done - WARM_UP) / (1 - WARM_UP))))
        asked = time.time(); key, rows = next(batches); waited += time.time() - asked; steps(key, rows)
        if step % MEANT == 0: torch._foreach_lerp_(mean, [p.detach() for p in moving], max(1 - o.mean ** MEANT, 1 / (step / MEANT + 2)))
        if step % o.shown == o.shown - 1 or step == o.steps - 1: print(step + 1, [round(x / o.shown, 3) for x in steps.shown.tolist()], f"{time.time() - began:.0f}s, {waited:.0f}s of them waiting for rows", flush=True); steps.shown.zero_()
        if step % o.report == o.report - 1:
            judge(model, words, valid, f"valid at {step + 1}")
            if o.out: export(model, o.out, dict(source=f"routes {source}", tools=str(len(train)), seed=str(o.seed)))      # what there is if the time runs out
    last, _ = judge(model, words, valid, "valid, last weights"); ended = [p.detach().clone() for p in moving]
    for p, m in zip(moving, mean): p.data.copy_(m)      # the mean of the last weights mostly generalises better than the last
    meant, acts = judge(model, words, valid, "valid, their mean"); print(acts.most_common(20))
    if last > meant:
        for p, m in zip(moving, ended): p.data.copy_(m)
    if o.out: export(model, o.out, dict(source=f"routes {source}", tools=str(len(train)), seed=str(o.seed)))


if __name__ == "__main__": main()
