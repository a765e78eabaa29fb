"use strict";
// An agent's memory in SQLite, and three others made from it:
//
// correct    one statement a call
// forgetful  the get forgets the session
// awaiting   a message is added to what was read before an await
// queued     the same, one after the other
const Database = require("better-sqlite3");
const { setImmediate } = require("node:timers/promises");
const memrace = require("./memrace.js");

class AgentMemory {
  GET = "SELECT value FROM memories WHERE session_id = :session AND key = :key";

  constructor(path) {
    this.db = new Database(path);
    this.db.pragma("journal_mode = wal");
    this.db.exec(`
      CREATE TABLE IF NOT EXISTS memories (session_id TEXT NOT NULL, key TEXT NOT NULL,
        value TEXT NOT NULL, PRIMARY KEY (session_id, key)) STRICT;
      CREATE TABLE IF NOT EXISTS chats (session_id TEXT PRIMARY KEY, messages TEXT NOT NULL) STRICT`);
  }

  upsert(session, key, value) {
    this.db.prepare(`INSERT INTO memories VALUES (?, ?, ?)
      ON CONFLICT (session_id, key) DO UPDATE SET value = excluded.value`).run(session, key, value);
  }

  get(session, key) {
    return this.db.prepare(this.GET).get({ session, key })?.value;
  }

  delete(session, key) {
    this.db.prepare("DELETE FROM memories WHERE session_id = ? AND key = ?").run(session, key);
  }

  append(session, message) {
    this.db.prepare(`INSERT INTO chats VALUES (:session, json_array(:message)) ON CONFLICT DO UPDATE
      SET messages = json_insert(messages, '$[#]', :message)`).run({ session, message });
  }

  items(session) {
    const row = this.db.prepare("SELECT messages FROM chats WHERE session_id = ?").get(session);
    return row ? JSON.parse(row.messages) : [];
  }

  close() {
    this.db.close();
  }
}

class Forgetful extends AgentMemory {
  GET = "SELECT value FROM memories WHERE key = :key";

  get(session, key) {
    return this.db.prepare(this.GET).get({ key })?.value;
  }
}

class Awaiting extends AgentMemory {
  async append(session, message) {
    const messages = this.items(session);
    await setImmediate(); // where an agent asks a model for a summary, or an embedding
    messages.push(message);
    this.db.prepare("REPLACE INTO chats VALUES (?, ?)").run(session, JSON.stringify(messages));
  }
}

class Queued extends Awaiting {
  last = Promise.resolve();

  append(session, message) {
    const added = this.last.then(() => super.append(session, message));
    this.last = added.catch(() => {}); // whoever appended hears of it
    return added;
  }
}

const forms = {
  correct: AgentMemory, forgetful: Forgetful, awaiting: Awaiting, queued: Queued,
};
const form = forms[process.argv[2] ?? "correct"];
if (!form) throw new Error(`no form is called ${process.argv[2]}; there are ${Object.keys(forms)}`);
memrace.serve((path) => new form(path));
