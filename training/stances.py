"""Learns which of the options in a message is wanted, and writes the weights that the interpreter of arguments reads.

    python3 training/stances.py            writes crates/core/src/arguments/stances.bin
    python3 training/stances.py --judge    learns from nine tenths in turn and says how often the tenth is told right

Rows are in training/stances.jsonl, written by us: {"text"} with every option marked, [+ wanted], [- set aside] or [? left open].
A ridge regression over the words around an option, the pairs and threes that follow each other, and where the other options
stand, each by how rare it is; all together have length one. The options of a message are then decided together.
"""

import collections
import itertools
import json
import math
import pathlib
import re
import struct
import sys

import numpy as np

from manners import hashed

HERE = pathlib.Path(__file__).parent
ROWS = HERE / "stances.jsonl"
WEIGHTS = HERE.parent / "crates/core/src/arguments/stances.bin"
STANCES = "+-?"
# How far weights are held back, in squares of lengths.
RIDGE = 0.2
# Fewest options that a sign must stand beside to be kept.
HELD_MIN = 2
# Words on each side that are told apart by how far they are, and those of them that are.
NEAR = 6
FAR = 3
# Words of the neighbouring clauses.
BEYOND = 4
# What the frequency of a combination weighs beside what speaks for it.
PRIOR = 0.3
# Most options of a message that are decided together.
OPTIONS_MAX = 4
# Parts that are left out in turn, to judge.
PARTS = 10
ENDS = set(".;?!,:—–")


def words(text):
    """Words in small letters with what an apostrophe joins, any number as 0, and signs."""
    text = re.sub(r"[0-9]+", "0", text.lower().replace("’", "'"))
    return re.findall(r"[a-z]+(?:'[a-z]+)?|0|[?!.,;:—–()/…-]", text)


def read(text):
    """The words of a row with each option as one, and where the options stand with their texts and stances."""
    said, options = [], []
    for part in re.split(r"(\[[-+?] ?[^\]]*\])", text):
        option = re.match(r"\[([-+?]) ?([^\]]*)\]", part)
        if option:
            options.append((len(said), " ".join(words(option.group(2))), option.group(1)))
            said.append("*")
        else:
            said += words(part)
    return said, options


def signs(said, options, nth):
    """What stands around an option."""
    at = options[nth][0]
    said = [*said]
    said[at] = "@"
    ends = ["<", *said, ">"]
    found = {f"l{min(far, FAR)}:{word}" for far, word in enumerate(said[:at][::-1][:NEAR])}
    found |= {f"r{min(far, FAR)}:{word}" for far, word in enumerate(said[at + 1 :][:NEAR])}
    for first in range(max(0, at + 1 - NEAR), min(len(ends) - 1, at + 1 + NEAR)):
        found.add(f"{'l' if first < at + 1 else 'r'}2:{ends[first]} {ends[first + 1]}")
    for first in range(max(0, at - 2), min(len(ends) - 2, at + 3)):
        found.add(f"3:{ends[first]} {ends[first + 1]} {ends[first + 2]}")
    earlier = [option for option in options if option[0] < at]
    later = [option for option in options if option[0] > at]
    before = earlier[-1][0] if earlier else -1
    behind = later[0][0] if later else len(said)
    regions = [("pb" if earlier else "ps", before + 1, at), ("nb" if later else "ne", at + 1, behind)]
    regions += [("af", behind + 1, len(said))] if later else []
    regions += [("be", 0, before)] if earlier else []
    for name, start, end in regions:
        found |= {f"{name}:{word}" for word in said[start:end]}
        found |= {f"{name}:{one} {other}" for one, other in zip(said[start:end], said[start + 1 : end])}
    start = next((place + 1 for place in range(at - 1, -1, -1) if said[place] in ENDS), 0)
    end = next((place for place in range(at + 1, len(said)) if said[place] in ENDS), len(said))
    found |= {f"cl:{word}" for word in said[start:at]} | {f"cr:{word}" for word in said[at + 1 : end]}
    found |= {f"cn:{word}" for word in said[end : end + BEYOND]}
    found |= {f"cp:{word}" for word in said[max(0, start - BEYOND) : start]}
    found |= {"c>"} if end == len(said) else set()
    found |= {"c<"} if start == 0 else set()
    found |= {"again"} if any(option[1] == options[nth][1] for option in earlier) else set()
    found |= {"later"} if any(option[1] == options[nth][1] for option in later) else set()
    place = "only" if len(options) == 1 else "first" if not earlier else "mid" if later else "last"
    return found | {place}


