"use strict";
// Lets memrace test a store that is written in JavaScript: call serve with what makes one from a path.

const OPS = ["upsert", "get", "delete", "take", "list", "clear", "append", "items"];
const READS = ["get", "list", "items"];
const RESULTS = { // what they are in an answer
  get: (value) => ({ found: value != null, value: value ?? "" }),
  take: (value) => ({ found: value != null, value: value ?? "" }),
  list: (pairs) => ({ entries: Array.from(pairs, ([key, value]) => ({ key, value })) }),
  items: (texts) => ({ items: [...texts] }),
};

// Thrown by a store that knows for certain that a call changed nothing and never will.
class NotApplied extends Error {}

function answer(call, type, more, times = "") { // nanoseconds are too many digits for a Number
  const members = JSON.stringify({ id: call.id, type, ...more }).slice(0, -1);
  process.stdout.write(`${members}${times}}\n`);
}

async function work(store, call) {
  const texts = ["session", "key", "value"].filter((name) => name in call).map((name) => call[name]);
  try {
    const before = process.hrtime.bigint();
    let result = store[call.op](...texts);
    if (typeof result?.then === "function") result = await result;
    const times = `,"t0":${before},"t1":${process.hrtime.bigint()}`;
    answer(call, "ok", RESULTS[call.op]?.(result), process.platform === "linux" ? times : "");
  } catch (e) {
    const certain = e instanceof NotApplied || READS.includes(call.op);
    const name = e?.code?.replace?.("SQLITE_", "").toLowerCase(); // "busy"
    answer(call, certain ? "fail" : "info", { error: `${e}`, class: name });
  }
}

async function serve(open) {
  console.log = console.info = console.debug = console.error; // what is printed is no answer
  let store, rest = "";
  const calls = new Set();
  for await (const chunk of process.stdin.setEncoding("utf8")) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const call of lines.map((line) => JSON.parse(line))) {
      if (store) {
        const running = work(store, call).finally(() => calls.delete(running));
        calls.add(running);
        continue;
      }
      store = await open(call.db);
      const clock = process.platform === "linux" ? "monotonic" : "";
      answer(call, "ok", { proto: 1, ops: OPS.filter((op) => op in store), clock });
    }
  }
  await Promise.all(calls);
  await store?.close();
}

module.exports = { serve, NotApplied };
