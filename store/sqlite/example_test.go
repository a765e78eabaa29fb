//go:build cgo

package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"memrace/store/sqlite"
)

func ExampleOpen() {
	ctx := context.Background()
	v, err := sqlite.ParseVariant("memory")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := sqlite.Open(ctx, "", v)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	_, err = s.Upsert(ctx, "alice", "language", "Go")
	fmt.Println(err)
	fmt.Println(s.Get(ctx, "alice", "language"))
	fmt.Println(s.Get(ctx, "bob", "language"))
	// Output:
	// <nil>
	// Go true <nil>
	//  false <nil>
}

func ExampleParseVariant() {
	v, err := sqlite.ParseVariant("wal,readers=8,synchronous=full")
	fmt.Println(v, err)
	_, err = sqlite.ParseVariant("wal,txlock=now")
	fmt.Println(err)
	// Output:
	// wal,synchronous=full,readers=8 <nil>
	// variant "wal,txlock=now": wal: txlock="now" is none of auto, deferred, immediate, exclusive
}

// A store that forgets the session when it reads is the right one but for one statement.
func ExampleOpenStatements() {
	ctx := context.Background()
	statements := sqlite.DefaultStatements()
	statements.Get = strings.Replace(statements.Get, "session_id = :session AND", "", 1)
	s, err := sqlite.OpenStatements(ctx, "", sqlite.Variants()[0], statements)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	_, err = s.Upsert(ctx, "alice", "language", "Go")
	fmt.Println(err)
	fmt.Println(s.Get(ctx, "bob", "language"))
	// Output:
	// <nil>
	// Go true <nil>
}

func ExampleStore_Commits() {
	ctx := context.Background()
	v, err := sqlite.ParseVariant("memory,commits=on")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := sqlite.Open(ctx, "", v)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	for _, key := range []string{"editor", "language"} {
		if _, err := s.Upsert(ctx, "alice", key, "none"); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(s.Clear(ctx, "alice"))
	commits, kept, err := s.Commits(ctx)
	fmt.Println(len(commits), kept, err)
	for _, c := range commits {
		fmt.Println(c.Transaction, c.Session, c.Key, c.Value, c.Deleted)
	}
	// Output:
	// <nil>
	// 4 true <nil>
	// 1 alice editor none false
	// 2 alice language none false
	// 3 alice editor  true
	// 3 alice language  true
}

func ExampleOpenPools() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "memories")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	pools, err := sqlite.OpenPools(ctx, dir, sqlite.Variants()[3])
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pools.Close()
	_, err = pools.Write.ExecContext(ctx, "INSERT INTO memories VALUES (1)")
	fmt.Println(sqlite.Wrap("insert", err))
	// Output: insert: no such table: memories
}
