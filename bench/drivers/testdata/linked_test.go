package sqlite_test

import (
	_ "memrace/bench/drivers/modernc"
	_ "memrace/bench/drivers/ncruces"
	_ "memrace/bench/drivers/zombiezen"
)
