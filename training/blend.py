#!/usr/bin/env python3
"""Fits the rule that weighs a catalog's own head and the full model, and when the head alone is enough.

    cargo run --release --example blend_lessons -- training/episodes/valid.jsonl > small.jsonl
    cargo run --release --example blend_lessons -- SETS/clinc150/train_10.jsonl SETS/clinc150/valid.jsonl > clinc.jsonl
    python3 training/blend.py small.jsonl [clinc.jsonl …]

Prints the constants of `crates/core/src/fewshot/blend.rs`: the weight of the head by the number of examples, the least belief told apart
from nothing, what is added to "none of these", the temperature, and the bound of agreement. Small catalogs are judged by whole
decisions; public sets, whose rows all belong somewhere, by the best-ranked route. Needs numpy; takes a minute.
"""
import itertools, json, sys
import numpy as np

SURE = .9                # from here on the second head is not asked
AGREEMENT = .99          # how often head and full model must decide alike on the fast path
THRESHOLD = .4           # what a catalog asks for unless it says otherwise


def read(path):
    rows = []
    for line in open(path, encoding="utf-8"):
        r = json.loads(line); h = r["heads"][0]
        if max(h["beliefs"]) < SURE: h = r["heads"][-1]
        rows.append(dict(r, head=np.array(h["beliefs"]), fits=h["fits"], first=r["heads"][0], full=np.array(r["full"]), log=float(np.mean(np.log1p(r["examples"])))))
    return rows


def believe(r, per, floor, none, temperature):
    w = min(per * r["log"], 1) if any(r["examples"]) else 0
    z = r["full"].copy(); z[:-1] += w * np.log(np.clip(r["head"], floor, 1) / floor); z[-1] += none; z = z / temperature
    p = np.exp(z - z.max()); return p / p.sum()


def figures(rows, setting):
    right = acted = good = loss = 0; bins = np.zeros((15, 3))
    for r in rows:
        p = believe(r, *setting); k = int(p[:-1].argmax()); conf = p[k]; ok = k in r["wanted"]; b = bins[min(14, int(conf * 15))]; b += (conf, ok, 1)
        if conf >= THRESHOLD: acted += 1; good += ok; right += ok
        elif not r["wanted"]: right += 1
        loss -= np.log(max(sum(p[j] for j in r["wanted"]) if r["wanted"] else p[-1], 1e-6))
    return dict(right=right / len(rows), precision=good / max(1, acted), ece=np.abs(bins[:, 0] - bins[:, 1]).sum() / len(rows), loss=loss / len(rows))


def best_ranked(rows, setting): return float(np.mean([int(believe(r, *setting)[:-1].argmax()) in r["wanted"] for r in rows]))


def main():
    small = read(sys.argv[1]); public = [read(p) for p in sys.argv[2:]]; few = small[::7]; some = [rows[::9] for rows in public]; tried = []
    for per, floor, none, t in itertools.product((0, .05, .1, .15, .2, .3), (.01, .03), (-2.1, -1.8, -1.5, -1.2, -.9, -.6), (.9, 1., 1.15)):
        s = (per, floor, none, t); f = figures(few, s); worth = f["right"] - .5 * f["ece"] + .1 * sum(best_ranked(rows, s) for rows in some); tried.append((worth, s))
    tried.sort(reverse=True)
    for worth, s in tried[:8]: print(s, {k: round(v, 4) for k, v in figures(small, s).items()}, [round(best_ranked(rows, s), 4) for rows in public])
    print("full alone", {k: round(v, 4) for k, v in figures(small, (0, .01, 0, 1)).items()}, [round(best_ranked(rows, (0, .01, 0, 1)), 4) for rows in public])
    print("heads alone", [round(float(np.mean([int(r["head"].argmax()) in r["wanted"] for r in rows])), 4) for rows in [small] + public])
    setting = tried[0][1]; X, y = [], []
    for r in small:
        if r["history"]: continue
        h = r["first"]; b = np.sort(h["beliefs"])[::-1]; p = believe(r, *setting); k = int(p[:-1].argmax()); full = k if p[k] >= THRESHOLD else -1; kh = int(np.argmax(h["beliefs"])); own = kh if b[0] >= THRESHOLD else -1
        X.append([b[0], b[0] - (b[1] if len(b) > 1 else 0), h["fits"], min(r["words"], 30), 1]); y.append(full == own and own >= 0)
    X, y = np.array(X), np.array(y, float); scale = X.std(0) + 1e-9; scale[-1] = 1; Z = X / scale; w = np.zeros(5)
    for _ in range(4000): g = Z.T @ (1 / (1 + np.exp(-Z @ w)) - y) / len(y) + 1e-4 * w; w -= 2 * g
    z = Z @ w; order = np.argsort(-z); share = np.cumsum(y[order]) / np.arange(1, len(y) + 1); many = np.nonzero(share >= AGREEMENT)[0]; n = int(many[-1]) + 1 if len(many) else 0
    print("agreement", [round(float(a), 4) for a in w / scale], "bound", round(float(z[order[n - 1]]), 4) if n else None, "share", round(n / len(y), 4))


if __name__ == "__main__": main()
