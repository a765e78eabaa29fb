// Package langchaingo makes stores for memrace out of the chat history that langchaingo keeps in
// SQLite: as lists of messages, and as registers, by replacing all messages of a session with one.
package langchaingo

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/memory/sqlite3"

	"memrace/store"
)

// Config says how the history is used; its zero value is the default of langchaingo but for a file.
type Config struct {
	// Address is of the database; empty: a file in the store's directory.
	Address string
	// Connections is how many the pool has at most; 0 means no limit, as in database/sql.
	Connections int
	// AddOnly makes an upsert a further message, of which the last one counts, rather than replace
	// all messages by SetMessages. The limit of a history is 1000 messages.
	AddOnly bool
	// SetNothing deletes by SetMessages(nil) rather than by Clear.
	SetNothing bool
}

// Open is a store.Opener with the settings of c. Every session shares one pool.
func (c Config) Open(_ context.Context, dir string) (store.Store, error) {
	address := c.Address
	if address == "" {
		address = filepath.Join(dir, "chats.db")
	}
	db, err := sql.Open("sqlite3", address)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", address, err)
	}
	db.SetMaxOpenConns(c.Connections)
	return &histories{db: db, config: c, open: map[string]*sqlite3.SqliteChatMessageHistory{}}, nil
}

// histories keeps one history for each session.
type histories struct {
	db     *sql.DB
	config Config
	mu     sync.Mutex
	open   map[string]*sqlite3.SqliteChatMessageHistory
}

// of returns the history of a session, whose constructor panics if it cannot make the table.
func (h *histories) of(session string) (history *sqlite3.SqliteChatMessageHistory, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: new history: %v", store.ErrNotApplied, p)
		}
	}()
	if h.open[session] == nil {
		h.open[session] = sqlite3.NewSqliteChatMessageHistory(
			sqlite3.WithDB(h.db), sqlite3.WithSession(session), sqlite3.WithOverwrite())
	}
	return h.open[session], nil
}

// Append implements store.Appender.
func (h *histories) Append(ctx context.Context, session, item string) error {
	history, err := h.of("chat " + session)
	if err != nil {
		return err
	}
	return history.AddUserMessage(ctx, item)
}

// Items implements store.Appender.
func (h *histories) Items(ctx context.Context, session string) ([]string, error) {
	history, err := h.of("chat " + session)
	if err != nil {
		return nil, err
	}
	messages, err := history.Messages(ctx)
	items := make([]string, len(messages))
	for i, m := range messages {
		items[i] = m.GetContent()
	}
	return items, err
}

// slot is the session of langchaingo that stands for a slot.
func slot(session, key string) string { return strconv.Quote(session) + strconv.Quote(key) }

// Upsert implements store.Store: the value is the last message, and unless AddOnly the only one.
func (h *histories) Upsert(ctx context.Context, session, key, value string) (time.Time, error) {
	history, err := h.of(slot(session, key))
	if err != nil {
		return time.Time{}, err
	}
	message := llms.HumanChatMessage{Content: value}
	if h.config.AddOnly {
		return time.Time{}, history.AddMessage(ctx, message)
	}
	return time.Time{}, history.SetMessages(ctx, []llms.ChatMessage{message})
}

// Get implements store.Store.
func (h *histories) Get(ctx context.Context, session, key string) (string, bool, error) {
	history, err := h.of(slot(session, key))
	if err != nil {
		return "", false, err
	}
	messages, err := history.Messages(ctx)
	if err != nil || len(messages) == 0 {
		return "", false, err
	}
	return messages[len(messages)-1].GetContent(), true, nil
}

// Delete implements store.Store.
func (h *histories) Delete(ctx context.Context, session, key string) error {
	history, err := h.of(slot(session, key))
	switch {
	case err != nil:
		return err
	case h.config.SetNothing:
		return history.SetMessages(ctx, nil)
	default:
		return history.Clear(ctx)
	}
}

// Close implements store.Store.
func (h *histories) Close() error { return h.db.Close() }
