package workers

import (
	"sync/atomic"

	"memrace/stress/history"
)

// journal is where a client notes its calls: a history.Recorder, or a sink.
type journal interface {
	Call(client history.Client, kind history.Kind, slot uint32, value history.Value, at int64)
	CallWhole(client history.Client, kind history.Kind, slots []uint32, at int64)
	Began(at int64)
	Amend(value history.Value)
	Return(at int64, outcome history.Outcome, class history.Class) bool
	Found(at int64, text string, found bool) bool
	FoundWhole(at int64, found []history.Finding) bool
	Done()
	Count() int
}

// sink drops everything and only counts, for the watchdog. Nobody takes anything out of it, so
// it needs no seal.
type sink struct {
	_     [128]byte // sinks that lie side by side would slow each other down
	count atomic.Int64
	n     int64
	_     [128]byte
}

func (s *sink) Call(history.Client, history.Kind, uint32, history.Value, int64) {}

func (s *sink) CallWhole(history.Client, history.Kind, []uint32, int64) {}

func (s *sink) Began(int64) {}

func (s *sink) Amend(history.Value) {}

func (s *sink) Return(int64, history.Outcome, history.Class) bool {
	s.n++
	s.count.Store(s.n)
	return true
}

func (s *sink) Found(int64, string, bool) bool {
	return s.Return(0, history.OK, history.ClassNone)
}

func (s *sink) FoundWhole(int64, []history.Finding) bool {
	return s.Return(0, history.OK, history.ClassNone)
}

func (s *sink) Done()      {}
func (s *sink) Count() int { return int(s.count.Load()) }
