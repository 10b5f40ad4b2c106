"""Learns how much each reason weighs for a slot's value, from what `cargo run --example slot_lessons` prints.

    python3 training/slots.py lessons.jsonl crates/core/src/arguments/slots.bin

For each kind of slot: a weight a reason and a small network over the same reasons, so that what fills the slot is likelier
than everything else that could, and than leaving it empty. Needs torch; seconds on a GPU, minutes without. The file is little-endian
floats: for texts, numbers and times the number of hidden units, then the weights in the order the library reads them.
"""
import json
import sys

import numpy as np
import torch

# Hidden units, weight decay and passes of each kind; chosen by five-fold cross-validation over the rows.
KINDS = {"text": (64, 0.3, 500), "number": (16, 0.3, 500), "time": (8, 2.0, 500)}
# How much a row of each set counts: snips has many rows of seven tools alone.
SETS = {"bfcl": 1.5, "own": 1.0, "snips": 0.1}
DROPOUT, LEARNING_RATE, SEED = 0.3, 0.01, 0


def gather(lessons, kind, width, device):
    """Rows of reasons as one matrix, with the group each belongs to; leaving the slot empty is the first of each group."""
    places, columns, amounts, groups, right, right_of, counts = [], [], [], [], [], [], []
    at = 0
    for group, lesson in enumerate(row for row in lessons if row["kind"] == kind):
        first = at
        for reasons in [[(0 if lesson["required"] else 1, 1.0)]] + lesson["offered"]:
            for column, amount in reasons:
                places.append(at), columns.append(column), amounts.append(amount)
            groups.append(group)
            at += 1
        for found in lesson["right"] or [-1]:
            right.append(first + 1 + found), right_of.append(group)
        counts.append(SETS[lesson["set"]])
    matrix = torch.zeros(at, width)
    matrix.index_put_((torch.tensor(places), torch.tensor(columns)), torch.tensor(amounts), accumulate=True)
    return (matrix.to(device), *(torch.tensor(values, device=device) for values in (groups, right, right_of, counts)))


def log_sum(scores, groups, count):
    """The logarithm of the sum of exponentials, group by group."""
    top = torch.full((count,), -1e9, device=scores.device).scatter_reduce(0, groups, scores, "amax")
    sums = torch.zeros(count, device=scores.device).scatter_add(0, groups, torch.exp(scores - top[groups]))
    return torch.log(sums) + top


def learn(lessons, kind, width, device):
    hidden, decay, passes = KINDS[kind]
    matrix, groups, right, right_of, counts = gather(lessons, kind, width, device)
    torch.manual_seed(SEED)
    linear, inward = torch.zeros(width), torch.randn(width, hidden) * 0.15
    bias, outward = torch.zeros(hidden), torch.randn(hidden) * 0.15
    weights = [value.to(device).requires_grad_() for value in (linear, inward, bias, outward)]
    steps = torch.optim.AdamW(weights, lr=LEARNING_RATE, weight_decay=decay)
    slower = torch.optim.lr_scheduler.CosineAnnealingLR(steps, passes, LEARNING_RATE / 10)
    for _ in range(passes):
        units = torch.nn.functional.dropout(torch.relu(matrix @ weights[1] + weights[2]), DROPOUT)
        scores = matrix @ weights[0] + units @ weights[3]
        loss = log_sum(scores, groups, len(counts)) - log_sum(scores[right], right_of, len(counts))
        steps.zero_grad(), (loss * counts).sum().div(counts.sum()).backward(), steps.step(), slower.step()
    numbers = [np.array([hidden])] + [value.detach().cpu().numpy().reshape(-1) for value in weights]
    return np.concatenate(numbers).astype("<f4").tobytes()


def main():
    lessons = [json.loads(line) for line in open(sys.argv[1])]
    width = 1 + max(column for row in lessons for reasons in row["offered"] for column, _ in reasons)
    width = int(sys.argv[3]) if len(sys.argv) > 3 else width
    device = "cuda" if torch.cuda.is_available() else "cpu"
    with open(sys.argv[2], "wb") as out:
        for kind in KINDS:
            out.write(learn(lessons, kind, width, device))


if __name__ == "__main__":
    main()
