package history

import (
	"fmt"
	"strconv"
)

var kindNames = [kinds]string{"upsert", "get", "delete", "update", "take", "append", "add", "items"}

// String returns the name of the kind: upsert, get, delete, update, take, append, add or items.
func (k Kind) String() string {
	if k < kinds {
		return kindNames[k]
	}
	return "kind(" + strconv.Itoa(int(k)) + ")"
}

// Reads reports whether an operation of the kind returns a value: Get, Take, Update and Items do.
func (k Kind) Reads() bool { return k == Get || k == Take || k == Update || k == Items }

// Writes reports whether an operation of the kind leaves a value of its own: Upsert, Update, Append
// and Add do.
func (k Kind) Writes() bool { return k == Upsert || k == Update || k == Append || k == Add }

// onlyReads reports whether an operation of the kind changes nothing.
func (k Kind) onlyReads() bool { return k == Get || k == Items }

// String returns the outcome as a history file has it: ok, not-applied or unknown.
func (o Outcome) String() string {
	switch o {
	case Unknown:
		return "unknown"
	case OK:
		return "ok"
	case NotApplied:
		return "not-applied"
	}
	return "outcome(" + strconv.Itoa(int(o)) + ")"
}

// ParseOutcome is the counterpart of Outcome.String.
func ParseOutcome(name string) (Outcome, error) {
	if o, ok := outcomeNamed(name); ok {
		return o, nil
	}
	return 0, fmt.Errorf("unknown outcome %q; want ok, not-applied or unknown", name)
}

func outcomeNamed(name string) (Outcome, bool) {
	switch name {
	case "ok":
		return OK, true
	case "not-applied":
		return NotApplied, true
	case "unknown":
		return Unknown, true
	}
	return 0, false
}

// String returns the client as a history file has it: c3, or final, dump or reopen.
func (c Client) String() string { return string(c.append(nil)) }

func (c Client) append(dst []byte) []byte {
	switch c {
	case Final:
		return append(dst, "final"...)
	case Dumped:
		return append(dst, "dump"...)
	case Reopened:
		return append(dst, "reopen"...)
	}
	return strconv.AppendUint(append(dst, 'c'), uint64(c), 10)
}

// Numbered reports whether c is a client of the workload, numbered from c0, rather than one of
// Final, Dumped and Reopened.
func (c Client) Numbered() bool { return c < Reopened }

// ParseClient is the counterpart of Client.String. The highest number is 1<<31 - 1.
func ParseClient(name string) (Client, error) {
	if c, ok := clientNamed(name); ok {
		return c, nil
	}
	return 0, fmt.Errorf("unknown client %q; "+clientRemedy, name)
}

const clientRemedy = "want c0 to c2147483647, final, dump or reopen"

func clientNamed(name string) (Client, bool) {
	switch name {
	case "final":
		return Final, true
	case "dump":
		return Dumped, true
	case "reopen":
		return Reopened, true
	}
	if name == "" || name[0] != 'c' {
		return 0, false
	}
	n, end := number(name, 1, maxClient)
	return Client(n), end == len(name)
}

// number reads a decimal number of at most limit from text[at:], without sign or needless zero.
// It returns the index behind it, or -1 if there is none.
func number[T string | []byte](text T, at int, limit uint64) (n uint64, end int) {
	for end = at; end < len(text) && text[end]-'0' <= 9; end++ {
		digit := uint64(text[end] - '0')
		if n > (limit-digit)/10 {
			return 0, -1
		}
		n = n*10 + digit
	}
	if end == at || text[at] == '0' && end > at+1 {
		return 0, -1
	}
	return n, end
}
