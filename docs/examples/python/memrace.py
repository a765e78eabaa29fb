"""Lets memrace test a store written in Python: call serve with what makes one from a path."""
import base64
import concurrent.futures
import json
import queue
import sys
import threading
import time


def found(value):
    return {"found": value is not None, "value": value or ""}


def kept(value):  # a text, a number and None are what they are
    return {"blob": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


ROW = ("session", "key", "value", "updated_at")
RESULTS = {  # what they are in an answer
    "get": found, "take": found,
    "list": lambda pairs: {"entries": [{"key": k, "value": v} for k, v in pairs]},
    "items": lambda texts: {"items": list(texts)},
    "dump": lambda rows: {"rows": [dict(zip(ROW, map(kept, row))) for row in rows]},
}
READS = ("get", "list", "items", "dump", "check")
OPS = READS + ("upsert", "delete", "take", "update", "clear", "append")


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
            result = methods[op](*args, *[change] * (op == "update"))
            times = {"t0": before, "t1": time.monotonic_ns()}
            answer(call, "ok", **times, **RESULTS.get(op, lambda _: {})(result))
        except Exception as e:
            certain = isinstance(e, NotApplied) or op in READS
            answer(call, "fail" if certain else "info", error=f"{type(e).__name__}: {e}")
        told.pop(call["id"], None)

    init = json.loads(sys.stdin.buffer.readline())
    store = open_store(init["db"])
    methods = {op: getattr(store, op) for op in OPS if hasattr(store, op)}
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
