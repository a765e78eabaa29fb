package main

import (
	"fmt"
	"os"

	"memrace/store/sqlfile"
	"memrace/store/sqlite"
	"memrace/stress"
)

// findFiles returns the stores that files of SQL describe.
func findFiles(paths []string) ([]target, error) {
	var found []target
	for _, path := range paths {
		if err := sqlite.Ready(); err != nil {
			return nil, err
		}
		f, err := readSQLFile(path)
		if err != nil {
			return nil, err
		}
		found = append(found, target{name: path, open: same(f.Opener()),
			flags: "--sql " + stress.ShellWord(path), serve: []string{"--sql", path}})
	}
	return found, nil
}

// readSQLFile reads a file of SQL. What is wrong with a line of it is said by file:line.
func readSQLFile(path string) (*sqlfile.File, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("--sql: %w; name a file such as docs/examples/sql/good.sql", err)
	}
	defer in.Close()
	return sqlfile.Parse(in, path)
}
