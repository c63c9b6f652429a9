package nudge

//go:generate go run ./internal/generate

import (
	"bytes"
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
	return open(config, cNew)
}

// open writes what a store is asked for with, and makes it.
func open(request any, call func(*cChar) (*cStore, error)) (*Store, error) {
	p, err := write(request)
	if err != nil {
		return nil, err
	}
	defer p.free()
	store, err := call(cText(p.json.Bytes()))
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

// Call runs any operation by its name, such as get_hint or nudge.get_hint, with
// its params as JSON, and gives the answer as JSON. No params are as good as {}. It is
// for programs that forward calls as they come. A store of [Connect] has every method of
// the session, such as nudge.search, and not only those that have a method here.
func (s *Store) Call(method string, params []byte) (answer []byte, err error) {
	if strings.IndexByte(method, 0) >= 0 || bytes.IndexByte(params, 0) >= 0 {
		return nil, invalid("", "json", "this is not JSON: there is a zero byte in it; leave it out")
	}
	if len(params) == 0 {
		params = []byte("{}")
	}
	text := append(bytes.Clone(params), 0)
	err = s.run(method+"\x00", nil, cText(text), func(text []byte) error {
		answer = bytes.Clone(text)
		return nil
	})
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
	return s.pinClock(cText(append(at.UTC().AppendFormat(nil, time.RFC3339Nano), 0)))
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

// call writes a request, runs its operation, whose name ends with a zero byte, and reads
// the answer.
func (s *Store) call(operation string, context AnyContext, request, answer any) error {
	p, err := write(request)
	if err != nil {
		return err
	}
	defer p.free()
	return s.run(operation, context, cText(p.json.Bytes()), func(text []byte) error { return read(text, answer) })
}

func (s *Store) run(operation string, context AnyContext, params *cChar, read func([]byte) error) error {
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
	return cCall(operation, store, ready, params, read)
}

// Ptr gives a pointer to a value, for the fields of requests in which zero says
// something of its own.
func Ptr[T any](value T) *T {
	return &value
}
