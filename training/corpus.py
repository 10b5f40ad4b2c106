#!/usr/bin/env python3
"""Makes the text the encoder is taught on, from what anyone can get.

    apt-get -o Acquire::Languages=en update && apt-get install wordnet-base
    python3 training/corpus.py --sets DIR --out corpus.txt.gz

- WordNet's words, glosses and examples (Debian's wordnet-base; the licence wants its notice kept).
- Debian's package descriptions, short and long (the translations among apt's lists).
- Requests made up from WordNet's common nouns and verbs, so that questions and orders are seen about everything.
- With --sets: the train parts of permissive public sets (text only, no label), the tools they describe, and the odd
  lines of their query files. Never a test row, never a share-alike set: the names are listed below, nothing else is read.

The result is the same from run to run: sources in a fixed order, one seed.
"""
import argparse, collections, glob, gzip, json, os, random, re

SEED = 20261115
WORDNET = "/usr/share/wordnet"
LISTS = "/var/lib/apt/lists/*Translation-en*"

# Files of the sets, and which of their lines may be read.
TRAIN_TEXTS = ["clinc150/train", "clinc150/oos_train", "banking77/train", "snips/train", "nlupp_banking/all",
               "pii_presidio/all", "duckling_en/en", "duckling_en/common"]
ODD_QUERIES = ["metatool/queries_single", "bfcl/queries", "mtrag/queries"]
TOOLS = ["metatool/tools", "bfcl/tools", "mcp_tools/tools", "livemcpbench/tools"]

# Shapes of requests. V a verb, N a noun, M another noun, A an adjective.
FRAMES = """can you V my N|could you please V the N|please V the N for me|i want to V a N|i need to V my N|how do i V a N
how can i V my N|how to V N|what is a N|what is the best N for M|where can i find a N|where is my N|why is my N so A
why did my N not V|when will my N arrive|how much does a N cost|how much is the N|how many N are there|how long does it take to V a N
is there a N near me|do i need a N to V|does my N have a M|can i V without a N|should i V the N or the M|which N is more A
tell me about N|tell me how to V the N|show me the N|show all N with a M|find me a A N|find a N for the M|search for A N
give me the N of the M|get the M of a N|list every N|what does N mean|what is the difference between a N and a M|who made the N
V the N|V my N to the M|V a new N|V N from M|do not V the N|stop the N|start the N|open the N|close my N|cancel my N|change my N
update the N of my M|remove the N from my M|add a N to the M|add N to my list|put the N on my M|set the N to ten|turn off the N
turn on the N|remind me to V the N|remind me about the N tomorrow|i lost my N|my N is A|my N is not working|my N was declined
the N is A|the N does not V|there is a problem with my N|i have a question about the N|i would like a A N|i am looking for a A N
i cannot V my N|i think someone took my N|i forgot my N|what happened to my N|what are the N on my M|what time does the N open
what kind of N should i V|what should i do about the N|is it possible to V a N|is the N A|are there any A N|will the N V
would you V the N|explain the N|explain how N works|write a N about M|compare the N and the M|calculate the N of the M|convert N to M
translate N|play some N|play a A N by M|book a N for two|book a N at the M|order a N|buy a N|pay for the N|send a N to my M|send N
call my N|check the N|check my N for M|check if the N is A|track my N|schedule a N for friday|reserve a A N|rate this N four stars
recommend a A N|suggest a N for my M|let me know when the N V|i do not want the N|that is not the N i asked for|thank you for the N
how is the N today|how far is the N|what is the weather like at the N|what is my N|what is the name of the N|what color is the N
how old is the N|how often should i V my N|how do you feel about N|do you like N|are you a N|tell me a joke about N
V all A N in the M and give me the N|fetch the N by its M|create a N with the given M|delete the N and V the M
compute the A N from the M|returns the N of the M|the M of the N to V|upload the N|download the A N as a M|export N to M""".replace("\n", "|").split("|")


