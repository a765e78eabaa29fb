-- right-soft.sql but for 1 line: the upsert leaves the mark of a delete.

-- database: memory

-- schema:
CREATE TABLE IF NOT EXISTS memories (
  session_id TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  deleted INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (session_id, key)
) STRICT;

-- name: upsert
INSERT INTO memories (session_id, key, value) VALUES (:session, :key, :value)
ON CONFLICT DO UPDATE SET value = excluded.value;

-- name: get
SELECT value FROM memories WHERE session_id = :session AND key = :key AND NOT deleted;

-- name: delete
UPDATE memories SET deleted = 1 WHERE session_id = :session AND key = :key;

-- name: dump
SELECT session_id, key, value FROM memories WHERE NOT deleted;
