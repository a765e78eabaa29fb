package proc_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"memrace/store"
	"memrace/store/proc"
)

// children are what this test binary can be run as.
var children = map[string]func(context.Context) error{
	"nothing": serve(func(context.Context, string) (store.Store, error) { return nothing{}, nil }),
	"memory":  serve(openMemory),

	"exits":    func(context.Context) error { return errors.New("no module named memory") },
	"mute":     func(context.Context) error { return silence() },
	"refuses":  script(nil, `{"id":0,"type":"fail","error":"no disk"}`),
	"modern":   script(nil, `{"id":0,"type":"ok","proto":2,"ops":["get"]}`),
	"nameless": script(nil, `{"id":0,"type":"ok","ops":["get"]}`),
	"boundless": script(nil,
		`{"id":0,"type":"ok","proto":1,"ops":["upsert","get","delete"],"bounded":"x"}`),
	"idle":      script(nil, `{"id":0,"type":"ok","proto":1,"ops":[]}`),
	"forgetful": script(nil, `{"id":0,"type":"ok","proto":1,"ops":["upsert","delete"]}`),
	"half list": script(nil,
		`{"id":0,"type":"ok","proto":1,"ops":["upsert","append","items"]}`),
	"list":   script(nil, `{"id":0,"type":"ok","proto":1,"ops":["append","items"]}`),
	"chatty": script(nil, `opening the database`),

	"twice":    script(answers(`{"id":%d,"type":"ok"}`+"\n"+`{"id":%[1]d,"type":"ok"}`), hi),
	"stranger": script(func(int64, string) string { return `{"id":99,"type":"ok"}` }, hi),
	"debug":    script(answers("DEBUG call %d\n"), hi),
	"long":     script(long, hi),
	"sleeps":   script(func(int64, string) string { return "" }, hi),
	"leaves":   script(func(int64, string) string { os.Exit(0); return "" }, hi),
	"dies":     script(func(int64, string) string { os.Exit(7); return "" }, hi),
	"half":     script(half, hi),
	"asks":     script(answers(`{"id":%d,"type":"seen","found":false}`), hi),
	"vague":    script(answers(`{"id":%d,"type":"ok"}`), hi),
	"tells":    script(tells, hi),
	"tardy":    script(tardy, hi),
	"deaf":     script(answers(`{"id":%d,"type":"ok"}`), hi, silence),
	"status":   script(answers(`{"id":%d,"type":"ok"}`), hi, fails),
	"parent":   parent,
	"nags":     script(nags, hi),
	"slow":     script(slow, hi),
	"hangs":    script(func(int64, string) string { return "" }, hi, hangs),
	"keeper":   keeper,
}

func serve(open store.Opener) func(context.Context) error {
	return func(ctx context.Context) error { return proc.Serve(ctx, os.Stdin, os.Stdout, open) }
}

// hi is a good answer to init.
const hi = `{"id":0,"type":"ok","proto":1,"bounded":20,` +
	`"ops":["upsert","get","delete","update","append","list","dump"]}`

// script is a child that answers init with greeting, and every call by what answer returns. When
// its input has ended, it does what is left.
func script(
	answer func(id int64, op string) string, greeting string, left ...func() error,
) func(context.Context) error {
	return func(context.Context) error {
		in := bufio.NewScanner(os.Stdin)
		for in.Scan() {
			var r struct {
				ID int64
				Op string
			}
			if err := json.Unmarshal(in.Bytes(), &r); err != nil {
				return err
			}
			text := greeting
			if r.Op != "init" {
				text = answer(r.ID, r.Op)
			}
			if text == "" {
				continue
			}
			if _, err := fmt.Println(text); err != nil {
				return err
			}
		}
		err := in.Err()
		for _, f := range left {
			err = errors.Join(err, f())
		}
		return err
	}
}

func answers(format string) func(int64, string) string {
	return func(id int64, _ string) string { return fmt.Sprintf(format, id) }
}

// tells answers a list of nothing, and everything else by what became of it.
func tells(id int64, op string) string {
	switch op {
	case "upsert":
		return fmt.Sprintf(`{"id":%d,"type":"fail","error":"no","class":"busy"}`, id)
	case "get":
		return fmt.Sprintf(`{"id":%d,"type":"info","error":"who knows"}`, id)
	case "list":
		return fmt.Sprintf(`{"id":%d,"type":"ok","entries":[]}`, id)
	}
	return fmt.Sprintf(`{"id":%d,"type":"fail"}`, id)
}

// tardy says which calls come. It asks for the change of an update only when the next call comes.
func tardy(id int64, op string) string {
	fmt.Fprintln(os.Stderr, op)
	switch op {
	case "get":
		return fmt.Sprintf(`{"id":%d,"type":"seen","found":false}`+"\n"+
			`{"id":%d,"type":"ok","found":false}`, id-1, id)
	case "upsert":
		return fmt.Sprintf(`{"id":%d,"type":"ok"}`, id)
	}
	return ""
}

// nags asks for the change of an update twice at once.
func nags(id int64, _ string) string {
	seen := fmt.Sprintf(`{"id":%d,"type":"seen","found":false}`, id)
	return seen + "\n" + seen
}

// slow answers the first call when the second one comes.
func slow(id int64, _ string) string {
	if id == 1 {
		return ""
	}
	return fmt.Sprintf(`{"id":1,"type":"ok"}`+"\n"+`{"id":%d,"type":"ok"}`, id)
}

// long writes 100 MB without an end of line.
func long(int64, string) string {
	text := strings.Repeat("x", 1e6)
	for range 100 {
		if _, err := io.WriteString(os.Stdout, text); err != nil {
			os.Exit(1)
		}
	}
	return "\n"
}

// half ends in the middle of an answer.
func half(id int64, _ string) string {
	fmt.Printf(`{"id":%d,"ty`, id)
	os.Exit(7)
	return ""
}

// silence is a child that neither reads nor writes.
func silence() error {
	<-time.After(time.Hour)
	return nil
}

// fails is a child that does not end well.
func fails() error { return errors.New("could not close the database") }

// hangs does not end, and says who does not.
func hangs() error {
	fmt.Fprintf(os.Stderr, "left %d\n", os.Getpid())
	return silence()
}

// keeper is a near end that hangs in closing its child, which it says the number of.
func keeper(ctx context.Context) error {
	c := child("hangs")
	c.CallTimeout = time.Hour
	s, err := proc.Open(ctx, os.TempDir(), c)
	if err != nil {
		return err
	}
	closed := make(chan error)
	go func() { closed <- s.Close() }()
	for len(s.Stderr()) == 0 {
		<-time.After(time.Millisecond)
	}
	if _, err := os.Stderr.Write(s.Stderr()); err != nil {
		return err
	}
	return <-closed
}

// parent leaves a process behind that holds its standard output.
func parent(ctx context.Context) error {
	left := exec.Command(os.Args[0])
	left.Env = append(os.Environ(), childVariable+"=mute")
	left.Stdout = os.Stdout
	if err := left.Start(); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "left %d\n", left.Process.Pid)
	return serve(openMemory)(ctx)
}
