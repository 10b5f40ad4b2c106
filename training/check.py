"""How good are the vectors? 10-shot accuracy of a plain logistic head on the valid parts of the sets."""
import json
import torch
from torch.nn.functional import cross_entropy, normalize

SETS = ["clinc150", "banking77"]


def rows(path):
    return [json.loads(line) for line in open(path, encoding="utf-8")]


def logistic(train_x, train_y, test_x, classes, strength=20.0):
    weights = torch.zeros(train_x.shape[1], classes, device=train_x.device, requires_grad=True)
    bias = torch.zeros(classes, device=train_x.device, requires_grad=True)
    opt = torch.optim.LBFGS([weights, bias], max_iter=300, line_search_fn="strong_wolfe")

    def closure():
        opt.zero_grad()
        loss = cross_entropy(train_x @ weights + bias, train_y, reduction="sum") + weights.square().sum() / (2 * strength)
        loss.backward(); return loss
    opt.step(closure)
    return (test_x @ weights + bias).argmax(1)


@torch.no_grad()
def vectors(texts, student, teacher, tok, device):
    encoded = [e.ids for e in tok.encode_batch_fast(texts)]
    from train import TOKENS_MAX, pad, teach
    summed, deep = student(torch.from_numpy(pad(encoded, TOKENS_MAX)).to(device).long())
    return {"summed": summed, "deep": deep, "both": None if deep is None else normalize(summed + deep, dim=1), "teacher": teach(teacher, encoded, device).float()}


def check(folder, student, teacher, tok, device):
    for name in SETS:
        train, valid = rows(f"{folder}/{name}/train_10.jsonl"), rows(f"{folder}/{name}/valid.jsonl")
        labels = {label: i for i, label in enumerate(sorted({row["label"] for row in train}))}
        train_y = torch.tensor([labels[row["label"]] for row in train], device=device)
        valid_y = torch.tensor([labels[row["label"]] for row in valid], device=device)
        a = vectors([row["text"] for row in train], student, teacher, tok, device)
        b = vectors([row["text"] for row in valid], student, teacher, tok, device)
        for kind in a:
            if a[kind] is not None:
                right = (logistic(a[kind], train_y, b[kind], len(labels)) == valid_y).float().mean().item()
                print(f"{name} valid, 10-shot, {kind}: {100 * right:.2f}", flush=True)
