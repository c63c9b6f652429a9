package nudge

import (
	"encoding/json"
	"reflect"
)

// Hints are the variants of a slot. In JSON, one stands by itself and several
// are a list.
type Hints []Hint

// IsEverywhere says whether no condition is stated.
func (x Scope) IsEverywhere() bool {
	return reflect.ValueOf(x).IsZero()
}

// MarshalJSON writes one hint by itself and several as a list.
func (h Hints) MarshalJSON() ([]byte, error) {
	if len(h) == 1 {
		return json.Marshal(h[0])
	}
	return json.Marshal([]Hint(h))
}

// UnmarshalJSON reads one hint, or a list of them.
func (h *Hints) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '{' {
		*h = make(Hints, 1)
		return unmarshal(text, &(*h)[0])
	}
	return unmarshal(text, (*[]Hint)(h))
}
