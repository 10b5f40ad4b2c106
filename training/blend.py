#!/usr/bin/env python3
"""Fits how the full model and a catalog's own head decide together, and how sure a decision must be.

    for part in valid spent; do cargo run --release --example blend_lessons -- training/episodes/$part.jsonl; done > small.jsonl
    cargo run --release --example blend_lessons -- ROWS.jsonl TEST.jsonl > public.jsonl
    python3 training/blend.py --out crates/core/src/fewshot/blend.bin small.jsonl public.jsonl …

SMALL are catalogs that the full model has not learned from. ROWS and TEST are parts of clinc150 or banking77 (ten examples a route, the
valid part), from which some routes are taken away, so that what asks for them belongs nowhere. Writes the weights of a small network and
prints how sure a decision must be (`NEEDED` of `crates/core/src/fewshot/blend.rs`), measured on catalogs that a fit has not seen, in four parts.
Needs numpy and torch; takes some minutes without a GPU.
"""
import argparse, json, math
import numpy as np, torch
from torch import nn

SURE = .9                # from here on the second head is not asked
THRESHOLD = .4           # what a catalog asks for unless it says otherwise
LOG_MIN, BELIEF_MIN = -9., .005      # less counts as this much
LOGS = 3.                # what logarithms are divided by
WORDS_MAX = 60
OF_ROUTE, OF_MESSAGE, HIDDEN = 6, 11, 48
WANTED = (.80, .85, .90, .94, .96, .98, .99)
PARTS = 4


def read(path):
    for line in open(path, encoding="utf-8"):
        r = json.loads(line); first = r["heads"][0]; head = first if max(first["beliefs"]) >= SURE else r["heads"][-1]; norm = lambda x: x - np.logaddexp.reduce(x)
        yield dict(r, logs=[norm(np.array(r[k], np.float32)) for k in ("full", "also", "denied")], head=head)


def features(r):
    """What is known of each route, and of the message."""
    asked, also, denied = (np.maximum(x, LOG_MIN) / LOGS for x in r["logs"]); best = np.sort(asked[:-1])[::-1]; head = np.log(np.maximum(np.array(r["head"]["beliefs"], np.float32), BELIEF_MIN)) / LOGS; counts = np.log1p(np.array(r["examples"], np.float32)) / 2
    message = [asked[-1], also[-1], denied[-1], best[0], best[1] if len(best) > 1 else LOG_MIN / LOGS, r["head"]["fits"], head.max(), math.log(len(head)) / LOGS, counts.mean(), math.log1p(min(r["words"], WORDS_MAX)) / LOGS, min(r["history"], 1)]
    return np.stack([asked[:-1], also[:-1], denied[:-1], head, counts, (asked[:-1] >= best[0]).astype(np.float32)], 1).astype(np.float32), np.array(message, np.float32)


def packed(rows, learning=False):
    """Everything as tensors. Of two requests the first is to be learned; the second is neither right nor wrong then, and right otherwise."""
    N = max(len(r["examples"]) for r in rows); X, G = np.zeros((len(rows), N, OF_ROUTE), np.float32), np.zeros((len(rows), OF_MESSAGE), np.float32); A, Y = np.full((len(rows), N + 1), -1e4, np.float32), np.zeros((len(rows), N + 1), bool)
    for i, r in enumerate(rows):
        x, G[i] = features(r); n = len(x); X[i, :n] = x; A[i, :n], A[i, N] = r["logs"][0][:-1], r["logs"][0][-1]
        wanted = r["wanted"] or [N]; Y[i, wanted[0]] = True
        for k in wanted[1:]:
            if learning: A[i, k] = -1e4
            else: Y[i, k] = True
    return [torch.from_numpy(t) for t in (X, G, A, Y)]


class Weigher(nn.Module):
    """What is added to the logarithms of the routes and of none of them."""
    def __init__(self):
        super().__init__(); bend = lambda inputs: nn.Sequential(nn.Linear(inputs, HIDDEN), nn.GELU(approximate="tanh"), nn.Dropout(.1), nn.Linear(HIDDEN, 1))
        self.routes, self.none, self.route_line, self.none_line = bend(OF_ROUTE + OF_MESSAGE), bend(OF_MESSAGE), nn.Linear(OF_ROUTE, 1, bias=False), nn.Linear(OF_MESSAGE, 1, bias=False)
        for layer in (self.routes[3], self.none[3], self.route_line, self.none_line): nn.init.zeros_(layer.weight)

    def forward(self, X, G, A):
        both = torch.cat([X, G[:, None].expand(-1, X.shape[1], -1)], 2); return A + torch.cat([(self.routes(both) + self.route_line(X))[..., 0], self.none(G) + self.none_line(G)], 1)


