package notation_test

import (
	"fmt"
	"os"
	"strings"

	"memrace/stress/notation"
)

func ExampleRead() {
	h, err := notation.Read(strings.NewReader(`
		{:process 0, :type :invoke, :f :write, :value 3, :time 100}
		{:process 0, :type :ok, :f :write, :value 3, :time 250}`), "file", notation.Auto)
	fmt.Println(err)
	fmt.Println(h.Line(0))
	_, err = notation.Read(strings.NewReader(`{:process 0, :type :ok, :f :read}`), "file",
		notation.EDN)
	fmt.Println(err)
	// Output:
	// <nil>
	// 100 250 c0 upsert "" "register" "3" ok
	// file:1: process 0 returns from read without a call; want :type :invoke before
}

func ExampleWriteEDN() {
	h, err := notation.Read(strings.NewReader("INFO  jepsen.util - 4\t:invoke\t:read\tnil"),
		"file", notation.Auto)
	if err == nil {
		h.Slots[0].Key = "k"
		err = notation.WriteEDN(os.Stdout, h)
	}
	fmt.Println(err)
	// Output:
	// {:index 0, :process 4, :type :invoke, :f :read, :value nil, :session "", :key "k", :time 0}
	// {:index 1, :process 4, :type :info, :f :read, :value nil, :session "", :key "k", :time 0}
	// <nil>
}
