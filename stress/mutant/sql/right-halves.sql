-- An agent's memory that keeps a value in two parts, and writes them in one transaction.

-- database: memory

-- schema:
CREATE TABLE IF NOT EXISTS memories (
  session_id TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  tail TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (session_id, key)
) STRICT;

-- name: upsert
-- tx: immediate
INSERT INTO memories (session_id, key, value)
VALUES (:session, :key, substr(:value, 1, length(:value) / 2))
ON CONFLICT DO UPDATE SET value = excluded.value;
UPDATE memories SET tail = substr(:value, length(:value) / 2 + 1)
WHERE session_id = :session AND key = :key;

-- name: get
SELECT value || tail FROM memories WHERE session_id = :session AND key = :key;

-- name: delete
DELETE FROM memories WHERE session_id = :session AND key = :key;

-- name: dump
SELECT session_id, key, value || tail FROM memories;
