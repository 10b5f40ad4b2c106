"""Learns in which manner a message is said, and writes the weights that the interpreter of arguments reads.

    python3 training/manners.py            writes crates/core/src/arguments/manners.bin
    python3 training/manners.py --judge    learns from nine tenths in turn and says how often the tenth is told right

Rows are in training/manners.jsonl, written by us: {"text", "manner"}. A ridge regression over the words of a message and the
pairs that follow each other, each by how rare it is; all together have length one.
"""

import collections
import json
import math
import pathlib
import re
import struct
import sys

import numpy as np

HERE = pathlib.Path(__file__).parent
ROWS = HERE / "manners.jsonl"
WEIGHTS = HERE.parent / "crates/core/src/arguments/manners.bin"
MANNERS = ["choose", "refer", "ask", "undecided", "off"]
# How far weights are held back, in squares of lengths.
RIDGE = 0.3
# Parts that are left out in turn, to judge.
PARTS = 10


def words(text):
    """Words in small letters with what an apostrophe joins, any number as 0, and question marks."""
    text = re.sub(r"[0-9]+", "0", text.lower().replace("’", "'"))
    return re.findall(r"[a-z]+(?:'[a-z]+)?|0|\?", text)


def grams(text):
    """The words of a message, and the pairs that follow each other with its two ends."""
    said = words(text)
    ends = ["<", *said, ">"]
    return set(said) | {f"{one} {other}" for one, other in zip(ends, ends[1:])}


def hashed(gram):
    """FNV-1a in 64 bits, its halves folded."""
    value = 0xCBF29CE484222325
    for byte in gram.encode():
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return (value >> 32) ^ (value & 0xFFFFFFFF)


def matrix(texts, places, rarity):
    found = np.zeros((len(texts), len(places) + 1))
    for row, text in enumerate(texts):
        for gram in grams(text):
            if gram in places:
                found[row, places[gram]] = rarity[places[gram]]
    length = np.linalg.norm(found, axis=1, keepdims=True)
    found /= np.maximum(length, 1e-9)
    found[:, -1] = 1.0
    return found


def learn(rows):
    held = collections.Counter(gram for row in rows for gram in grams(row["text"]))
    places = {gram: place for place, gram in enumerate(held)}
    rarity = np.array([math.log(1 + len(rows) / count) for count in held.values()])
    found = matrix([row["text"] for row in rows], places, rarity)
    wanted = np.array([[1.0 if row["manner"] == manner else -1.0 for manner in MANNERS] for row in rows])
    shares = np.linalg.solve(found @ found.T + RIDGE * np.eye(len(rows)), wanted)
    return places, rarity, held, found.T @ shares


def judge(rows):
    right = collections.Counter()
    count = collections.Counter()
    for part in range(PARTS):
        places, rarity, _, weights = learn([row for at, row in enumerate(rows) if at % PARTS != part])
        left = [row for at, row in enumerate(rows) if at % PARTS == part]
        said = matrix([row["text"] for row in left], places, rarity) @ weights
        for row, scores in zip(left, said):
            count[row["manner"]] += 1
            right[row["manner"]] += MANNERS[scores.argmax()] == row["manner"]
    for manner in MANNERS:
        print(f"{manner:10} {right[manner] / count[manner]:.3f} of {count[manner]}")
    print(f"{'all':10} {sum(right.values()) / sum(count.values()):.3f}")


def write(rows):
    places, _, held, weights = learn(rows)
    scale = np.abs(weights[:-1]).max() / 127
    small = np.rint(weights[:-1] / scale).astype(int)
    by_hash = {hashed(gram): (held[gram], small[place]) for gram, place in places.items()}
    with WEIGHTS.open("wb") as file:
        file.write(struct.pack("<IIf", len(by_hash), len(rows), scale))
        file.write(struct.pack("<5f", *weights[-1]))
        for value in sorted(by_hash):
            file.write(struct.pack("<I", value))
        for value in sorted(by_hash):
            file.write(struct.pack("<H", by_hash[value][0]))
        for value in sorted(by_hash):
            file.write(struct.pack("<5b", *by_hash[value][1]))
    print(f"{len(by_hash)} words and pairs of {len(rows)} messages, {WEIGHTS.stat().st_size} bytes")


if __name__ == "__main__":
    lessons = [json.loads(line) for line in ROWS.open()]
    judge(lessons) if "--judge" in sys.argv else write(lessons)
