//go:build cgo

// Package nocgo has a path that says what to do; nocgo.go imports it where cgo is off.
package nocgo
