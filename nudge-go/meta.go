package nudge

import (
	"encoding/json"
	"slices"
)

// MarshalJSON writes what is to be taken away as null.
func (x MetaPatch) MarshalJSON() ([]byte, error) {
	type plain MetaPatch
	text, err := json.Marshal(plain(x))
	if err != nil {
		return nil, err
	}
	for _, name := range x.Clear {
		cleared, _ := json.Marshal(map[string]any{name: nil})
		if string(text) == "{}" {
			text = cleared
			continue
		}
		cleared[0] = ','
		text = append(text[:len(text)-1], cleared...)
	}
	return text, nil
}

// UnmarshalJSON reads what is null as what is to be taken away.
func (x *MetaPatch) UnmarshalJSON(text []byte) error {
	type plain MetaPatch
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	for name, value := range fields {
		if string(value) == "null" {
			x.Clear = append(x.Clear, name)
		}
	}
	slices.Sort(x.Clear)
	return json.Unmarshal(text, (*plain)(x))
}
