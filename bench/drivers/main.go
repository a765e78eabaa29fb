// Command memrace-drivers is memrace with every driver for SQLite that it knows. It is a module of
// its own, so that nobody who wants one driver has to load all.
package main

import (
	_ "memrace/bench/drivers/modernc"
	_ "memrace/bench/drivers/ncruces"
	_ "memrace/bench/drivers/zombiezen"
	"memrace/cmd/verbs"
)

func main() { verbs.Main() }
