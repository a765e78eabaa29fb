package proc_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"memrace/store"
	"memrace/store/proc"
)

// open opens a store whose child is the one of that name. It is closed at the end, without error.
func open(t *testing.T, name string) *proc.Store {
	t.Helper()
	s, err := proc.Open(t.Context(), t.TempDir(), child(name))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// Everything that JSON may write in another way than it is.
var texts = []string{"", "plain", `"quoted"`, `back\slash`, "a\nb\tc\r\x00\x1f", "caf\u00e9",
	"\U0001f642", "\u2028<script>&", "\ufffd", strings.Repeat("long", 1<<18)}

func TestSlots(t *testing.T) {
	ctx, s := t.Context(), open(t, "memory")
	for i, text := range texts {
		at, err := s.Upsert(ctx, text, "k", fmt.Sprint(i))
		require.NoError(t, err)
		require.Equal(t, noted, at)
		_, err = s.Upsert(ctx, "s", text, text)
		require.NoError(t, err)
	}
	for i, text := range texts {
		value, found, err := s.Get(ctx, text, "k")
		require.NoError(t, err)
		require.True(t, found)
		require.Equal(t, fmt.Sprint(i), value, "%.20q", text)
		value, found, err = s.Get(ctx, "s", text)
		require.NoError(t, err)
		require.True(t, found)
		require.Equal(t, text, value)
		require.NoError(t, s.Delete(ctx, "s", text))
		value, found, err = s.Get(ctx, "s", text)
		require.NoError(t, err, "nothing is a value")
		require.False(t, found)
		require.Empty(t, value)
	}
}

// What JSON cannot carry would come out as something else, so it does not even go in.
func TestTextThatIsNoText(t *testing.T) {
	ctx, s := t.Context(), open(t, "memory")
	_, err := s.Upsert(ctx, "s", "bad\xff", "v")
	require.Equal(t, tell{true, "protocol", "upsert: the protocol carries only text that is UTF-8"},
		told(err))
	_, found, err := s.Get(ctx, "s", "bad\ufffd")
	require.NoError(t, err)
	require.False(t, found)
}

func TestOptionalMethods(t *testing.T) {
	ctx, s := t.Context(), open(t, "memory")
	for _, text := range texts {
		_, err := s.Upsert(ctx, "s", text, text+"!")
		require.NoError(t, err)
		require.NoError(t, s.Append(ctx, "s", text))
	}
	items, err := s.Items(ctx, "s")
	require.NoError(t, err)
	require.Equal(t, texts, items)

	entries, err := s.List(ctx, "s")
	require.NoError(t, err)
	var want []store.Entry
	for _, text := range texts {
		want = append(want, store.Entry{Key: text, Value: text + "!"})
	}
	require.ElementsMatch(t, want, entries)

	value, found, err := s.Take(ctx, "s", "plain")
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, "plain!", value)
	_, found, err = s.Take(ctx, "s", "plain")
	require.NoError(t, err)
	require.False(t, found)

	require.NoError(t, s.Clear(ctx, "s"))
	entries, err = s.List(ctx, "s")
	require.NoError(t, err)
	require.Empty(t, entries)
	items, err = s.Items(ctx, "other")
	require.NoError(t, err)
	require.Empty(t, items)

	_, err = s.Upsert(ctx, "s", "k", "v")
	require.NoError(t, err)
	rows, err := s.Dump(ctx)
	require.NoError(t, err)
	row := store.Row{Session: store.TextField("s"), Key: store.TextField("k"),
		Value: store.TextField("v"), UpdatedAt: noted}
	if diff := cmp.Diff([]store.Row{oddRow, row}, rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

// A child that has less is a store that has less, and says so.
func TestWhatTheChildLacks(t *testing.T) {
	s := open(t, "tells")
	limited, err := s.Limited()
	require.NoError(t, err)
	_, ok := limited.(store.Taker)
	require.False(t, ok)
	_, ok = limited.(store.Appender)
	require.False(t, ok, "it appends, and cannot tell what")
	_, ok = limited.(store.Lister)
	require.True(t, ok)
	want := tell{true, "protocol", "clear: the child does not have it; " +
		"it has upsert, get, delete, update, append, list, dump"}
	require.Equal(t, want, told(s.Clear(t.Context(), "s")))
}

func TestOutcomes(t *testing.T) {
	ctx, s := t.Context(), open(t, "tells")
	_, err := s.Upsert(ctx, "s", "k", "v")
	require.Equal(t, tell{true, "busy", "upsert: no"}, told(err))
	_, _, err = s.Get(ctx, "s", "k")
	require.Equal(t, tell{false, "other", "get: who knows"}, told(err))
	_, err = s.Dump(ctx)
	require.Equal(t, tell{true, "other", "dump: the child gave no reason"}, told(err))

	ended, cancel := context.WithCancel(ctx)
	cancel()
	_, _, err = s.Get(ended, "s", "k")
	require.Equal(t, tell{true, "canceled", "get: context canceled"}, told(err), "it was not sent")
}

// An answer that says less than it has to is no reason to doubt the others.
func TestVagueAnswers(t *testing.T) {
	ctx, s := t.Context(), open(t, "vague")
	_, _, err := s.Get(ctx, "s", "k")
	require.Equal(t, tell{false, "protocol", `get: the child's answer has no "found"`}, told(err))
	_, err = s.List(ctx, "s")
	require.Equal(t, tell{false, "protocol",
		"list: the child's answer has no more than that it is ok"}, told(err))
	_, err = s.Upsert(ctx, "s", "k", "v")
	require.NoError(t, err)
}

func TestNoAnswerInTime(t *testing.T) {
	c := child("sleeps")
	c.CallTimeout = time.Second
	s, err := proc.Open(t.Context(), t.TempDir(), c)
	require.NoError(t, err)
	_, err = s.Upsert(t.Context(), "s", "k", "v")
	require.Equal(t, tell{false, "hang", "upsert: no answer within 1s"}, told(err))
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_, err = s.Upsert(ctx, "s", "k", "v")
	require.Equal(t, "deadline", told(err).Class, "the caller's own deadline")
	s.Kill()
	require.NoError(t, s.Close())
}

// An answer that comes too late is no reason to doubt the others.
func TestAnswerThatIsLate(t *testing.T) {
	c := child("slow")
	c.CallTimeout = time.Second
	s, err := proc.Open(t.Context(), t.TempDir(), c)
	require.NoError(t, err)
	_, err = s.Upsert(t.Context(), "s", "k", "v")
	require.Equal(t, tell{false, "hang", "upsert: no answer within 1s"}, told(err))
	_, err = s.Upsert(t.Context(), "s", "k", "v")
	require.NoError(t, err)
	s.Kill() // it may take more than a second to end
	require.NoError(t, s.Close())
}

// Whoever is inside the child when it is killed does not know; whoever comes later does.
func TestKill(t *testing.T) {
	s, err := proc.Open(t.Context(), t.TempDir(), child("sleeps"))
	require.NoError(t, err)
	errs := make(chan error, 10)
	for range cap(errs) {
		go func() {
			_, err := s.Upsert(t.Context(), "s", "k", "v")
			errs <- err
		}()
	}
	s.Kill()
	for range cap(errs) {
		err := <-errs
		require.Equal(t, "exit", told(err).Class)
		require.Equal(t, "upsert: the child ended with signal: killed", err.Error())
	}
	_, err = s.Upsert(t.Context(), "s", "k", "v")
	require.Equal(t, tell{true, "exit", "upsert: the child ended with signal: killed"}, told(err))
	require.NoError(t, s.Close())
	s.Kill()
}

func TestDescribe(t *testing.T) {
	d, err := open(t, "memory").Describe(t.Context())
	require.NoError(t, err)
	require.Equal(t, "memory", d.Name)
	require.True(t, d.Volatile)
	names := make([]string, 0, len(d.Settings))
	for _, one := range d.Settings {
		names = append(names, one.Name)
	}
	require.Equal(t, []string{"colour", "command", "threads", "ops", "pipe"}, names)

	d, err = open(t, "tells").Describe(t.Context())
	require.NoError(t, err)
	require.Equal(t, 20, d.Bounded, "the child keeps the last 20")
}

// The child's own times lie inside the call, and are there only where the child takes them.
func TestSpan(t *testing.T) {
	var span proc.Span
	ctx := proc.WithSpan(t.Context(), &span)
	s := open(t, "memory")
	before := time.Now()
	_, err := s.Upsert(ctx, "s", "k", "v")
	after := time.Now()
	require.NoError(t, err)
	if span == (proc.Span{}) {
		t.Skip("no clock is known here that all processes have in common")
	}
	require.False(t, span.From.Before(before), "%v before %v", span.From, before)
	require.False(t, span.To.After(after), "%v after %v", span.To, after)
	require.False(t, span.To.Before(span.From))

	_, _, err = open(t, "tells").Get(ctx, "s", "k")
	require.Error(t, err)
	require.Zero(t, span)
}

// Many calls at once all get their own answers, in whatever order those come.
func TestManyAtOnce(t *testing.T) {
	s := open(t, "memory")
	var group sync.WaitGroup
	for i := range 64 {
		group.Go(func() {
			for j := range 200 {
				want := fmt.Sprintf("%d of %d", j, i)
				_, err := s.Upsert(t.Context(), "s", fmt.Sprint(i), want)
				value, _, err2 := s.Get(t.Context(), "s", fmt.Sprint(i))
				if err := errors.Join(err, err2); err != nil || value != want {
					t.Errorf("%q, want %q; %v", value, want, err)
					return
				}
			}
		})
	}
	group.Wait()
}
