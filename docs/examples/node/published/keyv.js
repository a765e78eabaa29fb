"use strict";
// keyv with @keyv/sqlite: a namespace for each session, over one file.
const { KeyvSqlite } = require("@keyv/sqlite");
const { Keyv } = require("keyv");
const memrace = require("../memrace.js");

const options = JSON.parse(process.argv[2] ?? "{}");

class Store {
  sessions = new Map();

  constructor(path) {
    this.path = path;
  }

  of(session) { // as its README does: one Keyv and one adapter for each namespace
    if (!this.sessions.has(session)) {
      const store = new KeyvSqlite({ uri: `sqlite://${this.path}`, busyTimeout: 10_000 });
      const keyv = new Keyv({ store, namespace: session, ...options });
      keyv.on("error", (e) => console.error(`${e}`));
      this.sessions.set(session, keyv);
    }
    return this.sessions.get(session);
  }

  async upsert(session, key, value) {
    if (!await this.of(session).set(key, value)) throw new Error("set returned false");
  }

  get(session, key) {
    return this.of(session).get(key);
  }

  async delete(session, key) {
    await this.of(session).delete(key);
  }

  clear(session) {
    return this.of(session).clear();
  }

  async close() {
    await Promise.all([...this.sessions.values()].map((keyv) => keyv.disconnect()));
  }
}

memrace.serve((path) => new Store(path));
