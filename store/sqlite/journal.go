package sqlite

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"memrace/store"
)

// TransactionNumber is the SQL function that the triggers of a journal call. Only connections of a
// variant with Commits have it, so that nobody else can change a memory and leave no note.
const TransactionNumber = "transaction_number"

// NextNumber is the SQL function after which TransactionNumber returns another number, within the
// same transaction.
const NextNumber = "next_transaction_number"

// Numbers numbers the transactions of one connection: a driver makes SQL functions of two of its
// methods and calls the third. The zero Numbers are ready to use, by one goroutine.
type Numbers struct {
	now int64 // 0 if no transaction is open that has one
}

// Transaction is the SQL function TransactionNumber: it returns what it was given at its first call
// in the transaction that is open, or since Next.
func (n *Numbers) Transaction(first int64) int64 {
	n.now = cmp.Or(n.now, first)
	return n.now
}

// Next is the SQL function NextNumber.
func (n *Numbers) Next() int64 {
	n.now = 0
	return 0
}

// End is to be called at the end of each transaction. A driver may call it at a COMMIT that is then
// refused as busy: whoever goes on writing before another COMMIT gets a second number.
func (n *Numbers) End() { n.now = 0 }

// journalTrigger is a name by which a database that keeps a journal is known.
const journalTrigger = "journal_INSERT"

// journalSchema notes each change of a memory within the transaction that makes it: who writes
// holds the only lock to write until the commit, so the order of the rows is that of the commits,
// and what is rolled back leaves no row. A transaction is numbered as its first row, which no
// other one has. Rows are never deleted, so that no number comes again. ON CONFLICT DO UPDATE sets
// off the trigger of the update. The columns take any type, as those of somebody's own table may.
var journalSchema = `CREATE TABLE IF NOT EXISTS journal (
  n INTEGER PRIMARY KEY,
  tx INTEGER NOT NULL,
  session_id ANY,
  key ANY,
  value ANY
) STRICT` +
	noting("INSERT", "new.session_id, new.key, new.value") +
	noting("UPDATE", "new.session_id, new.key, new.value") +
	noting("DELETE", "old.session_id, old.key, NULL")

// noting returns a trigger that notes what an event leaves in a slot.
func noting(event, left string) string {
	return fmt.Sprintf(`;
CREATE TRIGGER IF NOT EXISTS journal_%[1]s AFTER %[1]s ON memories BEGIN
  INSERT INTO journal (tx, session_id, key, value)
  SELECT %[2]s(coalesce(max(n), 0) + 1), %[3]s FROM journal;
END`, event, TransactionNumber, left)
}

// checkJournal refuses to begin a journal where there are memories that it knows nothing of.
func (s *Store) checkJournal(ctx context.Context, raw RawConn) error {
	if !s.connector.variant.Commits {
		return nil
	}
	late, err := queryText(ctx, raw,
		"SELECT EXISTS (SELECT 1 FROM memories) AND NOT EXISTS (SELECT 1 FROM journal)")
	if err != nil {
		return fmt.Errorf("look at the journal: %w", err)
	}
	if late != "0" {
		return errors.New("the file has memories and no journal of how they came about; open it " +
			"with commits=off, or give commits=on a directory of its own")
	}
	return nil
}

// renumber has the next call of a batch numbered as a transaction of its own. They share a commit,
// but not an instant: one may overwrite what another one wrote, and the order of both is known.
func (c *conn) renumber() error {
	if c.number == nil {
		return nil
	}
	return c.exec(context.Background(), c.number)
}

// Commits returns every change of a slot in the order of the commits, as of one instant, if the
// variant keeps a journal of them. An upsert, an update and a take that found something are one
// change each, as is a delete; a clear is one for each slot, all of one transaction. A delete of
// nothing is none. Of a slot whose value is NULL, which only a table of one's own can hold, it is
// said that it was deleted.
func (s *Store) Commits(ctx context.Context) (commits []store.Commit, kept bool, err error) {
	if !s.connector.variant.Commits {
		return nil, false, nil
	}
	err = s.reading(ctx, "commits", func(c *conn) error {
		rows, err := c.raw.QueryContext(ctx,
			"SELECT tx, session_id, key, value FROM journal ORDER BY n", nil)
		if err != nil {
			return err
		}
		var cols [4]driver.Value
		return eachRow(rows, cols[:], func() error {
			commit, err := asCommit(cols)
			commits = append(commits, commit)
			return err
		})
	})
	if err != nil {
		return nil, true, err
	}
	return commits, true, nil
}

// asCommit reads one row of a journal.
func asCommit(cols [4]driver.Value) (c store.Commit, err error) {
	c.Transaction, _ = cols[0].(int64)
	if c.Session, err = asText(cols[1]); err != nil {
		return store.Commit{}, fmt.Errorf("session: %w", err)
	}
	if c.Key, err = asText(cols[2]); err != nil {
		return store.Commit{}, fmt.Errorf("key: %w", err)
	}
	if c.Deleted = cols[3] == nil; c.Deleted {
		return c, nil
	}
	c.Value, err = asText(cols[3])
	return c, err
}
