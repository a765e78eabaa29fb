package check

// String returns the state's name in lower case.
func (s State) String() string {
	switch s {
	case Skipped:
		return "skipped"
	case Holds:
		return "holds"
	case Undecided:
		return "undecided"
	case Violated:
		return "violated"
	}
	return "unknown"
}

// MarshalText returns the state's name, for JSON.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Meaning returns what the property promises, in one sentence; empty for an unknown property.
func (p Property) Meaning() string {
	switch p {
	case Progress:
		return "each kind of operation succeeds, no call hangs, and clients did overlap"
	case Isolation:
		return "a read returns what was written to its own session and key"
	case Integrity:
		return "a read returns, byte for byte, what some client wrote and was not refused"
	case Uniqueness:
		return "there is at most one row for a session and key"
	case Linearizability:
		return "each operation takes effect at one instant between call and return"
	case Snapshot:
		return "a list or a clear of a session takes effect at one instant for all its keys"
	case FinalValue:
		return "what is left at the end, and after close and reopen, is what was acknowledged"
	}
	return ""
}
