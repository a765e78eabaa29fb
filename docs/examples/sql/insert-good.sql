-- An upsert that looks whether there is a row, and then changes that or inserts one. The table has
-- no key that would stop a second row. insert-good.sql does so in one transaction, insert-bad.sql
-- in none.

-- pragma: journal_mode=wal
-- pragma: synchronous=normal
-- pragma: busy_timeout=10000
-- pool: writers=4

-- schema:
CREATE TABLE IF NOT EXISTS memories (
  session_id TEXT NOT NULL,
  key        TEXT NOT NULL,
  value      TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS memories_by_slot ON memories (session_id, key);

-- name: upsert
-- tx: immediate
SELECT 1 FROM memories WHERE session_id = :session AND key = :key;
-- if: :found
UPDATE memories SET value = :value WHERE session_id = :session AND key = :key;
-- unless: :found
INSERT INTO memories (session_id, key, value) VALUES (:session, :key, :value);

-- name: get
SELECT value FROM memories WHERE session_id = :session AND key = :key;

-- name: delete
DELETE FROM memories WHERE session_id = :session AND key = :key;

-- name: dump
SELECT session_id, key, value FROM memories;
