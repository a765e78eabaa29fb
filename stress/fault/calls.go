package fault

import (
	"context"
	"errors"
	"time"

	"memrace/store"
	"memrace/store/ability"
)

var _ ability.Full = (*keeper)(nil)

// Upsert, and all that follow, do what the life of the moment does.
func (k *keeper) Upsert(ctx context.Context, session, key, value string) (time.Time, error) {
	s, err := k.live()
	if err != nil {
		return time.Time{}, err
	}
	return s.Upsert(ctx, session, key, value)
}

func (k *keeper) Get(ctx context.Context, session, key string) (string, bool, error) {
	s, err := k.live()
	if err != nil {
		return "", false, err
	}
	return s.Get(ctx, session, key)
}

func (k *keeper) Delete(ctx context.Context, session, key string) error {
	s, err := k.live()
	if err != nil {
		return err
	}
	return s.Delete(ctx, session, key)
}

func (k *keeper) Describe(ctx context.Context) (d store.Description, err error) {
	s, err := k.live()
	if describer, ok := s.(store.Describer); ok && err == nil {
		return describer.Describe(ctx)
	}
	return d, err
}

// has returns the store of the moment as one that has an ability. A store that had it in its first
// life and lacks it in a later one is an error.
func has[T any](k *keeper) (able T, err error) {
	s, err := k.live()
	if err != nil {
		return able, err
	}
	able, ok := s.(T)
	if !ok {
		return able, &deadError{errors.New("it lacks what it had before it was killed")}
	}
	return able, nil
}

func (k *keeper) Update(ctx context.Context, session, key string,
	change func(old string, found bool) string) (string, bool, error) {
	s, err := has[store.Updater](k)
	if err != nil {
		return "", false, err
	}
	return s.Update(ctx, session, key, change)
}

func (k *keeper) Take(ctx context.Context, session, key string) (string, bool, error) {
	s, err := has[store.Taker](k)
	if err != nil {
		return "", false, err
	}
	return s.Take(ctx, session, key)
}

func (k *keeper) List(ctx context.Context, session string) ([]store.Entry, error) {
	s, err := has[store.Lister](k)
	if err != nil {
		return nil, err
	}
	return s.List(ctx, session)
}

func (k *keeper) Clear(ctx context.Context, session string) error {
	s, err := has[store.Clearer](k)
	if err != nil {
		return err
	}
	return s.Clear(ctx, session)
}

func (k *keeper) Append(ctx context.Context, session, item string) error {
	s, err := has[store.Appender](k)
	if err != nil {
		return err
	}
	return s.Append(ctx, session, item)
}

func (k *keeper) Items(ctx context.Context, session string) ([]string, error) {
	s, err := has[store.Appender](k)
	if err != nil {
		return nil, err
	}
	return s.Items(ctx, session)
}

func (k *keeper) Dump(ctx context.Context) ([]store.Row, error) {
	s, err := has[store.Dumper](k)
	if err != nil {
		return nil, err
	}
	return s.Dump(ctx)
}
