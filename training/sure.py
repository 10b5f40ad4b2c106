#!/usr/bin/env python3
"""Fits how likely a reading is right, slot by slot and all of it, and how likely it must be to be run.

    for part in valid locked traps; do cargo run --release --example sure_lessons -- training/calls/$part.jsonl; done > lessons.jsonl
    python3 training/sure.py lessons.jsonl

Writes `crates/core/src/arguments/reading/weights.rs`. The reader has learned from none of these tools. What runs of traps counts as wrong, and not for how much may be wrong. Everything is fitted in five parts by tool, so that what is
printed, and how likely a call must be, come from tools that a fit has not seen. Needs numpy; takes seconds.
"""
import json, sys
import numpy as np

CASES = ("chosen", "none chosen", "text", "no text", "amount", "no amount", "flag", "no flag", "list", "no list", "taught", "none taught")
SLOT_FACTS, MESSAGE_FACTS, PARTS = 6, 11, 5
SHARES = (.001, .005, .01, .02, .05, .1, .2)
HELD = 20.               # how strongly weights are held to the reader's own word, which is one for the first and none for the rest
LEAST = 1e-5


def fit(X, y, start, held=HELD):
    """Logistic weights by Newton's method, with steps halved until they help."""
    loss = lambda w: np.logaddexp(0, X @ w).sum() - y @ (X @ w) + held / 2 * ((w - start) ** 2).sum(); w = start.copy()
    for _ in range(60):
        p = logistic(X @ w); g = X.T @ (p - y) + held * (w - start); H = (X * (p * (1 - p))[:, None]).T @ X + held * np.eye(len(w)); step = np.linalg.solve(H, g); size = 1.
        while size > 1e-6 and loss(w - size * step) > loss(w): size /= 2
        w = w - size * step
        if np.abs(step).max() < 1e-6: break
    return w


def logistic(x): return 1 / (1 + np.exp(-np.clip(x, -30, 30)))


def odds(p): p = np.clip(p, LEAST, 1 - LEAST); return np.log(p / (1 - p))


def slot_weights(rows):
    out = []
    for case in range(len(CASES)):
        got = [(s["facts"], s["right"]) for r in rows if r["wanted"] != "trap" for s in r["slots"] if s["case"] == case]; start = np.eye(SLOT_FACTS)[0]
        out.append(fit(np.array([f for f, _ in got]), np.array([float(y) for _, y in got]), start) if got else start)
    return np.array(out)


def message_facts(rows, W):
    """The facts of messages, with what the slots come to by these weights."""
    X = np.array([r["facts"] for r in rows])
    for i, r in enumerate(rows): p = np.clip([logistic(np.dot(W[s["case"]], s["facts"])) for s in r["slots"]] or [1.], LEAST, 1 - LEAST); X[i, 0] = odds(np.exp(np.log(p).sum())); X[i, 1] = odds(p.min())
    return X


def message_weights(rows, W): X = message_facts(rows, W); y = np.array([float(r["wanted"] == "run" and r["whole"]) for r in rows]); return fit(X, y, np.eye(MESSAGE_FACTS)[0])


def main():
    rows = [json.loads(line) for line in open(sys.argv[1])]; names = sorted({r["tool"] for r in rows}); of = {n: i % PARTS for i, n in enumerate(names)}; could = lambda rs: [r for r in rs if r.get("outcome") == "run"]
    sure, right, traps, slots = [], [], [], [[] for _ in CASES]
    for part in range(PARTS):
        seen, own = [r for r in rows if of[r["tool"]] != part], [r for r in rows if of[r["tool"]] == part]; W = slot_weights(seen); w = message_weights(could(seen), W); mine = could(r for r in own if r["wanted"] != "trap"); traps.append([logistic(message_facts([r], W) @ w)[0] for r in could(own) if r["wanted"] == "trap"]); sure.append(logistic(message_facts(mine, W) @ w)); right += [r["wanted"] == "run" and r["whole"] for r in mine]
        for r in own:
            if r["wanted"] == "trap": continue      # their values are not marked
            for s in r["slots"]: slots[s["case"]].append((logistic(np.dot(W[s["case"]], s["facts"])), logistic(s["facts"][0]), s["right"]))
    rows_all, rows = rows, [r for r in rows if r["wanted"] != "trap"]; traps = np.array(sum(traps, [])); sure, right = np.concatenate(sure), np.array(right); order = np.argsort(-sure); wrong = np.cumsum(~right[order]) / len(rows); runnable = sum(r["wanted"] == "run" for r in rows); needed = []
    raw = np.array([r["facts"][0] for part in range(PARTS) for r in could([r for r in rows if of[r["tool"]] == part])]); by_raw = np.argsort(-raw); raw_wrong = np.cumsum(~right[by_raw]) / len(rows)
    for share in SHARES:
        k = np.nonzero(wrong <= share)[0][-1]; needed.append((share, float(sure[order[k]]))); j = np.nonzero(raw_wrong <= share)[0][-1]
        print(f"{share:.3f} may be wrong: from {needed[-1][1]:.3f} on, {right[order[:k + 1]].sum() / runnable:.3f} of the runnable calls run; by the reader's own word {right[by_raw[:j + 1]].sum() / runnable:.3f}; traps that run {(traps >= needed[-1][1]).sum()}")
    off = lambda p, y: sum(abs(p[b].sum() - y[b].sum()) for b in (np.minimum(9, (p * 10).astype(int)) == k for k in range(10))) / len(p)
    for name, got in zip(CASES, slots):
        if got: p, q, y = (np.array(x, float) for x in zip(*got)); print(f"{name}: {len(y)}, {y.mean():.3f} right; calibration error {off(p, y):.3f}, by the reader's own word {off(q, y):.3f}")
    rows = rows_all; W = slot_weights(rows); w = message_weights(could(rows), W); one = lambda ws: "[" + ", ".join(f"{x:.4f}" for x in ws) + "]"
    table = [(0., 1.1)] + needed + [(1., 0.)]
    open("crates/core/src/arguments/reading/weights.rs", "w").write("//! Numbers that `training/sure.py` fitted on tools that the reader had not learned from; it writes this file.\n\nuse super::sure::{MESSAGE_FACTS, SLOT_CASES, SLOT_FACTS};\n\n"
        + "/// What each fact of a slot counts, by case.\n#[rustfmt::skip]\npub(super) const SLOT_RIGHT: [[f32; SLOT_FACTS]; SLOT_CASES] = [\n" + "".join(f"    {one(x)},\n" for x in W) + "];\n\n/// What each fact of a message counts.\n#[rustfmt::skip]\npub(super) const ALL_RIGHT: [f32; MESSAGE_FACTS] = " + one(w)
        + ";\n\n/// How likely all of a call must be right for it to be run, by the share of all messages that may be run wrongly.\n" + f"#[rustfmt::skip]\npub(super) const NEEDED: [(f64, f32); {len(table)}] = [" + ", ".join(f"({a:g}, {b:.3f})".replace("(0,", "(0.0,").replace("(1,", "(1.0,") for a, b in table) + "];\n")


if __name__ == "__main__": main()
