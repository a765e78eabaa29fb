//go:build !linux

package bench

func fileSystem(string) string { return "" }
