//go:build !nudge_pkgconfig

package nudge

// By default the library is linked into the program, so that what is built
// runs on machines that have no libnudge.

/*
#cgo CFLAGS: -I${SRCDIR}/../include
#cgo LDFLAGS: ${SRCDIR}/../target/release/libnudge.a -lm -ldl -lpthread
*/
import "C"