def fit(rows, steps=2500, rate=3e-3):
    torch.manual_seed(1); rng = np.random.default_rng(1); net = Weigher(); opt = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=.01)
    groups = [packed(g, learning=True) for g in ([r for r in rows if len(r["examples"]) <= 40], [r for r in rows if len(r["examples"]) > 40]) if g]; sizes = np.array([len(g[0]) for g in groups], float)
    for step in range(steps):
        for group in opt.param_groups: group["lr"] = rate * (1 - step / steps)
        data = groups[rng.choice(len(groups), p=sizes / sizes.sum())]; at = torch.from_numpy(rng.integers(0, len(data[0]), 512)); X, G, A, Y = (t[at] for t in data)
        loss = -torch.logsumexp(net(X, G, A).log_softmax(1).masked_fill(~Y, -1e4), 1).mean(); opt.zero_grad(); loss.backward(); opt.step()
    return net.eval()


@torch.no_grad()
def judged(net, rows):
    """The best route of each message, how sure it is, and whether it is right."""
    X, G, A, Y = packed(rows); P = net(X, G, A).softmax(1)[:, :-1]; sure, best = P.max(1); return best.numpy(), sure.numpy(), Y[torch.arange(len(Y)), best].numpy(), Y[:, -1].numpy()


def report(name, sure, right, none):
    acted = sure >= THRESHOLD; bins = np.minimum(14, (sure * 15).astype(int)); off = sum(abs(sure[bins == b].sum() - right[bins == b].sum()) for b in range(15)) / len(sure)
    print(name, len(sure), "decisions", round(float(np.where(acted, right, none).mean()), 4), "precision", round(float(right[acted].mean()), 4), "calibration error", round(float(off), 4), flush=True)


def needed(sure, right):
    """How sure a decision must be for so many of those acted on to be right."""
    order = np.argsort(-sure); share = np.cumsum(right[order]) / np.arange(1, len(order) + 1); return [(want, round(float(sure[order][np.nonzero(share >= want)[0][-1]]), 3)) for want in WANTED]


def write(net, path):
    s = {k: v.detach().numpy().astype("<f4") for k, v in net.state_dict().items()}; order = [f"{part}.{at}.{kind}" for part in ("routes", "none") for at in (0, 3) for kind in ("weight", "bias")] + ["route_line.weight", "none_line.weight"]
    with open(path, "wb") as f: f.write(b"".join(s[name].tobytes() for name in order))


def main():
    ap = argparse.ArgumentParser(); ap.add_argument("--out", required=True); ap.add_argument("small"); ap.add_argument("public", nargs="*"); o = ap.parse_args(); torch.set_num_threads(2)
    small, public = list(read(o.small)), [r for path in o.public for r in read(path)]; names = sorted({r["catalog"] for r in small}); of = {name: i % PARTS for i, name in enumerate(names)}; kept, others = [], []
    for part in range(PARTS):      # of public sets only the messages are unseen, not the routes
        own, other = [r for r in small if of[r["catalog"]] == part], public[part::PARTS]; net = fit([r for r in small if of[r["catalog"]] != part] + [r for k in range(PARTS) if k != part for r in public[k::PARTS]])
        figures = judged(net, own); report(f"part {part}", *figures[1:]); kept.append(figures); others.append(judged(net, other)) if other else None
    together = lambda parts: [np.concatenate([f[k] for f in parts]) for k in range(4)]
    _, sure, right, none = together(kept); report("all", sure, right, none); print("needed", needed(sure, right))
    if others: report("public", *together(others)[1:])
    net = fit(small + public); write(net, o.out); row = dict(logs=[np.log(np.array(x, np.float32)) for x in ([.5, .3, .2], [.1, .2, .7], [.05, .05, .9])], head=dict(beliefs=[.6, .2], fits=.8), examples=[3, 5], words=7, history=1, wanted=[0]); X, G, A, _ = packed([row])
    print("wrote", o.out, "; for the test of weigher.rs:", [round(x, 5) for x in net(X, G, A).softmax(1)[0].tolist()])


if __name__ == "__main__": main()
