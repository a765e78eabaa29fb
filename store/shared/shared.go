// Package shared opens a store several times on the same directory, as handles of one process or
// as processes, and deals calls out among them: what two of them do to each other, no test of one
// shows.
//
// It knows nothing of what a store is.
package shared

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"memrace/store"
	"memrace/store/ability"
)

// Opener returns an opener that opens n stores on the same directory, the i-th by open(i), and a
// store over them that has the optional methods that the first of them has; n is at least 1. A call
// goes to the one that belongs to the client that WithClient has noted in its context; without that
// to any of them, drawn at random, since to take turns would put the calls in an order. A store
// that keeps nothing on disk has nothing to share, so that to open several of it is an error.
func Opener(n int, open func(instance int) store.Opener) store.Opener {
	return func(ctx context.Context, dir string) (store.Store, error) {
		s := &instances{}
		for i := range n {
			one, err := open(i)(ctx, dir)
			if err != nil {
				return nil, errors.Join(fmt.Errorf("instance %d: %w", i, err), s.Close())
			}
			s.all = append(s.all, one)
		}
		if d, err := s.Describe(ctx); err == nil && d.Volatile && n > 1 {
			return nil, errors.Join(fmt.Errorf("%s keeps nothing on disk, so that %d instances of "+
				"it have nothing to share", d.Name, n), s.Close())
		}
		return ability.Limit(s, ability.Of(s.all[0])...)
	}
}

type clientKey struct{}

// WithClient returns a context whose calls are those of the client with that number, from 0 on.
// Clients i, i+n, i+2n and so on share the i-th of n instances.
func WithClient(ctx context.Context, client int) context.Context {
	return context.WithValue(ctx, clientKey{}, client)
}

// instances is at least one store of the same kind. Of the optional methods only those are called
// that they have.
type instances struct{ all []store.Store }

var _ ability.Full = (*instances)(nil)

// All returns the instances, for what can be done to each of them.
func (s *instances) All() []store.Store { return s.all }

func (s *instances) of(ctx context.Context) store.Store {
	if client, ok := ctx.Value(clientKey{}).(int); ok {
		return s.all[client%len(s.all)]
	}
	return s.all[rand.IntN(len(s.all))]
}

func (s *instances) Upsert(ctx context.Context, session, key, value string) (
	updatedAt time.Time, err error) {
	return s.of(ctx).Upsert(ctx, session, key, value)
}

func (s *instances) Get(ctx context.Context, session, key string) (string, bool, error) {
	return s.of(ctx).Get(ctx, session, key)
}

func (s *instances) Delete(ctx context.Context, session, key string) error {
	return s.of(ctx).Delete(ctx, session, key)
}

// Close closes them all.
func (s *instances) Close() error {
	var err error
	for _, one := range s.all {
		err = errors.Join(err, one.Close())
	}
	return err
}

// Describe says what the first one is, and how many there are.
func (s *instances) Describe(ctx context.Context) (store.Description, error) {
	var d store.Description
	if first, ok := s.all[0].(store.Describer); ok {
		var err error
		if d, err = first.Describe(ctx); err != nil {
			return d, err
		}
	}
	number := store.Setting{Name: "instances", Value: strconv.Itoa(len(s.all))}
	d.Settings = append(d.Settings, number)
	return d, nil
}

func (s *instances) Update(ctx context.Context, session, key string,
	change func(old string, found bool) string) (old string, found bool, err error) {
	return s.of(ctx).(store.Updater).Update(ctx, session, key, change)
}

func (s *instances) Take(ctx context.Context, session, key string) (string, bool, error) {
	return s.of(ctx).(store.Taker).Take(ctx, session, key)
}

func (s *instances) List(ctx context.Context, session string) ([]store.Entry, error) {
	return s.of(ctx).(store.Lister).List(ctx, session)
}

func (s *instances) Clear(ctx context.Context, session string) error {
	return s.of(ctx).(store.Clearer).Clear(ctx, session)
}

func (s *instances) Append(ctx context.Context, session, item string) error {
	return s.of(ctx).(store.Appender).Append(ctx, session, item)
}

func (s *instances) Items(ctx context.Context, session string) ([]string, error) {
	return s.of(ctx).(store.Appender).Items(ctx, session)
}

func (s *instances) Dump(ctx context.Context) ([]store.Row, error) {
	return s.of(ctx).(store.Dumper).Dump(ctx)
}
