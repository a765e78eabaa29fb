"""Lets memrace test a store written in Python: call serve with what makes one from a path."""
import base64
import concurrent.futures
import json
import queue
import sys
import threading
import time
from collections.abc import Awaitable, Iterable


class Wrong(Exception):
    """What a result is, or has in it, and should not."""


def need(right, value):
    if not right:
        raise Wrong(value)
    return value


def text(value):
    return need(isinstance(value, str), value)


def several(values, *lengths):
    values = tuple(need(isinstance(values, Iterable) and not isinstance(values, str), values))
    return need(not lengths or len(values) in lengths, values)


def found(value):
    return {"found": value is not None, "value": "" if value is None else text(value)}


def kept(value):  # a text, a number and None are what they are
    return {"blob": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


PAIR, ROW = ("key", "value"), ("session", "key", "value", "updated_at")
RESULTS = {  # what they have to be, and what they are in an answer
    "get": ("a text or None", found), "take": ("a text or None", found),
    "list": ("pairs of texts", lambda result: {"entries": [
        dict(zip(PAIR, map(text, several(pair, 2)))) for pair in several(result)]}),
    "items": ("texts", lambda result: {"items": [*map(text, several(result))]}),
    "dump": ("rows of 3 or 4", lambda result: {"rows": [
        dict(zip(ROW, map(kept, several(row, 3, 4)))) for row in several(result)]}),
}
SLOTS = ("upsert", "get", "delete")  # every store has them, but for one of nothing but lists
READS = ("get", "list", "items", "dump", "check")
OPS = READS + ("upsert", "delete", "take", "update", "clear", "append")


def members(op, result):
    want, convert = RESULTS.get(op, ("done when it returns", lambda _: {}))
    try:
        need(not isinstance(result, Awaitable), result)
        return convert(result)
    except Wrong as wrong:
        inside = "" if wrong.args[0] is result else f" with {wrong.args[0]!r:.60}"
        raise TypeError(f"{op} returned {type(result).__name__}{inside}; it has to be {want}")


class NotApplied(Exception):
    """Raised by a store that knows for certain that a call changed nothing and never will."""


def serve(open_store):
    out, sys.stdout, lock = sys.stdout, sys.stderr, threading.Lock()  # what is printed is no answer
    told = {}  # what updates that are under way are to write, by the id of the call

    def answer(call, kind, **more):
        with lock:
            print(json.dumps({"id": call["id"], "type": kind, **more}), file=out, flush=True)

    def work(call):
        def change(old):
            answer(call, "seen", **found(old))
            reply = told[call["id"]].get()
            if reply["op"] == "cancel":
                raise InterruptedError("nobody waits for the update any more")
            return reply["value"]
        op, args = call["op"], [call[name] for name in ("session", "key", "value") if name in call]
        try:
            before = time.monotonic_ns()
            result = members(op, methods[op](*args, *[change] * (op == "update")))
            answer(call, "ok", t0=before, t1=time.monotonic_ns(), **result)
        except Exception as e:
            certain = isinstance(e, NotApplied) or op in READS
            answer(call, "fail" if certain else "info", error=f"{type(e).__name__}: {e}")
        told.pop(call["id"], None)

    init = json.loads(sys.stdin.buffer.readline())
    store = open_store(init["db"])
    methods = {op: getattr(store, op) for op in OPS if hasattr(store, op)}
    needs = SLOTS if methods.keys() & {*SLOTS} or "append" not in methods else ("items",)
    for name in (*needs, "close"):
        if not hasattr(store, name):
            return answer(init, "fail", error=f"the class {type(store).__name__} has no {name}")
    methods["ping"] = lambda: None
    answer(init, "ok", proto=1, ops=list(methods), bounded=getattr(store, "bounded", 0),
           volatile=getattr(store, "volatile", False),
           clock="monotonic" if sys.platform == "linux" else "")
    with concurrent.futures.ThreadPoolExecutor(init["threads"]) as threads:
        for call in map(json.loads, sys.stdin.buffer):
            if call["op"] in ("change", "cancel"):
                told.get(call["id"], queue.SimpleQueue()).put(call)
                continue
            if call["op"] == "update":
                told[call["id"]] = queue.SimpleQueue()
            threads.submit(work, call)
        for waiting in list(told.values()):
            waiting.put({"op": "cancel"})
    store.close()
