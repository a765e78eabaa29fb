-- right-pool.sql but for 1 line: the two statements of an update are in no transaction.

-- pragma: journal_mode=wal
-- pragma: synchronous=off
-- pragma: busy_timeout=5000
-- pool: writers=4

-- schema:
CREATE TABLE IF NOT EXISTS memories (
  session_id TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (session_id, key)
) STRICT;

-- name: upsert
INSERT INTO memories (session_id, key, value) VALUES (:session, :key, :value)
ON CONFLICT DO UPDATE SET value = excluded.value;

-- name: get
SELECT value FROM memories WHERE session_id = :session AND key = :key;

-- name: delete
DELETE FROM memories WHERE session_id = :session AND key = :key;

-- name: update
-- tx: none
SELECT value AS old FROM memories WHERE session_id = :session AND key = :key;
INSERT INTO memories (session_id, key, value) VALUES (:session, :key, :value)
ON CONFLICT DO UPDATE SET value = excluded.value;

-- name: dump
SELECT session_id, key, value FROM memories;
