package nudge

//go:generate go run ./internal/generate

import (
	"bytes"
	"slices"
	"strings"
	"time"
)

// Store is a store of hints. It is safe for concurrent use: reads run side by
// side, writes wait for each other. Call Close when done with it.
type Store struct {
	handle handle[*cStore]
}

// New makes an empty store.
func New(config Config) (*Store, error) {
	w := newWriter()
	defer w.free()
	config.write(w)
	store, err := cNew(w.end())
	if err != nil {
		return nil, err
	}
	return closedWhenLost(&Store{handle: handle[*cStore]{pointer: store}}), nil
}

// Close frees the store once the calls that are under way have ended, and
// returns nil. Calls after it return [ErrClosed]; another Close does nothing.
func (s *Store) Close() error {
	s.handle.close(cFree)
	return nil
}

// Call runs an operation by its name, such as get_hint or nudge.get_hint, with
// its params as JSON, and gives the answer as JSON. No params are as good as
// {}. It is for programs that forward calls as they come.
func (s *Store) Call(method string, params []byte) (answer []byte, err error) {
	known := operation(strings.TrimPrefix(method, "nudge.") + "\x00")
	if !slices.Contains(operations, known) {
		var names []string
		for _, name := range operations {
			names = append(names, strings.TrimSuffix(string(name), "\x00"))
		}
		return nil, invalid("", "unknown_method",
			"there is no method `"+method+"`; it is one of `"+strings.Join(names, "`, `")+"`")
	}
	if bytes.IndexByte(params, 0) >= 0 {
		return nil, invalid("", "json", "this is not JSON: there is a zero byte in it; leave it out")
	}
	if len(params) == 0 {
		params = []byte("{}")
	}
	write := func(w *writer) { w.json = append(w.json, params...) }
	err = s.call(known, nil, write, func(r *reader) { answer = []byte(r.rest()) })
	return answer, err
}

// Sweep removes expired hints and returns the count. Reads never show them in any
// case; this frees their memory.
func (s *Store) Sweep() (int, error) {
	store := s.handle.hold()
	if store == nil {
		return 0, ErrClosed
	}
	defer s.handle.release()
	return cSweep(store)
}

// PinClock stops the clock of the store at a time, for tests and replays. Time
// still never runs backwards, so pin the clock before the first call.
func (s *Store) PinClock(at time.Time) error {
	w := newWriter()
	defer w.free()
	w.json = at.UTC().AppendFormat(w.json, time.RFC3339Nano)
	return s.pinClock(w.end())
}

// UnpinClock lets the clock of the store run again.
func (s *Store) UnpinClock() error {
	return s.pinClock(nil)
}

func (s *Store) pinClock(at *cChar) error {
	store := s.handle.hold()
	if store == nil {
		return ErrClosed
	}
	defer s.handle.release()
	return cPinClock(store, at)
}

// Here makes a context of the facts of this process, as the function [Here]
// does, and of those environment variables that the hints of the store ask for.
func (s *Store) Here(facts Context) (*Prepared, error) {
	store := s.handle.hold()
	if store == nil {
		return nil, ErrClosed
	}
	defer s.handle.release()
	return prepare(facts, func(json *cChar) (*cContext, error) { return cHere(store, json) })
}

// call writes a request, runs its operation, and has the answer read.
func (s *Store) call(operation operation, context AnyContext, write func(*writer), read func(*reader)) error {
	w := newWriter()
	defer w.free()
	write(w)
	if w.fault != nil {
		return w.fault
	}
	store := s.handle.hold()
	if store == nil {
		return ErrClosed
	}
	defer s.handle.release()
	var ready *cContext
	if prepared, is := context.(*Prepared); is {
		if ready = prepared.hold(); ready == nil {
			return ErrClosed
		}
		defer prepared.handle.release()
	}
	r := &w.answer
	err := cCall(operation, store, ready, w.end(), func(answer string) {
		r.text = answer
		read(r)
	})
	if err != nil {
		return err
	}
	return r.end()
}

// Ptr gives a pointer to a value, for the fields of requests in which zero says
// something of its own.
func Ptr[T any](value T) *T {
	return &value
}
