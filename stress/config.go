package stress

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"memrace/stress/fault"
	"memrace/stress/workers"
	"memrace/stress/workload"
)

// Config says which workload a store gets. It is plain data: comparable, printable, and useful
// as it is, since a zero field takes its default.
type Config struct {
	// Store is how the store is called in files and messages; empty: as it describes itself.
	Store string
	// Profile names the workload; empty means "uniform". See workload.Profiles.
	Profile string
	// Seed is where the choices start; 0 draws one from the clock, and Result.Config has it.
	Seed uint64
	// Clients is how many clients call the store at once; 0 means what the profile says.
	Clients int
	// Sessions and Keys are how many sessions there are and how many keys each of them has;
	// 0 means what the profile says.
	Sessions, Keys int
	// Mix is how often each kind of operation comes; its zero value means what the profile says.
	Mix workload.Mix
	// ValueSize is the length of a value in bytes; 0 means what the profile says.
	ValueSize int
	// Bound is how many items a session of the store keeps, if it forgets the oldest by design; 0
	// means as many as the store says itself (store.Description), or all.
	Bound int
	// Think is how long a client thinks, in one of four updates, between what it sees and what it
	// writes in its place; 0 means what the profile says.
	Think time.Duration
	// Ops ends the run after so many operations of all clients together; 0 means no limit.
	Ops int
	// For ends the run after so much time, or once there are sixteen operations for each client if
	// that takes longer, but at ten times For at the latest. Where both Ops and For are 0, For is
	// one second.
	For time.Duration
	// CallTimeout is the deadline of each call; 0 gives calls a context that is never cancelled,
	// which spares most drivers a goroutine for each call.
	CallTimeout time.Duration
	// Stall is how long no client may get on before the run is given up; 0 means ten seconds, and
	// on top what Faults keep a call for. Opening and closing the store have the same time.
	Stall time.Duration
	// Faults are done to the store while clients use it. To be killed, or to lose power, it has
	// to be in a process of its own. Where Faults.Seed is 0, it is Seed. Faults of the disk are
	// for one run at a time, unless the store is in a process of its own.
	Faults fault.Faults
	// Volatile says that the store keeps nothing once it is closed, so that there is no use in
	// opening it again. A store.Describer can say so itself.
	Volatile bool
	// Keep keeps the history of a run in which everything holds as well.
	Keep bool
	// Repeat is the command that repeats the run, for a failure to show; empty means the command
	// line of memrace.
	Repeat string
}

// MaxTimed is how many operations end a run that has no other limit than the clock: a store that
// is fast, or refuses every call at once, would otherwise fill the memory.
const MaxTimed = 4_000_000

const (
	defaultFor   = time.Second
	defaultStall = 10 * time.Second
	// leastSteps is how many operations of each client make a run that proves something.
	leastSteps = 16
)

// WithDefaults returns the configuration with each zero field replaced by what it stands for.
// The error names the field that is out of range.
func (c Config) WithDefaults() (Config, error) {
	for _, d := range []struct {
		name  string
		value time.Duration
	}{{"for", c.For}, {"call timeout", c.CallTimeout}, {"stall", c.Stall}} {
		if d.value < 0 {
			return c, fmt.Errorf("%s is %v; it cannot be negative", d.name, d.value)
		}
	}
	if err := c.Faults.Validate(); err != nil {
		return c, err
	}
	if c.Stall != 0 && c.Stall <= c.Faults.Wait() {
		return c, fmt.Errorf("stall %v: %v may keep a call for %v; give it more than that, or none",
			c.Stall, c.Faults, c.Faults.Wait())
	}
	if c.Ops < 0 || c.Ops > workers.MaxOps {
		return c, fmt.Errorf("ops is %d; it can be 1 to %d", c.Ops, workers.MaxOps)
	}
	if c.Seed == 0 {
		c.Seed = uint64(time.Now().UnixNano())%1_000_000_000 + 1
	}
	if c.Ops == 0 && c.For == 0 {
		c.For = defaultFor
	}
	if c.Stall == 0 {
		c.Stall = defaultStall + c.Faults.Wait()
	}
	spec, err := c.spec().WithDefaults()
	if err != nil {
		return c, err
	}
	c.Profile, c.Clients, c.Sessions = spec.Profile, spec.Clients, spec.Sessions
	c.Keys, c.Mix, c.ValueSize, c.Think = spec.Keys, spec.Mix, spec.ValueSize, spec.Think
	return c, spec.Validate()
}

