package nudge

import "reflect"

// Hints are the variants of a slot. In JSON, one stands by itself and several
// are a list.
type Hints []Hint

// IsEverywhere says whether no condition is stated.
func (x Scope) IsEverywhere() bool {
	return reflect.ValueOf(x).IsZero()
}

// MarshalJSON writes one hint by itself and several as a list.
func (h Hints) MarshalJSON() ([]byte, error) { return marshal(h.write) }

// UnmarshalJSON reads one hint, or a list of them.
func (h *Hints) UnmarshalJSON(text []byte) error {
	return unmarshal(text, func(r *reader) { *h = r.hints() })
}

func (h Hints) write(w *writer) {
	if len(h) == 1 {
		h[0].write(w)
	} else {
		partsOf(w, h)
	}
}

// hints reads one hint, or a list of them.
func (r *reader) hints() Hints {
	if r.peek() == '{' {
		hints := make(Hints, 1)
		hints[0].read(r)
		return hints
	}
	hints := Hints{}
	for ok := r.open('['); ok && r.more(']'); {
		hints = append(hints, Hint{})
		hints[len(hints)-1].read(r)
	}
	return hints
}
