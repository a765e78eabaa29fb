-- An agent's memory whose operations are several statements, each time in one transaction, so
-- that the table of memories needs no key.

-- database: memory

-- schema:
CREATE TABLE IF NOT EXISTS memories (
  session_id TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS items (
  session_id TEXT NOT NULL,
  n INTEGER NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (session_id, n)
) STRICT;

-- name: upsert
-- tx: immediate
UPDATE memories SET value = :value, updated_at = :now
WHERE session_id = :session AND key = :key;
-- unless: :changed
INSERT INTO memories (session_id, key, value, updated_at) VALUES (:session, :key, :value, :now);

-- name: get
SELECT value FROM memories WHERE session_id = :session AND key = :key;

-- name: delete
DELETE FROM memories WHERE session_id = :session AND key = :key;

-- name: update
-- tx: immediate
SELECT value AS old FROM memories WHERE session_id = :session AND key = :key;
UPDATE memories SET value = :value, updated_at = :now
WHERE session_id = :session AND key = :key;
-- unless: :changed
INSERT INTO memories (session_id, key, value, updated_at) VALUES (:session, :key, :value, :now);

-- name: take
-- tx: immediate
SELECT value FROM memories WHERE session_id = :session AND key = :key;
-- if: :found
DELETE FROM memories
WHERE session_id = :session AND key = :key;

-- name: append
-- tx: immediate
SELECT count(*) + 1 AS next FROM items WHERE session_id = :session;
INSERT OR REPLACE INTO items (session_id, n, value) VALUES (:session, :next, :value);

-- name: items
SELECT value FROM items WHERE session_id = :session ORDER BY n;

-- name: dump
SELECT session_id, key, value, updated_at FROM memories;