def wordnet():
    """Words, glosses and examples; and the common words of each kind for the frames."""
    counts = collections.Counter()
    for line in open(f"{WORDNET}/cntlist.rev"):
        key, _, count = line.split()
        lemma, kind = key.split("%")
        counts[lemma.replace("_", " "), kind[0]] += int(count)
    common = {"n": [], "v": [], "a": []}
    texts = []
    for part, digit in (("noun", "1"), ("verb", "2"), ("adj", "3"), ("adv", "4")):
        for line in open(f"{WORDNET}/data.{part}"):
            if line.startswith("  "):
                continue
            head, gloss = line.rstrip().split(" | ", 1)
            fields = head.split()
            words = [w.split("(")[0].replace("_", " ") for w in fields[4:4 + 2 * int(fields[3], 16):2]]
            texts += [re.sub(r"\s+", " ", piece.strip(' "')) for piece in re.split(r'; "|"; ', gloss)]
            texts.append(", ".join(words))
            texts.append(f"{words[0]}: {gloss.split(';')[0]}")
            for word in words:
                weight = counts[word.lower(), digit]
                if weight > 0 and part[0] in common and word.isascii() and word.replace(" ", "").isalpha():
                    common[part[0]] += [word.lower()] * min(3, 1 + weight // 20)
    return texts, common


def debian():
    """Short descriptions whole, long ones sentence by sentence."""
    texts = []
    for path in sorted(glob.glob(LISTS)):
        opened = os.popen(f"/usr/lib/apt/apt-helper cat-file {path}")
        for block in opened.read().split("\n\n"):
            description = re.search(r"^Description-en: (.*(?:\n .*)*)", block, re.M)
            if not description:
                continue
            short, _, long = description.group(1).partition("\n")
            texts.append(short)
            flat = re.sub(r"\s+", " ", long.replace("\n .\n", ". "))
            texts += [s.strip() for s in re.split(r"(?<=[.!?]) ", flat) if 12 < len(s) < 240]
    return texts


def requests(common, count, rng):
    made = []
    for _ in range(count):
        frame = rng.choice(FRAMES)
        fill = {"V": rng.choice(common["v"]), "N": rng.choice(common["n"]), "M": rng.choice(common["n"]), "A": rng.choice(common["a"])}
        made.append(" ".join(fill.get(word, word) for word in frame.split()))
    return made


def rows(folder, name):
    with open(f"{folder}/{name}.jsonl", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def sets(folder):
    texts = [row["text"] for name in TRAIN_TEXTS for row in rows(folder, name)]
    for name in ODD_QUERIES:
        texts += [row["query"] for row in rows(folder, name)[::2]]
    for name in TOOLS:
        for tool in rows(folder, name):
            words = re.sub(r"[_\-./]+|(?<=[a-z])(?=[A-Z])", " ", tool["name"])
            texts += [words, tool.get("description") or "", f"{words}: {tool.get('description') or ''}"]
            properties = (tool.get("parameters") or {}).get("properties") or {}
            texts += [p["description"] for p in properties.values() if isinstance(p, dict) and isinstance(p.get("description"), str)]
    return texts


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--sets"); arguments.add_argument("--out", required=True)
    arguments.add_argument("--requests", type=int, default=300_000)
    options = arguments.parse_args()
    rng = random.Random(SEED)
    dictionary, common = wordnet()
    sources = {"wordnet": dictionary, "debian": debian(), "requests": requests(common, options.requests, rng),
               "sets": sets(options.sets) if options.sets else []}
    seen = {}
    for name, texts in sources.items():
        clean = [re.sub(r"\s+", " ", text).strip()[:400] for text in texts]
        before = len(seen)
        for text in clean:
            if len(text) > 1:
                seen.setdefault(text, name)
        print(f"{name}: {len(seen) - before} texts")
    with gzip.GzipFile(options.out, "wb", mtime=0) as out:
        out.write("\n".join(f"{name[0]}\t{text}" for text, name in seen.items()).encode())
    print(f"{len(seen)} texts, {os.path.getsize(options.out) >> 20} MiB")


if __name__ == "__main__":
    main()
