//go:build nudge_pkgconfig

package nudge

// With the tag nudge_pkgconfig the library is the one that pkg-config knows.

/*
#cgo pkg-config: nudge
*/
import "C"
