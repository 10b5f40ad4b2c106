"""What belongs to what: WordNet's words as rows for the reader of arguments, whose choices take such knowledge ("spaniel" for `dog`).

    apt-get install wordnet-base      # /usr/share/wordnet

`Kinds(folder, rng, known).draw(…)` gives a tool that takes one choice and messages that name it by something that belongs to it: a narrower noun, another word for an adjective or a verb, or what a
dictionary says of it. WordNet 3.0 is free to use with its notice (Princeton University); nothing of it is kept in the project.
"""
import collections, os, random, re, sys

NOUN_SLOTS = ("kind", "type", "category", "what", "item", "item_type", "subject", "class", "group", "sort", "object", "product_type", "department", "section", "area")
ADJECTIVE_SLOTS = ("condition", "style", "quality", "state", "mood", "grade", "level", "look", "character", "finish")
VERB_SLOTS = ("action", "operation", "task", "mode", "step", "activity", "job", "command")
NOUNS = ("{}", "{}", "a {}", "the {}", "it's a {}", "it is about a {}", "{} please", "I have a {} here", "we need it for the {}", "one {}, thanks", "my {} again", "there's a {} in the yard", "this one is a {}", "put it down as {}", "something with a {}",
         "got a {} for you", "do you take a {}", "the thing is a {}", "about the {} from yesterday", "I'd like to register a {}", "{}, as always", "they brought a {}", "look, a {}!", "another {} came in", "for my {}", "it was a {} I think", "new entry: {}", "could you file the {}", "we're dealing with a {}", "her {} needs it")
ADJECTIVES = ("{}", "{}", "it should be {}", "something {}", "make it {}", "rather {} please", "it looks {}", "they are {}", "a {} one", "very {}", "it came back {}", "the {} sort", "I'd call it {}", "we want it {}", "{} would be best")
VERBS = ("{} it", "{} this", "please {} them", "{} everything", "could you {} that", "I want to {} it", "we have to {} these", "just {}", "time to {} it", "go and {} the lot", "{} the one from monday")
GLOSSES = ("{}", "{}", "you know, {}", "I mean {}", "it's {}", "what I need is {}", "something like {}", "how do you call it, {}")
LEVELS = 3          # how far above a noun its kind may stand
DEEP = 5            # kinds nearer to the top than this say nothing ("object")
WIDE = 3            # narrower words that a kind must have
VALUES = 10         # of a choice at most


def told(gloss):
    """What a dictionary says first, without its examples."""
    text = re.split(r"[;\"(]", gloss)[0].strip(); return text if 10 < len(text) < 90 else ""


class Kinds:
    def __init__(self, folder, rng, known=None):
        self.rng = rng; self.words, self.above, self.gloss, self.senses = {}, collections.defaultdict(list), {}, collections.defaultdict(set); below = collections.Counter()
        for part in ("noun", "adj", "verb"):
            for line in open(os.path.join(folder, f"data.{part}"), encoding="latin-1"):
                if line[0] == " ": continue
                head, gloss = line.split(" | ", 1); f = head.split(); key = (part, f[0]); count = int(f[3], 16); words = [re.sub(r"\(.*\)", "", w).replace("_", " ") for w in f[4:4 + 2 * count:2]]
                words = [w for w in words if re.fullmatch(r"[a-z][a-z '-]{2,}", w) and (known is None or all(one in known for one in re.split(r"[ '-]+", w)))]      # no names and numbers, and nothing that hardly anybody says
                self.words[key] = words; self.gloss[key] = told(gloss); at = 4 + 2 * count
                for k in range(int(f[at])):
                    sign, other = f[at + 1 + 4 * k], f[at + 2 + 4 * k]
                    if sign == "@" or part == "adj" and sign == "&": self.above[key].append((part, other)); below[(part, other)] += 1
                for w in words: self.senses[w].add(key)
        self.depth = {}
        def depth(key):
            if key not in self.depth: self.depth[key] = 0; self.depth[key] = 1 + max((depth(o) for o in self.above[key]), default=0) if key[0] == "noun" else DEEP
            return self.depth[key]
        self.pairs = {part: [] for part in ("noun", "adj", "verb")}
        for key, words in self.words.items():
            if not words: continue
            kinds = [k for k in self.kinds(key) if self.words.get(k) and (key[0] != "noun" or depth(k) >= DEEP and below[k] >= WIDE)]
            if key[0] != "noun" and len(words) > 1: kinds.append(key)
            if kinds: self.pairs[key[0]].append((key, kinds))

    def kinds(self, key):
        """What a word belongs to, nearest first."""
        out, now = [], [key]
        for _ in range(LEVELS if key[0] == "noun" else 1): now = [o for k in now for o in self.above[k]]; out += now
        return out

    def ancestors(self, word):
        """All that any sense of a word belongs to, and the senses."""
        out, todo = set(), list(self.senses[word])
        while todo:
            key = todo.pop()
            if key not in out: out.add(key); todo += self.above[key]
        return out

    def case(self, part):
        """Something that is said, and the name of what it belongs to, which is another word."""
        rng = self.rng; key, kinds = rng.choice(self.pairs[part]); kind = rng.choice(kinds); said = rng.choice(self.words[key]); names = [w for w in self.words[kind] if w != said and w not in said.split()]
        return (key, said, kind, rng.choice(names[:2])) if names else None

    def draw(self, rows, row):
        """A slot, its values and up to `rows` messages, each made by `row(text, slot, value, place)`."""
        rng = self.rng; part = rng.choices(("noun", "adj", "verb"), (6, 2, 2))[0]; cases = [c for c in (self.case(part) for _ in range(rng.randint(3, VALUES))) if c]
        values = {}
        for key, said, kind, name in cases: values.setdefault(name, kind)
        name = rng.choice(dict(noun=NOUN_SLOTS, adj=ADJECTIVE_SLOTS, verb=VERB_SLOTS)[part]); out = []
        for key, said, kind, value in rng.choices(cases, k=rows) if cases else ():
            over = self.ancestors(said) if part != "adj" else self.senses[said] | {o for k in self.senses[said] for o in self.above[k]}
            if values.get(value) != kind or sum(k in over or v == said for v, k in values.items()) != 1: continue      # it belongs to one of them alone
            text = self.gloss[key] if rng.random() < .25 else ""
            if text and value not in text: lead = rng.choice(GLOSSES); out.append(row(lead.format(text), name, value, (lead.index("{"), lead.index("{") + len(text)))); continue
            lead = rng.choice(dict(noun=NOUNS, adj=ADJECTIVES, verb=VERBS)[part])
            if said[0] in "aeiou": lead = lead.replace(" a {", " an {") if not lead.startswith("a {") else "an {}"
            out.append(row(lead.format(said), name, value, (lead.index("{"), lead.index("{") + len(said))))
        return (name, list(values), out) if out and len(values) > 1 else self.draw(rows, row)


if __name__ == "__main__":
    kinds = Kinds("/usr/share/wordnet", random.Random(1), set(map(str.strip, open(sys.argv[1]))) if sys.argv[1:] else None); print({p: len(x) for p, x in kinds.pairs.items()})
    for _ in range(8):
        name, values, rows = kinds.draw(5, lambda *x: x); print(name, values)
        for r in rows: print("   ", r)
