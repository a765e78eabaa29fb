"use strict";
// node-persist: a file for each key. A session and a key are one name, as a JSON list.
const { dirname, join } = require("node:path");
const memrace = require("../memrace.js");

class Store {
  constructor(storage) {
    this.storage = storage;
  }

  async upsert(session, key, value) {
    await this.storage.setItem(JSON.stringify([session, key]), value);
  }

  get(session, key) {
    return this.storage.getItem(JSON.stringify([session, key]));
  }

  async delete(session, key) {
    await this.storage.removeItem(JSON.stringify([session, key]));
  }

  close() {
    this.storage.stopExpiredKeysInterval();
    this.storage.stopWriteQueueInterval();
  }
}

memrace.serve(async (path) => {
  const storage = require("node-persist").create({ dir: join(dirname(path), "storage") });
  await storage.init(JSON.parse(process.argv[2] ?? "{}")); // options of its own
  return new Store(storage);
});
