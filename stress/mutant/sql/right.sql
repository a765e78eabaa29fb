-- An agent's memory in one connection, and nothing wrong with it. The mutants beside it that name
-- it in their first line differ from it by as many lines as they say there.

-- database: memory

-- schema:
CREATE TABLE IF NOT EXISTS memories (
  session_id TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (session_id, key)
) STRICT;
CREATE TABLE IF NOT EXISTS items (
  session_id TEXT NOT NULL,
  n INTEGER NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (session_id, n)
) STRICT;

-- name: upsert
INSERT INTO memories (session_id, key, value, updated_at)
VALUES (:session, :key, :value, :now)
ON CONFLICT DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at;

-- name: get
SELECT value FROM memories
WHERE session_id = :session AND key = :key;

-- name: delete
DELETE FROM memories WHERE session_id = :session AND key = :key;

-- name: update
-- tx: immediate
SELECT value AS old FROM memories WHERE session_id = :session AND key = :key;
INSERT INTO memories (session_id, key, value, updated_at)
VALUES (:session, :key, :value, :now)
ON CONFLICT DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at;

-- name: take
DELETE FROM memories WHERE session_id = :session AND key = :key RETURNING value;

-- name: list
SELECT key, value FROM memories WHERE session_id = :session;

-- name: clear
DELETE FROM memories WHERE session_id = :session;

-- name: append
INSERT INTO items (session_id, n, value)
SELECT :session, coalesce(max(n), 0) + 1, :value FROM items WHERE session_id = :session;

-- name: items
SELECT value FROM items WHERE session_id = :session
ORDER BY n;

-- name: dump
SELECT session_id, key, value, updated_at FROM memories;
