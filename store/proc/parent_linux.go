package proc

import "syscall"

// endWithParent has the process killed when this one ends without a word, since a child that hangs
// would not notice. The kernel goes by the thread that started it; threads of Go end only with a
// goroutine that has locked one for itself.
func endWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
