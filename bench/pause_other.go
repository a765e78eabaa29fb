//go:build !linux

package bench

import "time"

func exactTimer() {}

func pause(d time.Duration) { time.Sleep(d) }
