package history_test

import (
	"fmt"
	"os"

	"memrace/stress/history"
)

func Example() {
	tag := history.Tag{Run: 42, Slot: 0, Client: 3, Step: 17}
	recorder := history.NewRecorder(42, 2)
	recorder.Call(3, history.Upsert, 0, history.TagValue(tag.Client, tag.Step), 100)
	recorder.Return(250, history.OK, history.ClassNone)
	recorder.Call(3, history.Get, 0, 0, 300)
	recorder.Found(320, string(tag.Append(nil, 64)), true)
	recorder.Done()

	slot := func(uint32) history.Slot { return history.Slot{Session: "s1", Key: "k2"} }
	h := history.Merge([]history.Meta{{Name: "store", Value: "wal"}}, slot, recorder)
	if err := history.Write(os.Stdout, h); err != nil {
		fmt.Println(err)
	}
	// Output:
	// memrace-history 1
	// store: wal
	//
	// # call return client kind session key [seen] value outcome [class]
	// 100 250 c3 upsert "s1" "k2" v3.17 ok
	// 300 320 c3 get "s1" "k2" v3.17 ok
}

func ExampleParseString() {
	h, err := history.ParseString(`
		10 20 c1 upsert "s1" "k2" v1.0 ok
		30 40 c2 get "s1" "k2" - ok`)
	fmt.Println(err)
	fmt.Println(h.Line(0), "| precedes:", h.Precedes(0, 1))
	_, err = history.ParseString(`10 20 c1 upsert "s1" "k2" v1.0 done`)
	fmt.Println(err)
	// Output:
	// <nil>
	// 10 20 c1 upsert "s1" "k2" v1.0 ok | precedes: true
	// history:1: unknown outcome "done"; want ok, not-applied or unknown
}
