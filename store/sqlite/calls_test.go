//go:build cgo

package sqlite_test

import (
	"context"

	"memrace/store/sqlite"
)

// calls are all calls of a store but Close, for what they have in common.
var calls = []struct {
	name   string
	writes bool
	call   func(context.Context, *sqlite.Store) error
}{
	{"upsert", true, func(ctx context.Context, s *sqlite.Store) error {
		_, err := s.Upsert(ctx, "s", "k", "new")
		return err
	}},
	{"get", false, func(ctx context.Context, s *sqlite.Store) error {
		_, _, err := s.Get(ctx, "s", "k")
		return err
	}},
	{"delete", true, func(ctx context.Context, s *sqlite.Store) error {
		return s.Delete(ctx, "s", "k")
	}},
	{"update", true, func(ctx context.Context, s *sqlite.Store) error {
		_, _, err := s.Update(ctx, "s", "k", to("new"))
		return err
	}},
	{"take", true, func(ctx context.Context, s *sqlite.Store) error {
		_, _, err := s.Take(ctx, "s", "k")
		return err
	}},
	{"list", false, func(ctx context.Context, s *sqlite.Store) error {
		_, err := s.List(ctx, "s")
		return err
	}},
	{"clear", true, func(ctx context.Context, s *sqlite.Store) error {
		return s.Clear(ctx, "s")
	}},
	{"append", true, func(ctx context.Context, s *sqlite.Store) error {
		return s.Append(ctx, "s", "new")
	}},
	{"items", false, func(ctx context.Context, s *sqlite.Store) error {
		_, err := s.Items(ctx, "s")
		return err
	}},
	{"dump", false, func(ctx context.Context, s *sqlite.Store) error {
		_, err := s.Dump(ctx)
		return err
	}},
	{"commits", false, func(ctx context.Context, s *sqlite.Store) error {
		_, _, err := s.Commits(ctx)
		return err
	}},
	{"describe", false, func(ctx context.Context, s *sqlite.Store) error {
		_, err := s.Describe(ctx)
		return err
	}},
}
