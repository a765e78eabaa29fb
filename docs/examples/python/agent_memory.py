"""An agent's memory in SQLite, as it is often published, and two others made from it:

plain      one connection that all threads use
locked     the same, one thread at a time
forgetful  locked, but the get forgets the session
"""
import sqlite3
import sys
import threading

import memrace


class AgentMemory:
    GET = "SELECT value FROM memories WHERE session_id = :session AND key = :key"

    def __init__(self, path):
        self.db = sqlite3.connect(path, check_same_thread=False)
        self.db.execute("""CREATE TABLE IF NOT EXISTS memories (
            session_id TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
            updated_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, PRIMARY KEY (session_id, key))""")
        self.db.commit()

    def upsert(self, session, key, value):
        self.db.execute("""INSERT INTO memories (session_id, key, value) VALUES (?, ?, ?)
            ON CONFLICT (session_id, key) DO UPDATE
            SET value = excluded.value, updated_at = CURRENT_TIMESTAMP""", (session, key, value))
        self.db.commit()

    def get(self, session, key):
        row = self.db.execute(self.GET, {"session": session, "key": key}).fetchone()
        return row[0] if row else None

    def delete(self, session, key):
        self.db.execute("DELETE FROM memories WHERE session_id = ? AND key = ?", (session, key))
        self.db.commit()

    def take(self, session, key):
        value = self.get(session, key)
        if value is not None:
            self.delete(session, key)
        return value

    def update(self, session, key, change):
        self.upsert(session, key, change(self.get(session, key)))

    def dump(self):
        return self.db.execute("SELECT session_id, key, value FROM memories").fetchall()

    def close(self):
        self.db.close()


def alone(method):
    def call(self, *args):
        with self.lock:
            return method(self, *args)
    return call


class Locked(AgentMemory):
    def __init__(self, path):
        super().__init__(path)
        self.lock = threading.RLock()

    upsert, get = alone(AgentMemory.upsert), alone(AgentMemory.get)
    delete, take = alone(AgentMemory.delete), alone(AgentMemory.take)
    update, dump = alone(AgentMemory.update), alone(AgentMemory.dump)


class Forgetful(Locked):
    GET = "SELECT value FROM memories WHERE key = :key"


if __name__ == "__main__":
    forms = {"plain": AgentMemory, "locked": Locked, "forgetful": Forgetful}
    memrace.serve(forms[sys.argv[1] if len(sys.argv) > 1 else "plain"])
