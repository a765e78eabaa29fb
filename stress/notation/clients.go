package notation

import "memrace/stress/history"

// clients gives client numbers to processes. A process that crashed and goes on is another client
// from then on, whose number is known only when all processes are.
type clients struct {
	h *history.History
	// lives are what operations have for a client until finish.
	lives []life
	// current is the life of each process; crashed holds the processes whose life is over.
	current map[uint64]history.Client
	dead    map[uint64]bool
	// named is true if some client was named by a :client of its own.
	named bool
}

// life is the time of a process from its start, or a crash, to a crash.
type life struct {
	client history.Client
	again  bool // after a crash: the client's number is still to be found
}

func newClients(h *history.History) *clients {
	return &clients{h: h, current: make(map[uint64]history.Client), dead: make(map[uint64]bool)}
}

// caller returns the life that a call belongs to.
func (c *clients) caller(e event, process uint64, op *history.Op) (history.Client, error) {
	l := life{client: history.Client(process), again: c.dead[process]}
	if e.client.form != nothing {
		client, err := history.ParseClient(e.client.name())
		if err != nil {
			return 0, faultf(e.line, "%v", err)
		}
		if !client.Numbered() && !onlyReads(op) {
			return 0, faultf(e.line, "%v by %v, which only reads; want read, list or items",
				op.Act(), client)
		}
		c.named = true
		l = life{client: client}
	} else if now, alive := c.current[process]; alive {
		return now, nil
	}
	c.lives = append(c.lives, l)
	number := history.Client(len(c.lives) - 1)
	if e.client.form == nothing {
		c.current[process] = number
	}
	return number, nil
}

// crashed ends the life of a process.
func (c *clients) crashed(process uint64) {
	if _, alive := c.current[process]; alive {
		delete(c.current, process)
		c.dead[process] = true
	}
}

// finish gives each operation its client.
func (c *clients) finish() error {
	free := newFree()
	for _, l := range c.lives {
		if !l.again {
			free.use(l.client)
		}
	}
	for i := range c.lives {
		if l := &c.lives[i]; l.again {
			l.client = free.next()
		}
	}
	for i := range c.h.Ops {
		op := &c.h.Ops[i]
		op.Client = c.lives[op.Client].client
	}
	if c.named {
		return c.checkNamed()
	}
	return nil
}

// checkNamed refuses a client that is called under two processes at once.
func (c *clients) checkNamed() error {
	last := make(map[history.Client]int)
	for i, op := range c.h.Ops {
		before, called := last[op.Client]
		last[op.Client] = i
		if !called || !op.Client.Numbered() {
			continue
		}
		b := c.h.Ops[before]
		if before == i-1 && c.h.Continues(i) {
			continue
		}
		if b.Outcome == history.Unknown && !onlyReads(&b) ||
			b.Outcome != history.Unknown && b.Return > op.Call {
			return faultf(int(c.h.Lines[i]), "%v is called, although its %v of line %d is still "+
				"under way; want one call after the other", op.Client, b.Act(), c.h.Lines[before])
		}
	}
	return nil
}

func onlyReads(op *history.Op) bool {
	return op.Kind == history.Get || op.Kind == history.Items
}

// maxClient is the highest number of a client.
const maxClient = 1<<31 - 1

// free finds numbers of clients that nobody has.
type free struct {
	used map[history.Client]bool
	at   history.Client
}

func newFree() *free { return &free{used: make(map[history.Client]bool)} }

func (f *free) use(c history.Client) {
	if !c.Numbered() {
		return
	}
	f.used[c] = true
	f.at = max(f.at, c+1)
}

// next returns a number above all that are used, or, if there is none, the lowest that is free.
func (f *free) next() history.Client {
	for f.at > maxClient || f.used[f.at] {
		if f.at++; f.at > maxClient {
			f.at = 0
		}
	}
	f.used[f.at] = true
	f.at++
	return f.at - 1
}
