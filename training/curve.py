#!/usr/bin/env python3
"""Draws accuracy against the number of training catalogs, and says what the next hundred would add.

    python3 training/curve.py training/curve.jsonl docs/learning-curve.svg

A row of the file is one run of `training/routes.py --catalogs N --brief 1`, all with the same settings and validation catalogs.
"""
import json, math, sys

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 360, 60, 190, 40, 50
NEXT = 100               # catalogs that the estimate adds
LINES = (("right", "#0b6e4f", "decisions right"), ("best_route_right", "#8a4fff", "best-ranked route right"))


def next_hundred(rows, key):
    """Between the gain per doubling of the last step and that of the last two together."""
    gain = lambda a, b: (b[key] - a[key]) / math.log2(b["catalogs"] / a["catalogs"])
    doublings = math.log2((rows[-1]["catalogs"] + NEXT) / rows[-1]["catalogs"])
    return sorted(100 * doublings * g for g in (gain(rows[-2], rows[-1]), gain(rows[-3], rows[-1])))


def main():
    rows = sorted((json.loads(line) for line in open(sys.argv[1], encoding="utf-8")), key=lambda row: row["catalogs"])
    logs = [math.log2(row["catalogs"]) for row in rows]; values = [row[key] for row in rows for key, _, _ in LINES]
    low, high = math.floor(20 * min(values)) / 20, math.ceil(20 * max(values)) / 20
    x = lambda log: LEFT + (log - logs[0]) / (logs[-1] - logs[0]) * (WIDTH - LEFT - RIGHT); y = lambda v: TOP + (high - v) / (high - low) * (HEIGHT - TOP - BOTTOM)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="12">', f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
           f'<text x="{LEFT}" y="22" font-size="14">Accuracy on validation catalogs by number of training catalogs</text>']
    for step in range(round((high - low) * 20) + 1):
        v = low + step / 20; out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(v):.1f}" y2="{y(v):.1f}" stroke="#ddd"/><text x="{LEFT - 8}" y="{y(v) + 4:.1f}" text-anchor="end">{100 * v:.0f} %</text>')
    for row, log in zip(rows, logs): out.append(f'<text x="{x(log):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{row["catalogs"]}</text>')
    for key, colour, label in LINES:
        points = [(x(log), y(row[key])) for row, log in zip(rows, logs)]; few, many = next_hundred(rows, key)
        out.append('<polyline fill="none" stroke="%s" stroke-width="2" points="%s"/>' % (colour, " ".join(f"{a:.1f},{b:.1f}" for a, b in points))); out += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="4" fill="{colour}"/>' for a, b in points]
        a, b = points[-1]; out.append(f'<text x="{a + 10:.1f}" y="{b:.1f}" fill="{colour}">{label}</text><text x="{a + 10:.1f}" y="{b + 14:.1f}" fill="#555">next {NEXT}: +{few:.1f} to +{many:.1f} points</text>')
        print(f"{label}: the next {NEXT} catalogs add {few:.1f} to {many:.1f} points")
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">training catalogs (each step doubles)</text></svg>')
    with open(sys.argv[2], "w", encoding="utf-8") as f: f.write("\n".join(out) + "\n")


if __name__ == "__main__": main()
