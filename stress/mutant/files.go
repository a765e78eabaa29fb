package mutant

import (
	"context"
	"embed"
	"fmt"
	"path"
	"sync"

	"memrace/store"
	"memrace/store/sqlfile"
)

// directory is where the files of SQL are, in the source of this package.
const directory = "sql"

//go:embed sql/*.sql
var files embed.FS

// opener returns the opener of a file, which is read once, when it is first needed.
func opener(name string) store.Opener {
	parse := sync.OnceValues(func() (*sqlfile.File, error) {
		in, err := files.Open(path.Join(directory, name))
		if err != nil {
			return nil, fmt.Errorf("mutant: %w", err)
		}
		defer in.Close()
		return sqlfile.Parse(in, name)
	})
	return func(ctx context.Context, dir string) (store.Store, error) {
		f, err := parse()
		if err != nil {
			return nil, err
		}
		return f.Opener()(ctx, dir)
	}
}
