"""Traces as JSON lines: how one result is spoiled, and what the peers can read."""

import json

# Threads count up from multiples of this (the fuzzers' `share`). TLC's integers and those of our models for Porcupine
# have 32 bits, so for them the multiples are moved together.
SHARE = 1_000_000_000
NARROW_SHARE = 10_000_000

# Added to a result, it makes one that no thread ever counts up to.
NEVER = 5_000_000


def spoil(recorded, spoiled, results):
    """Changes one result near the end into one that cannot be: in the last event but for the last hundredth whose
    operation is among `results`, which says where each has its result."""
    with open(recorded) as lines:
        header, *events = lines
    for at in range(len(events) * 99 // 100 - 1, -1, -1):
        event = json.loads(events[at])
        result = results.get(event.get("op"))
        if result is not None:
            event["args"][result] += NEVER
            events[at] = json.dumps(event) + "\n"
            break
    else:
        raise SystemExit(f"error: {recorded} has no event whose result could be spoiled: none of {', '.join(results)}")
    with open(spoiled, "w") as lines:
        lines.write(header)
        lines.writelines(events)


def narrow(trace, narrowed):
    """The same trace, with numbers of 32 bits."""
    with open(trace) as lines, open(narrowed, "w") as out:
        out.write(next(lines))
        for line in lines:
            event = json.loads(line)
            if "args" in event:
                event["args"] = {name: _narrow(value) for name, value in event["args"].items()}
            out.write(json.dumps(event) + "\n")


def _narrow(value):
    if isinstance(value, list):
        return [_narrow(element) for element in value]
    if isinstance(value, int):
        return value // SHARE * NARROW_SHARE + value % SHARE
    return value


def as_registers(trace, history):
    """A trace of a map as Porcupine reads it: a register per key, which is 0 while the key is not there."""
    with open(trace) as lines, open(history, "w") as out:
        next(lines)
        out.write('{"kind": "kv"}\n')
        for line in lines:
            event = json.loads(line)
            if "op" in event:
                call = {name: event[name] for name in ("thread", "start", "end")}
                args = {name: _narrow(value) for name, value in event["args"].items()}
                out.write(json.dumps(call | {"key": args["key"]} | _REGISTER[event["op"]](args)) + "\n")


def _swap(old, new, result=True):
    return {"op": "CompareAndSet", "old": old, "new": new, "result": result}


_REGISTER = {
    "Get": lambda args: {"op": "Get", "result": args["value"]},
    "Missing": lambda args: {"op": "Get", "result": 0},
    # A swap of nothing for nothing fails if there is something.
    "Exists": lambda args: _swap(0, 0, result=False),
    "Insert": lambda args: _swap(0, args["value"]),
    "Replace": lambda args: _swap(args["old"], args["new"]),
    "Remove": lambda args: _swap(args["value"], 0),
}
