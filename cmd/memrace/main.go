// Command memrace tests stores of agent memory under concurrency: it runs workloads on them,
// judges what happened, and tells what is wrong.
package main

import "memrace/cmd/verbs"

func main() { verbs.Main() }
