#!/usr/bin/env python3
"""How well are capabilities found by their guides? Asks the binary about every message of a file of assistants.

    python3 training/guides.py training/guides/test.jsonl [WAYPOST]

Each line is an assistant: {"catalog", "routes": [{"name", "description", "examples", "not_examples"}], "messages": [{"text",
"routes": [those it needs]}]}. Prints how many of the needed capabilities are found, how many of those found are needed, how many
messages are wholly right, and how many of those that need none are left alone.
"""
import json, pathlib, subprocess, sys, tempfile


def judged(assistant, binary):
    """Needed and found, message by message."""
    with tempfile.TemporaryDirectory() as folder:
        here = pathlib.Path(folder)
        (here / "catalog.yaml").write_text(json.dumps(dict(name=assistant["catalog"], select="many", routes=assistant["routes"])), encoding="utf-8")
        (here / "rows.jsonl").write_text("".join(json.dumps(dict(text=m["text"])) + "\n" for m in assistant["messages"]), encoding="utf-8")
        told = subprocess.run([binary, "route", "--catalog", str(here / "catalog.yaml"), "--batch", str(here / "rows.jsonl")], capture_output=True, text=True, check=True)
    for message, line in zip(assistant["messages"], told.stdout.splitlines(), strict=True):
        answer = json.loads(line)
        yield set(message["routes"]), {route["name"] for route in answer["routes"]} if answer["outcome"] == "act" else set()


def main():
    binary = sys.argv[2] if len(sys.argv) > 2 else "target/release/waypost"
    rows = [row for line in open(sys.argv[1], encoding="utf-8") for row in judged(json.loads(line), binary)]
    found, needed, both = (sum(map(len, sets)) for sets in ((f for _, f in rows), (n for n, _ in rows), (n & f for n, f in rows)))
    idle = [f for n, f in rows if not n]
    print(f"{len(rows)} messages: {both / needed:.1%} of the needed are found, {both / max(1, found):.1%} of the found are needed, "
          f"{sum(n == f for n, f in rows) / len(rows):.1%} wholly right, {sum(not f for f in idle)} of {len(idle)} left alone")


if __name__ == "__main__": main()
