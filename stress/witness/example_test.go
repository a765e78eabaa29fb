package witness_test

import (
	"fmt"
	"slices"

	"memrace/stress/history"
	"memrace/stress/witness"
)

func ExampleDraw() {
	h, err := history.ParseString(`
		100 250 c1 upsert "alice" "plan" v1.4 ok
		300 500 c2 upsert "alice" "plan" v2.7 ok
		520 600 c3 get "alice" "plan" v1.4 ok`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(witness.Draw(h, []int{0, 1, 2}, 100))
	// Output:
	// c1    |--- upsert v1.4 ---|
	// c2    :                   :  |--- upsert v2.7 ---|
	// c3    :                   :  :                   :  |--- get: v1.4 ---|
	// time  +------ 150ns ------+--+------ 200ns ------+--+----- 80ns ------+  500ns in all
}

// Operation 0 is a write and 3 its read: they go together. The failure needs 1 and 4.
func ExampleShrink() {
	units := [][]int{{0, 3}, {1, 4}, {2}, {5}}
	wrong := func(ops []int) bool { return slices.Contains(ops, 1) && slices.Contains(ops, 4) }
	fmt.Println(witness.Shrink(units, nil, wrong))
	// Output: [1 4]
}