def matrix(texts, places, rarity):
    found = np.zeros((len(texts), len(places) + 1), dtype=np.float32)
    for row, text in enumerate(texts):
        for sign in text:
            if sign in places:
                found[row, places[sign]] = rarity[places[sign]]
    length = np.linalg.norm(found, axis=1, keepdims=True)
    found /= np.maximum(length, 1e-9)
    found[:, -1] = 1.0
    return found


def learn(rows):
    texts = [signs(said, options, nth) for said, options in rows for nth in range(len(options))]
    stances = [option[2] for _, options in rows for option in options]
    held = collections.Counter(sign for text in texts for sign in text)
    held = {sign: count for sign, count in held.items() if count >= HELD_MIN}
    places = {sign: place for place, sign in enumerate(held)}
    rarity = np.array([math.log(1 + len(texts) / count) for count in held.values()])
    found = matrix(texts, places, rarity)
    wanted = np.array([[1.0 if stance == one else -1.0 for one in STANCES] for stance in stances], dtype=np.float32)
    shares = np.linalg.solve(found @ found.T + RIDGE * np.eye(len(texts), dtype=np.float32), wanted)
    return places, rarity, held, found.T @ shares, len(texts), priors(rows)


def priors(rows):
    """How frequent it is that so many of the options are wanted and so many set aside, for each number of options."""
    counted = collections.Counter()
    for _, options in rows:
        stances = [option[2] for option in options]
        counted[len(stances), stances.count("+"), stances.count("-")] += 1
    table = np.zeros((OPTIONS_MAX, OPTIONS_MAX + 1, OPTIONS_MAX + 1), dtype=np.float32)
    for many in range(1, OPTIONS_MAX + 1):
        total = sum(count for (options, _, _), count in counted.items() if options == many)
        for plus in range(many + 1):
            for minus in range(many + 1 - plus):
                ways = math.comb(many, plus) * math.comb(many - plus, minus)
                share = (counted[many, plus, minus] + 0.5) / (total + 1) / ways
                table[many - 1, plus, minus] = PRIOR * math.log(share)
    return table


def decide(scores, table):
    """The likeliest stances of the options together, and their lead over the next."""
    many = len(scores)
    found = []
    for stances in itertools.product(range(len(STANCES)), repeat=many):
        prior = table[many - 1, stances.count(0), stances.count(1)]
        found.append((sum(scores[at][stance] for at, stance in enumerate(stances)) + prior, stances))
    found.sort(reverse=True)
    return found[0][1], found[0][0] - found[1][0]


def judge(rows):
    told = []
    for part in range(PARTS):
        left = [row for at, row in enumerate(rows) if at % PARTS == part]
        places, rarity, _, weights, _, table = learn([row for at, row in enumerate(rows) if at % PARTS != part])
        for said, options in left:
            if len(options) > OPTIONS_MAX:
                continue
            scores = matrix([signs(said, options, nth) for nth in range(len(options))], places, rarity) @ weights
            stances, lead = decide(scores, table)
            right = all(STANCES[stance] == option[2] for stance, option in zip(stances, options))
            told.append((lead, right, len(options)))
    told.sort(reverse=True)
    for share in (0.25, 0.5, 0.75, 1.0):
        sure = told[: int(len(told) * share)]
        print(f"surest {share:4.0%}: {sum(right for _, right, _ in sure) / len(sure):.3f}, lead from {sure[-1][0]:.2f}")
    for many in range(1, OPTIONS_MAX + 1):
        own = [right for _, right, options in told if options == many]
        print(f"{many} options: {sum(own) / max(1, len(own)):.3f} of {len(own)}")


def write(rows):
    places, _, held, weights, texts, table = learn(rows)
    scale = np.abs(weights[:-1]).max() / 127
    small = np.rint(weights[:-1] / scale).astype(int)
    by_hash = {hashed(sign): (held[sign], small[place]) for sign, place in places.items()}
    with WEIGHTS.open("wb") as file:
        file.write(table.tobytes())
        file.write(struct.pack("<IIf", len(by_hash), texts, scale))
        file.write(struct.pack("<3f", *weights[-1]))
        for value in sorted(by_hash):
            file.write(struct.pack("<I", value))
        for value in sorted(by_hash):
            file.write(struct.pack("<H", by_hash[value][0]))
        for value in sorted(by_hash):
            file.write(struct.pack("<3b", *by_hash[value][1]))
    print(f"{len(by_hash)} signs of {texts} options, {WEIGHTS.stat().st_size} bytes")


if __name__ == "__main__":
    lessons = [read(json.loads(line)["text"]) for line in ROWS.open()]
    lessons = [lesson for lesson in lessons if lesson[1]]
    judge(lessons) if "--judge" in sys.argv else write(lessons)
