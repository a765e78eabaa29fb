package bench

import (
	"context"
	"fmt"
	"time"

	"memrace/store"
	"memrace/stress/fault"
	"memrace/stress/workload"
)

// Subject is a store that is measured. Its texts become parts of the names of lines.
type Subject struct {
	// Store is the name of the store, without what Sync says.
	Store string
	// Driver is the name of the driver; empty where there is none, or it is not known.
	Driver string
	// Sync is how hard a commit is pressed onto the disk; empty where that is not known. It is part
	// of the name of a line only if SyncNamed says so: a setting that goes with the store would
	// keep the lines of stores from standing side by side.
	Sync      string
	SyncNamed bool
	// Open opens the store.
	Open store.Opener
	// Play makes a turn in place of Open, as Program does; nil for a store that can be opened.
	Play func(ctx context.Context, dir string, l Load, c Config) (*Turn, error)
	// Outside is true for a store in another process, whose processor time and memory are not
	// those of this one.
	Outside bool
}

// Load is what is done to a store in one turn. The zero Load is not valid.
type Load struct {
	// Mix is how often each kind of operation comes.
	Mix workload.Mix
	// Clients is how many clients there are. Each calls the store as soon as its call before has
	// returned, or with a Rate once an operation is due.
	Clients int
	// Rate is how many operations are due in a second, whether or not those before have returned.
	// 0 means a closed loop.
	Rate int
}

// Config says how Run measures; of its fields only Seed and Faults may be zero.
type Config struct {
	// Rounds is how many turns each store has with each load.
	Rounds int
	// WarmUp is for how long a load is on before anything is measured, For how long it then is.
	WarmUp, For time.Duration
	// Sessions and Keys are how many slots there are, all of which have a value when a turn begins;
	// ValueSize is the length of a value in bytes.
	Sessions, Keys, ValueSize int
	// Seed is where the choices of the clients start.
	Seed uint64
	// Faults are done to each store, from when its slots are filled to the end of the turn. The
	// zero Faults are none; those that end a store make no sense here.
	Faults fault.Faults
}

// The limits of a Config and a Load, so that a slip of the finger is an error.
const (
	maxRounds = 100
	maxTime   = time.Hour
	maxRate   = 10_000_000
	// maxDue is how many operations may be due in one turn: their times are kept.
	maxDue = 50_000_000
	// maxClients is how many histograms of each kind there may be.
	maxClients = 2048
)

// Validate returns an error that names what is out of range.
func (c Config) Validate() error {
	switch {
	case c.Rounds < 1 || c.Rounds > maxRounds:
		return fmt.Errorf("%d rounds: there can be 1 to %d", c.Rounds, maxRounds)
	case c.For <= 0 || c.For > maxTime:
		return fmt.Errorf("a turn of %v: it can be up to %v", c.For, maxTime)
	case c.WarmUp < 0 || c.WarmUp > maxTime:
		return fmt.Errorf("a warm-up of %v: it can be 0s to %v", c.WarmUp, maxTime)
	case c.Faults.Mortal():
		return fmt.Errorf("%v: a store that ends cannot be measured", c.Faults)
	}
	return c.Faults.Validate()
}

// Validate returns an error that names what is out of range in the load, or in both together.
func (l Load) Validate(c Config) error {
	switch due := float64(l.Rate) * (c.WarmUp + c.For).Seconds(); {
	case l.Clients < 1 || l.Clients > maxClients:
		return fmt.Errorf("%d clients: there can be 1 to %d", l.Clients, maxClients)
	case l.Rate < 0 || l.Rate > maxRate:
		return fmt.Errorf("a rate of %d/s: it can be 1 to %d", l.Rate, maxRate)
	case due > maxDue:
		return fmt.Errorf("a rate of %d/s: %.0f operations in one turn are more than %d; "+
			"shorten it", l.Rate, due, maxDue)
	}
	_, err := l.plan(c)
	return err
}

// plan returns the steps of the clients.
func (l Load) plan(c Config) (*workload.Plan, error) {
	return workload.New(workload.Spec{Profile: "uniform", Seed: c.Seed, Clients: l.Clients,
		Sessions: c.Sessions, Keys: c.Keys, Mix: l.Mix, ValueSize: c.ValueSize})
}
