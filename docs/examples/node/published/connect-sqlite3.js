"use strict";
// connect-sqlite3: the session store of Express. A slot is a session of it.
const { basename, dirname } = require("node:path");
const { promisify } = require("node:util");
const SQLiteStore = require("connect-sqlite3")(require("express-session"));
const memrace = require("../memrace.js");

class Store {
  constructor(path) {
    this.store = new SQLiteStore({ dir: dirname(path), db: basename(path), concurrentDb: true });
    for (const name of ["get", "set", "destroy"]) {
      this[`_${name}`] = promisify(this.store[name]).bind(this.store);
    }
  }

  upsert(session, key, value) {
    return this._set(JSON.stringify([session, key]), { cookie: {}, value });
  }

  async get(session, key) {
    return (await this._get(JSON.stringify([session, key])))?.value;
  }

  delete(session, key) {
    return this._destroy(JSON.stringify([session, key]));
  }

  close() {
    return new Promise((resolve) => this.store.db.close(resolve));
  }
}

memrace.serve((path) => new Store(path));