func (c Config) spec() workload.Spec {
	return workload.Spec{
		Profile: c.Profile, Seed: c.Seed, Clients: c.Clients,
		Sessions: c.Sessions, Keys: c.Keys, Mix: c.Mix, ValueSize: c.ValueSize, Think: c.Think,
		Bound: c.Bound,
	}
}

func (c Config) pace() workers.Config {
	ops := c.Ops
	if ops == 0 {
		ops = MaxTimed
	}
	return workers.Config{
		Ops: ops, For: c.For, Least: leastSteps * c.Clients,
		CallTimeout: c.CallTimeout, Stall: c.Stall,
	}
}

// Command returns the command line that runs this configuration again.
func (c Config) Command() string {
	if c.Repeat != "" {
		return c.Repeat
	}
	args := []string{"memrace", "stress", "--store", ShellWord(c.Store),
		"--profile", c.Profile, "--seed", strconv.FormatUint(c.Seed, 10),
		"--clients", strconv.Itoa(c.Clients), "--sessions", strconv.Itoa(c.Sessions),
		"--keys", strconv.Itoa(c.Keys), "--mix", c.Mix.String(),
		"--value-size", strconv.Itoa(c.ValueSize)}
	if !c.Faults.None() {
		args = append(args, "--fault", ShellWord(c.Faults.String()))
	}
	for _, n := range []struct {
		flag  string
		value int
	}{{"--ops", c.Ops}, {"--bound", c.Bound}} {
		if n.value > 0 {
			args = append(args, n.flag, strconv.Itoa(n.value))
		}
	}
	for _, d := range []struct {
		flag  string
		value time.Duration
	}{{"--think", c.Think}, {"--for", c.For}, {"--call-timeout", c.CallTimeout},
		{"--stall", c.stallGiven()}} {
		if d.value > 0 {
			args = append(args, d.flag, d.value.String())
		}
	}
	return strings.Join(args, " ")
}

// stallGiven returns Stall if it is not the default.
func (c Config) stallGiven() time.Duration {
	if c.Stall == defaultStall+c.Faults.Wait() {
		return 0
	}
	return c.Stall
}

// ShellWord returns s as one word of a command line: in quotes if a shell would take it apart.
func ShellWord(s string) string {
	plain := func(r rune) bool {
		return !strings.ContainsRune("/,=-_.:", r) && (r < '0' || r > '9') &&
			(r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}
	if s != "" && !strings.ContainsFunc(s, plain) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// environment lists the variables that override a configuration in tests.
var environment = []struct {
	name, want string
	// set reports whether the text makes sense.
	set func(*Config, string) bool
}{
	{"MEMRACE_SEED", "want a whole number from 1 to 18446744073709551615",
		func(c *Config, s string) (ok bool) {
			n, err := strconv.ParseUint(s, 10, 64)
			c.Seed = n
			return err == nil && n > 0
		}},
	{"MEMRACE_PROFILE", "", func(c *Config, s string) bool { c.Profile = s; return true }},
	{"MEMRACE_CLIENTS", "want a whole number from 1 on", func(c *Config, s string) bool {
		n, err := strconv.Atoi(s)
		c.Clients = n
		return err == nil && n > 0
	}},
	{"MEMRACE_OPS", "want a whole number from 1 on", func(c *Config, s string) bool {
		n, err := strconv.Atoi(s)
		c.Ops = n
		return err == nil && n > 0
	}},
	{"MEMRACE_FOR", "want a time with its unit, as in 500ms or 2s", func(c *Config, s string) bool {
		d, err := time.ParseDuration(s)
		c.For = d
		return err == nil && d > 0
	}},
}

// FromEnvironment returns the configuration with what the variables MEMRACE_SEED,
// MEMRACE_PROFILE, MEMRACE_CLIENTS, MEMRACE_OPS and MEMRACE_FOR say in place of its own.
// The error names the variable that makes no sense.
func FromEnvironment(c Config) (Config, error) {
	var set []string
	for _, v := range environment {
		text, ok := os.LookupEnv(v.name)
		if !ok || text == "" {
			continue
		}
		if !v.set(&c, text) {
			return c, fmt.Errorf("environment variable %s=%q: %s", v.name, text, v.want)
		}
		set = append(set, v.name)
	}
	if _, err := c.WithDefaults(); err != nil && len(set) > 0 {
		return c, fmt.Errorf("with the environment's %s: %w", strings.Join(set, ", "), err)
	}
	return c, nil
}
