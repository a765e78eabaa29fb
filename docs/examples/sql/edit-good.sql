-- An update that reads a value, has the caller change it, and writes it.
-- edit-good.sql does so in one transaction, edit-bad.sql in none.

-- pragma: journal_mode=wal
-- pragma: synchronous=normal
-- pragma: busy_timeout=10000
-- pool: writers=4

-- schema:
CREATE TABLE IF NOT EXISTS memories (
  session_id TEXT NOT NULL,
  key        TEXT NOT NULL,
  value      TEXT NOT NULL,
  PRIMARY KEY (session_id, key)
) STRICT;

-- name: update
-- tx: immediate
SELECT value AS old FROM memories WHERE session_id = :session AND key = :key;
INSERT INTO memories (session_id, key, value)
VALUES (:session, :key, :value)
ON CONFLICT (session_id, key) DO UPDATE SET value = excluded.value;

-- name: upsert
INSERT INTO memories (session_id, key, value)
VALUES (:session, :key, :value)
ON CONFLICT (session_id, key) DO UPDATE SET value = excluded.value;

-- name: get
SELECT value FROM memories WHERE session_id = :session AND key = :key;

-- name: delete
DELETE FROM memories WHERE session_id = :session AND key = :key;

-- name: dump
SELECT session_id, key, value FROM memories;
