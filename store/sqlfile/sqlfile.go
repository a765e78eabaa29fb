// Package sqlfile is a store whose SQL, settings and all, stands in a file: whoever owns a memory
// in SQLite writes down the statements that it runs, and has them tried. docs/sqlfiles.md explains
// the file, docs/examples/sql has some.
//
// Package script reads and runs the statements; this one is about what SQLite has to be told.
package sqlfile

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"memrace/store"
	"memrace/store/ability"
	"memrace/store/script"
	"memrace/store/sqlite"
)

// File is a store as a file describes it. The zero File is of no use; Parse makes one.
type File struct {
	script   *script.Script
	settings settings
}

// Parse reads a file; name is its name, for errors and for Describe. SQLite has a look at
// everything, in memory. The error of a file that is wrong has one line: where, what is wrong,
// what SQLite says, and what would be right.
func Parse(r io.Reader, name string) (*File, error) {
	s, err := script.Parse(r, name)
	if err != nil {
		return nil, err
	}
	f := &File{script: s}
	if f.settings, err = newSettings(s); err != nil {
		return nil, err
	}
	return f, f.rehearse(context.Background())
}

// rehearse has SQLite look at the file without a database being made.
func (f *File) rehearse(ctx context.Context) (err error) {
	memory, err := sqlite.ParseVariant("memory")
	if err != nil {
		return err
	}
	pools, err := sqlite.OpenPools(ctx, "", memory)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pools.Close()) }()
	if err := f.settings.known(ctx, pools.Write); err != nil {
		return err
	}
	return f.script.Rehearse(ctx, pools.Write)
}

// Opener returns the function that opens the store. It has exactly the optional methods whose
// operations the file has.
func (f *File) Opener() store.Opener {
	return func(ctx context.Context, dir string) (store.Store, error) {
		pools, err := sqlite.OpenPools(ctx, dir, f.settings.variant)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.script.Name, err)
		}
		s, err := f.open(ctx, pools)
		if err != nil {
			return nil, errors.Join(err, pools.Close())
		}
		return ability.Limit(inDir{s, dir, f.settings.variant}, s.Abilities()...)
	}
}

// inDir is a store that knows where its file is.
type inDir struct {
	*script.Store
	dir     string
	variant sqlite.Variant
}

// HoldWrites takes the write lock of the file, as sqlite.Hold does.
func (s inDir) HoldWrites(ctx context.Context) (release func() error, err error) {
	return sqlite.Hold(ctx, s.dir, s.variant)
}

// open makes the schema and the store, which holds all connections.
func (f *File) open(ctx context.Context, pools sqlite.Pools) (s *script.Store, err error) {
	write := &script.Pool{DB: pools.Write, Prepare: f.settings.give}
	read := write
	defer func() {
		if err != nil {
			err = errors.Join(err, write.Close(), read.Close())
		}
	}()
	if err := write.Hold(ctx, f.settings.variant.Writers); err != nil {
		return nil, err
	}
	if pools.Read != pools.Write {
		read = &script.Pool{DB: pools.Read, Prepare: f.settings.give}
		if err := read.Hold(ctx, f.settings.variant.Readers); err != nil {
			return nil, err
		}
	}
	return script.Open(ctx, f.script, script.Config{
		Write: write, Read: read, Judge: sqlite.Wrap, Describe: f.describe(write),
		Close: pools.Close,
	})
}

// describe reads back what is in force in a connection that writes.
func (f *File) describe(write *script.Pool) func(context.Context) (store.Description, error) {
	return func(ctx context.Context) (about store.Description, err error) {
		err = write.Use(ctx, func(conn *sql.Conn) error {
			about, err = f.settings.describe(ctx, conn)
			return err
		})
		about.Name = filepath.Base(f.script.Name)
		return about, sqlite.Wrap("describe", err)
	}
}
