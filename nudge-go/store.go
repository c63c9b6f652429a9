package nudge

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
	return &Store{handle: handle[*cStore]{pointer: store}}, nil
}

// Close frees the store once the calls that are under way have ended, and
// returns nil. Calls after it return [ErrClosed]; another Close does nothing.
func (s *Store) Close() error {
	s.handle.close(cFree)
	return nil
}

// SetHint sets a hint: a new one, or a variant that is there already.
func (s *Store) SetHint(request SetHint) (set HintSet, err error) {
	err = s.call(opSetHint, nil, request.write, func(r *reader) { r.hintSet(&set) })
	return set, err
}

// GetHint finds the hint of a slot that fits best where the caller is. It
// returns [ErrNotFound], with the near misses in its details, if there is none.
func (s *Store) GetHint(request GetHint) (found HintMatch, err error) {
	err = s.call(opGetHint, request.Context, request.write, func(r *reader) { r.hintMatch(&found) })
	return found, err
}

// Query finds all hints that fit some filters, the best first.
func (s *Store) Query(request Query) (found Found, err error) {
	err = s.call(opQuery, request.Context, request.write, func(r *reader) { r.found(&found) })
	return found, err
}

// DeleteHint deletes a hint. It returns [ErrNotFound] if there is none.
func (s *Store) DeleteHint(request DeleteHint) (deleted Deleted, err error) {
	err = s.call(opDeleteHint, request.Context, request.write, func(r *reader) { r.deleted(&deleted) })
	return deleted, err
}

// ListComponents lists the components.
func (s *Store) ListComponents(request ListComponents) (components Components, err error) {
	err = s.call(opListComponents, request.Context, request.write, func(r *reader) { r.decode(&components) })
	return components, err
}

// Bump counts a use of a hint, which makes it come first more often.
func (s *Store) Bump(request Bump) (bumped Bumped, err error) {
	err = s.call(opBump, request.Context, request.write, func(r *reader) { r.bumped(&bumped) })
	return bumped, err
}

// Export gives the store, or a part of it, as a payload.
func (s *Store) Export(request Export) (exported Exported, err error) {
	err = s.call(opExport, nil, request.write, func(r *reader) { r.exported(&exported) })
	return exported, err
}

// Import loads the hints of a payload.
func (s *Store) Import(request Import) (imported Imported, err error) {
	err = s.call(opImport, nil, request.write, func(r *reader) { r.decode(&imported) })
	return imported, err
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
