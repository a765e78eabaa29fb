-- An agent's memory whose upserts delete the row and insert it anew, in one transaction.

-- database: memory

-- schema:
CREATE TABLE IF NOT EXISTS memories (
  session_id TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (session_id, key)
) STRICT;

-- name: upsert
-- tx: immediate
DELETE FROM memories WHERE session_id = :session AND key = :key;
INSERT OR REPLACE INTO memories (session_id, key, value) VALUES (:session, :key, :value);

-- name: get
SELECT value FROM memories WHERE session_id = :session AND key = :key;

-- name: delete
DELETE FROM memories WHERE session_id = :session AND key = :key;

-- name: dump
SELECT session_id, key, value FROM memories;
