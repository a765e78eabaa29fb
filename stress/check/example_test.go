package check_test

import (
	"context"
	"fmt"

	"memrace/stress/check"
	"memrace/stress/history"
)

func ExampleJudge() {
	h, err := history.ParseString(`
		10 20 c1 upsert "alice" "mood" v1.0 ok
		30 40 c2 upsert "alice" "mood" v2.0 ok
		50 60 c3 get "alice" "mood" v1.0 ok
	`)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range check.Judge(context.Background(), history.Evidence{History: h},
		check.Options{}) {
		fmt.Printf("%-16s %s\n", v.Property, v.State)
		for _, violation := range v.Violations {
			fmt.Printf("%s:\n%s\n", violation.Anomaly, violation.Sentence)
		}
	}
	// Output:
	// progress         holds
	// isolation        holds
	// integrity        holds
	// uniqueness       skipped
	// linearizability  violated
	// stale read:
	// c3 read v1.0, which c1 wrote, although c2's overwrite v2.0 had returned 10ns before c3 asked
	// final            skipped
}

func ExampleExplain() {
	h, err := history.ParseString(`
		10 20 c1 upsert "alice" "mood" v1.0 ok
		15 25 c2 delete "alice" "mood" - ok
		30 40 c3 get "alice" "mood" - ok
	`)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, found := check.Explain(h, []int{0, 2})
	fmt.Println(found, "because the delete may explain what c3 missed")
	// Output: false because the delete may explain what c3 missed
}
