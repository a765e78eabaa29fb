"""Lets memrace test a store that is written in Python: call serve with what makes one from a path."""
import concurrent.futures
import json
import sys
import threading
import time

OPS = ("upsert", "get", "delete", "list", "clear", "append", "items")
READS = {  # what their results are in an answer
    "get": lambda value: {"found": value is not None, "value": value or ""},
    "list": lambda pairs: {"entries": [{"key": k, "value": v} for k, v in pairs]},
    "items": lambda texts: {"items": list(texts)},
}


class NotApplied(Exception):
    """Raised by a store that knows for certain that a call changed nothing and never will."""


def serve(open_store):
    out, sys.stdout, lock = sys.stdout, sys.stderr, threading.Lock()  # what is printed is no answer

    def answer(call, kind, **more):
        with lock:
            print(json.dumps({"id": call["id"], "type": kind, **more}), file=out, flush=True)

    def work(call):
        op, texts = call["op"], [call[name] for name in ("session", "key", "value") if name in call]
        try:
            before = time.monotonic_ns()
            result = getattr(store, op)(*texts)
            times = {"t0": before, "t1": time.monotonic_ns()}
            answer(call, "ok", **times, **(READS[op](result) if op in READS else {}))
        except Exception as e:
            certain = isinstance(e, NotApplied) or op in READS
            answer(call, "fail" if certain else "info", error=f"{type(e).__name__}: {e}")

    init = json.loads(sys.stdin.buffer.readline())
    store = open_store(init["db"])
    clock = "monotonic" if sys.platform == "linux" else ""
    answer(init, "ok", proto=1, ops=[op for op in OPS if hasattr(store, op)], clock=clock)
    with concurrent.futures.ThreadPoolExecutor(init["threads"]) as threads:
        for line in sys.stdin.buffer:
            threads.submit(work, json.loads(line))
    store.close()
