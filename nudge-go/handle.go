package nudge

import (
	"runtime"
	"sync"
)

// handle owns a pointer into the library and knows when it is still good.
//
// Calls hold it for reading, so they run side by side, and a close waits for
// those that are under way.
type handle[P comparable] struct {
	mu      sync.RWMutex
	pointer P
}

// hold gives the pointer, which stays good until release; nil when it is closed.
func (h *handle[P]) hold() P {
	h.mu.RLock()
	pointer := h.pointer
	var closed P
	if pointer == closed {
		h.mu.RUnlock()
	}
	return pointer
}

func (h *handle[P]) release() { h.mu.RUnlock() }

// close frees what the pointer means, once.
func (h *handle[P]) close(free func(P)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var closed P
	if h.pointer != closed {
		free(h.pointer)
		h.pointer = closed
	}
}

// closedWhenLost has the collector close what nobody has closed and nobody has any
// more. That may be late: it does not see how much the library holds.
func closedWhenLost[T interface{ Close() error }](owner T) T {
	runtime.SetFinalizer(owner, func(lost T) { _ = lost.Close() })
	return owner
}
