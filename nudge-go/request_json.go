package nudge

import (
	"encoding/json"
	"fmt"
)

// MarshalJSON writes the params of set_hint.
func (r SetHint) MarshalJSON() ([]byte, error) { return marshal(r.write) }

// MarshalJSON writes the params of get_hint.
func (r GetHint) MarshalJSON() ([]byte, error) { return marshal(r.write) }

// MarshalJSON writes the params of query.
func (r Query) MarshalJSON() ([]byte, error) { return marshal(r.write) }

// MarshalJSON writes the params of delete_hint.
func (r DeleteHint) MarshalJSON() ([]byte, error) { return marshal(r.write) }

// MarshalJSON writes the params of list_components.
func (r ListComponents) MarshalJSON() ([]byte, error) { return marshal(r.write) }

// MarshalJSON writes the params of bump.
func (r Bump) MarshalJSON() ([]byte, error) { return marshal(r.write) }

// MarshalJSON writes the params of export.
func (r Export) MarshalJSON() ([]byte, error) { return marshal(r.write) }

// MarshalJSON writes the params of import.
func (r Import) MarshalJSON() ([]byte, error) { return marshal(r.write) }

// UnmarshalJSON reads the params of set_hint.
func (r *SetHint) UnmarshalJSON(text []byte) error {
	type plain SetHint
	fields := struct {
		*plain
		Value json.RawMessage `json:"value"`
	}{plain: (*plain)(r)}
	if err := json.Unmarshal(text, &fields); err != nil || fields.Value == nil {
		return err
	}
	value := compact(fields.Value)
	r.Value = value.value()
	return value.end()
}

// UnmarshalJSON reads a patch; a field that is null is one to clear.
func (m *MetaPatch) UnmarshalJSON(text []byte) error {
	type plain MetaPatch
	if err := json.Unmarshal(text, (*plain)(m)); err != nil {
		return err
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	m.Clear = nil
	for _, field := range []string{"reason", "tags", "priority", "confidence", "ttl", "sensitivity", "scope", "source", "added_by"} {
		if string(fields[field]) == "null" {
			m.Clear = append(m.Clear, field)
		}
	}
	return nil
}

// UnmarshalJSON reads the params of get_hint.
func (r *GetHint) UnmarshalJSON(text []byte) error {
	type plain GetHint
	return unmarshalIn(text, &r.Context, (*plain)(r))
}

// UnmarshalJSON reads the params of query.
func (r *Query) UnmarshalJSON(text []byte) error {
	type plain Query
	return unmarshalIn(text, &r.Context, (*plain)(r))
}

// UnmarshalJSON reads the params of delete_hint.
func (r *DeleteHint) UnmarshalJSON(text []byte) error {
	type plain DeleteHint
	return unmarshalIn(text, &r.Context, (*plain)(r))
}

// UnmarshalJSON reads the params of list_components.
func (r *ListComponents) UnmarshalJSON(text []byte) error {
	type plain ListComponents
	return unmarshalIn(text, &r.Context, (*plain)(r))
}

// UnmarshalJSON reads the params of bump.
func (r *Bump) UnmarshalJSON(text []byte) error {
	type plain Bump
	return unmarshalIn(text, &r.Context, (*plain)(r))
}

// unmarshalIn reads a request. Its context is read into a Context that is put
// there beforehand: encoding/json cannot choose one for an interface.
func unmarshalIn(text []byte, context *AnyContext, request any) error {
	var given struct{ Context *json.RawMessage }
	if err := json.Unmarshal(text, &given); err != nil {
		return err
	}
	*context = nil
	if given.Context != nil {
		*context = &Context{}
	}
	return json.Unmarshal(text, request)
}

// Format prints the request with any verb of fmt, its value masked if it is
// marked as a secret.
func (r SetHint) Format(f fmt.State, verb rune) {
	type plain SetHint
	if r.Meta.Sensitivity == Secret {
		r.Value = masked
	}
	fmt.Fprintf(f, fmt.FormatString(f, verb), plain(r))
}
