//go:build !linux || !cgo

package disk

import "errors"

func register() error {
	return errors.New("power losses and faults of the disk need Linux and cgo")
}

func countAll() error {
	return errors.New("that needs Linux and cgo")
}

func cut(uint64) {}

func set(Faults) {}

func counts() Counted { return Counted{} }
