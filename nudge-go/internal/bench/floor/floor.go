// Package floor makes the calls that Go makes in a loop of C, as fast as they
// can be made: what Go takes beyond that is the price of the binding.
package floor

// A program links the library once, however many packages ask for it.

/*
#cgo CFLAGS: -O2 -I${SRCDIR}/../../../../include
#cgo LDFLAGS: ${SRCDIR}/../../../../target/release/libnudge.a -lm -ldl -lpthread
#include <nudge.h>
#include <stdlib.h>

static int floor_set(const nudge *store, const char *params) {
	nudge_error *error = nudge_set_hint(store, NULL, params, NULL);
	nudge_error_free(error);
	return error == NULL;
}

static size_t floor_get(const nudge *store, nudge_context **contexts, char **params, size_t count) {
	size_t done = 0;
	for (size_t i = 0; i < count; i++) {
		char *result = NULL;
		nudge_error *error = nudge_get_hint(store, contexts[i], params[i], &result);
		done += error == NULL;
		nudge_error_free(error);
		nudge_string_free(result);
	}
	return done;
}
*/
import "C"

import (
	"fmt"
	"unsafe"
)

// Store is a store with nothing of Go around it.
type Store struct {
	store    *C.nudge
	contexts []*C.nudge_context
}

// New makes a store; config and what Set takes are JSON.
func New(config string) (*Store, error) {
	text := C.CString(config)
	defer C.free(unsafe.Pointer(text))
	s := &Store{}
	if C.nudge_new(text, &s.store) != nil {
		return nil, fmt.Errorf("no store for %s", config)
	}
	return s, nil
}

// Set sets a hint.
func (s *Store) Set(params []byte) error {
	text := C.CString(string(params))
	defer C.free(unsafe.Pointer(text))
	if C.floor_set(s.store, text) == 0 {
		return fmt.Errorf("refused: %s", params)
	}
	return nil
}

// Context makes a context ready and gives its number.
func (s *Store) Context(facts []byte) (int, error) {
	text := C.CString(string(facts))
	defer C.free(unsafe.Pointer(text))
	var context *C.nudge_context
	if C.nudge_context_new(text, &context) != nil {
		return 0, fmt.Errorf("refused: %s", facts)
	}
	s.contexts = append(s.contexts, context)
	return len(s.contexts) - 1, nil
}

// Gets are calls that are ready to be made.
type Gets struct {
	store    *Store
	contexts **C.nudge_context
	params   **C.char
	count    int
}

// Ready makes calls ready, each with its params in a context. Nothing of it is
// ever freed: the program ends with the measurement.
func (s *Store) Ready(contexts []int, params [][]byte) Gets {
	size := C.size_t(unsafe.Sizeof(uintptr(0))) * C.size_t(len(params))
	gets := Gets{s, (**C.nudge_context)(C.malloc(size)), (**C.char)(C.malloc(size)), len(params)}
	for i := range params {
		unsafe.Slice(gets.contexts, gets.count)[i] = s.contexts[contexts[i]]
		unsafe.Slice(gets.params, gets.count)[i] = C.CString(string(params[i]))
	}
	return gets
}

// Run makes the calls and gives the number of those that found something.
func (g Gets) Run() int {
	return int(C.floor_get(g.store.store, g.contexts, g.params, C.size_t(g.count)))
}
