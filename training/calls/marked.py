"""Reads author files: takes the marks out, places the values, and holds them to the schema."""
import json, re, sys
ACTS = {"refusal", "request", "question", "hypothetical", "past", "reference", "other"}
WHYS = {"lookalike", "corrected", "denied", "other_person", "past", "quoted", "conditional", "wrong_unit", "out_of_bounds", "compared", "competing", "vague", "no_slot"}
MARK = re.compile(r"\[\[(!?)((?:[^\[\]|]|\[\d+\])+)\|([^\[\]|]+)(?:\|([^\[\]|]*))?\]\]")


def slot_of(schema, name):
    node = schema
    for part in re.sub(r"\[\d*\]", ".[]", name).split("."):
        if part == "[]": node = node.get("items", {})
        else:
            node = node.get("properties", {}).get(part)
            if node is None: return None
    return node


def typed(s, raw, said, name):
    kind = s.get("type"); kind = next((k for k in kind if k != "null"), "string") if isinstance(kind, list) else kind
    if kind == "array": return typed(s.get("items", {}), raw, said, name)
    v = said if raw is None else raw
    if kind == "integer":
        v = int(str(v).replace(",", ""))
    elif kind == "number":
        v = float(str(v).replace(",", "")); v = int(v) if v == int(v) else v
    elif kind == "boolean":
        if v not in ("true", "false", True, False): raise ValueError(f"{name}: {v!r} is neither true nor false")
        return v in ("true", True)
    if "enum" in s and v not in s["enum"]: raise ValueError(f"{name}: {v!r} is not in its enum")
    fmt = {"date": r"\d{4}-\d\d-\d\d", "time": r"\d\d:\d\d(:\d\d)?", "date-time": r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?"}.get(s.get("format"))
    if fmt and not re.fullmatch(fmt, str(v)): raise ValueError(f"{name}: {v!r} is not a {s['format']}")
    if "minimum" in s and isinstance(v, (int, float)) and v < s["minimum"] or "maximum" in s and isinstance(v, (int, float)) and v > s["maximum"]: raise ValueError(f"{name}: {v} is out of bounds; mark it with ! and out_of_bounds")
    return v


def plain(text, schema, turn, values, nots):
    out, at = "", 0
    for m in MARK.finditer(text):
        out += text[at:m.start()]; no, name, said, raw = m.groups(); name = re.sub(r"\[\d+\]$", "", name.strip()); start = len(out); out += said; at = m.end(); place = [start, len(out)]
        s = slot_of(schema, name)
        if s is None and not (no and name == "?" and raw == "no_slot"): raise ValueError(f"no slot {name}")
        if no:
            if raw not in WHYS: raise ValueError(f"!{name}: {raw!r} is not a reason")
            nots.append(dict(slot=name, said=said, why=raw, at=place, **({"turn": turn} if turn >= 0 else {}))); continue
        v = typed(s, raw, said, name); many = s.get("type") == "array" or isinstance(s.get("type"), list) and "array" in s["type"]
        if many:
            e = values.setdefault(name, dict(value=[], said=[], at=[])); e["value"].append(v); e["said"].append(said); e["at"].append(place)
        elif name in values: raise ValueError(f"{name} has two values; mark what does not count with !, or give a second call as more")
        else: values[name] = dict(value=v, said=said, at=place)
        if turn >= 0: values[name]["turn"] = turn
    out += text[at:]
    if "[[" in out or "]]" in out: raise ValueError("a mark is not closed or nested: " + out[:80])
    return out


def read_row(r, schema):
    if r.get("act") not in ACTS: raise ValueError(f"act {r.get('act')!r}")
    values, nots, history = {}, [], []
    for turn, t in enumerate(r.get("history") or []): history.append(plain(t, schema, turn, values, nots))
    text = plain(r["text"], schema, -1, values, nots)
    def extra(name, v, into):
        s = slot_of(schema, name)
        if s is None: raise ValueError(f"no slot {name}")
        pieces = v["said"] if isinstance(v["said"], list) else [v["said"]]
        for p in pieces:
            if p not in text and not any(p in h for h in history): raise ValueError(f"{name}: {p!r} is not in the text")
        vals = v["value"] if isinstance(v["value"], list) else [v["value"]]; vals = [typed(s, x, x, name) for x in vals]
        into[name] = dict(value=vals if isinstance(v["value"], list) else vals[0], said=v["said"])
    for name, v in (r.get("also") or {}).items(): extra(name, v, values)
    more = []
    for call in r.get("more") or []:
        c = {}
        for name, v in call.items(): extra(name, v, c)
        more.append(c)
    out = dict(text=text, values=values, act=r["act"])
    out["not"] = nots
    if history: out["history"] = history
    if more: out["more"] = more
    return out


def read(path, errors):
    for n, line in enumerate(open(path, encoding="utf-8"), 1):
        if not line.strip(): continue
        try: t = json.loads(line); tool = t["tool"]; schema = tool["parameters"]; assert schema.get("properties"), "no properties"; rows = t["rows"]
        except Exception as e: errors.append(f"line {n}: {e}"); continue
        good = []
        for k, r in enumerate(rows, 1):
            try: good.append(read_row(r, schema))
            except Exception as e: errors.append(f"line {n} ({tool.get('name')}), row {k}: {e}")
        yield dict(tool=tool, rows=good)


if __name__ == "__main__":
    errors = []; tools = list(read(sys.argv[1], errors)); print("\n".join(errors)); print(len(tools), "tools,", sum(len(t["rows"]) for t in tools), "rows good,", len(errors), "errors")
    names = [t["tool"]["name"] for t in tools]; twice = {x for x in names if names.count(x) > 1}
    if twice: print("names used twice:", twice)
