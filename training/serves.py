#!/usr/bin/env python3
"""Fits how likely a tool serves a message, by what it was found by and by what the trained model makes of the message.

    cargo run --release --example serves_lessons -- POOL.jsonl ROWS.jsonl > lessons.jsonl     # once for each set
    python3 training/serves.py dev.jsonl=1.5 metatool_single.jsonl=0.25 metatool_multiple.jsonl=0.6 livemcpbench.jsonl=0.5

Each set counts as much as is written behind it. Prints the constants of `crates/core/src/selection/judged.rs`, and for each set how often the right tool comes first, by a fit on four
parts of five that has not seen its message. Of metatool 1,200 single and 250 multiple queries of odd lines were drawn. Needs numpy; takes seconds.
"""
import json, sys
import numpy as np

NAMES = "BASE LEAD BEHIND ALIKE COVERED ASKED_LEAD NONE ASKED ALSO NAMED MOST_ALIKE_BEHIND MOST_ALIKE_ASKED MOST_ALIKE".split()
PARTS = 5


def ahead(x):
    """How far each is ahead of the next, or behind the first."""
    best = np.sort(x)[::-1]
    return np.where(x == best[0], x - (best[1] if len(best) > 1 else best[0] - 3), x - best[0])


def facts(tools):
    of = lambda name: np.array([float(t[name]) for t in tools])
    found, asked, alike = ahead(of("score")), of("asked"), of("alike")
    most, behind, rather = np.full(len(tools), alike.max()), np.clip(found, -8, 0), np.clip(asked - of("none"), -8, 8)
    return np.stack([np.ones(len(tools)), np.clip(found, 0, 3), behind, alike, of("covered"), np.clip(ahead(asked), 0, 4), of("none"), rather, np.clip(of("also") - of("none_also"), -8, 8), of("named"), most * behind, most * rather, most], 1)


def fit(X, y, w):
    logistic = lambda x: 1 / (1 + np.exp(-np.clip(x, -30, 30)))
    b = np.zeros(X.shape[1])
    for _ in range(40):
        p = logistic(X @ b); H = (X * (w * p * (1 - p))[:, None]).T @ X + np.eye(len(b)); b = b - np.linalg.solve(H, X.T @ (w * (p - y)) + b)
    return b


def main():
    rows = []
    for given in sys.argv[1:]:
        path, weight = given.rsplit("=", 1)
        for at, line in enumerate(open(path)):
            r = json.loads(line); right = np.array([float(t["id"] in (r["wanted"] or [])) for t in r["tools"]])
            if len(right): rows.append((path, at % PARTS, facts(r["tools"]), right, np.full(len(right), float(weight)), bool(r["wanted"])))
    together = lambda some: [np.concatenate([r[i] for r in some]) for i in (2, 3, 4)]
    first = {}
    for part in range(PARTS):
        b = fit(*together([r for r in rows if r[1] != part]))
        for path, own, X, right, _, wanted in rows:
            if own == part and wanted: first.setdefault(path, []).append(right[np.argmax(X @ b)])
    for path, right in first.items(): print(f"{path}: the right tool is first for {100 * np.mean(right):.1f} % of {len(right)}")
    for name, weight in zip(NAMES, fit(*together(rows))): print(f"{name} = {weight:.2f}")


if __name__ == "__main__": main()
