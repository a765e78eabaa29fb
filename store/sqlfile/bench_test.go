//go:build cgo

package sqlfile_test

import (
	"strconv"
	"testing"

	"memrace/store"
	"memrace/store/sqlite"
)

// BenchmarkFile is a file beside the variant of store/sqlite that has its settings.
func BenchmarkFile(b *testing.B) {
	wal, err := sqlite.ParseVariant("wal")
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name string
		open store.Opener
	}{
		{"file", parse(b, "-- pragma: journal_mode=wal\n-- pragma: synchronous=normal\n"+
			"-- pool: writers=1 readers=4\n"+least).Opener()},
		{"wal", wal.Opener()},
	} {
		b.Run("store="+c.name+"/op=upsert", func(b *testing.B) {
			each(b, c.open, func(s store.Store, i int) error {
				_, err := s.Upsert(b.Context(), "s", strconv.Itoa(i%64), "value")
				return err
			})
		})
		b.Run("store="+c.name+"/op=get", func(b *testing.B) {
			each(b, c.open, func(s store.Store, i int) error {
				_, _, err := s.Get(b.Context(), "s", strconv.Itoa(i%64))
				return err
			})
		})
	}
}

func each(b *testing.B, open store.Opener, call func(s store.Store, i int) error) {
	s, err := open(b.Context(), b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			b.Error(err)
		}
	}()
	for i := 0; b.Loop(); i++ {
		if err := call(s, i); err != nil {
			b.Fatal(err)
		}
	}
}
