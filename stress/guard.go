package stress

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"time"
)

// guard calls f, which calls the store, and reports a panic or a hang in it as an error.
// A goroutine that hangs inside the store cannot be ended: it is left behind, and what all
// goroutines were doing is written into the directory of the run. What f leaves in variables may
// be read only if guard returns no error.
func (x *experiment) guard(what string, f func() error) error {
	done := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- x.keep(fmt.Errorf("panic: %v", p), "panic.txt", debug.Stack())
			}
		}()
		done <- f()
	}()
	watch := time.NewTimer(x.config.Stall)
	defer watch.Stop()
	var err error
	select {
	case err = <-done:
	case <-watch.C:
		x.hung = true
		err = fmt.Errorf("no answer within %v", x.config.Stall)
		err = x.keep(err, "goroutines.txt", goroutines())
	}
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// keep writes stacks into a file in the directory of the run and says so in the error.
func (x *experiment) keep(err error, name string, stacks []byte) error {
	path := filepath.Join(x.dir, name)
	write := func(f *os.File) error { _, err := f.Write(stacks); return err }
	if werr := writeFile(path, write); werr != nil {
		return fmt.Errorf("%w (its stack could not be kept: %w)", err, werr)
	}
	return fmt.Errorf("%w; the stack is in %s", err, path)
}

// goroutines returns the stacks of all goroutines, as far as they fit 16 MiB.
func goroutines() []byte {
	for size := 1 << 16; ; size *= 2 {
		buf := make([]byte, size)
		if n := runtime.Stack(buf, true); n < size || size >= 16<<20 {
			return buf[:n]
		}
	}
}
