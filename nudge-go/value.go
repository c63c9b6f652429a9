package nudge

import (
	"bytes"
	"encoding/json"
)

// Value is what a hint says: a [Text], a [Command], a [Path], a [Template] or a
// [JSON]. Nothing of it is ever executed.
//
// A type switch tells which one it is. An answer may hold an [Unknown] when the
// library is newer than this package.
type Value interface {
	// String is the text a person means by the value: the text, the command
	// line, the path, the body of the template, or the JSON.
	String() string
	isValue()
}

// Text is plain text.
type Text string

// Command is a command line, to be checked before anybody runs it.
type Command struct {
	// Shell is the shell it is written for; empty for no particular one.
	Shell Shell `json:"shell,omitzero"`
	// Cmd is the command line.
	Cmd string `json:"cmd"`
}

// Path is an absolute path, POSIX, with a Windows drive, or UNC.
type Path struct {
	// OS are the systems on which the path is meant; they narrow the scope of the hint.
	OS []OS `json:"os,omitzero"`
	// Abs is the path, without "..".
	Abs string `json:"abs"`
}

// Template is a text with blanks to fill in; Nudge stores it and never fills it in.
type Template struct {
	// Format is the template language.
	Format TemplateFormat `json:"format"`
	// Body is the text.
	Body string `json:"body"`
	// Defaults are values for blanks that a caller leaves open.
	Defaults map[string]string `json:"defaults,omitzero"`
}

// JSON is any JSON value, as json.Marshal gives it.
type JSON json.RawMessage

// Unknown is a value of a kind that this package does not know, as JSON. It
// can be stored again as it is.
type Unknown json.RawMessage

// masked stands where a secret would be shown.
const masked = Text("***")

// String gives the text.
func (t Text) String() string { return string(t) }

// String gives the command line.
func (c Command) String() string { return c.Cmd }

// String gives the path.
func (p Path) String() string { return p.Abs }

// String gives the body.
func (t Template) String() string { return t.Body }

// String gives the JSON.
func (j JSON) String() string { return string(j) }

// String gives the JSON.
func (u Unknown) String() string { return string(u) }

func (t Text) isValue()     {}
func (c Command) isValue()  {}
func (p Path) isValue()     {}
func (t Template) isValue() {}
func (j JSON) isValue()     {}
func (u Unknown) isValue()  {}

// MarshalJSON writes the value with its type.
func (c Command) MarshalJSON() ([]byte, error) {
	type plain Command
	return typed("command", plain(c))
}

// MarshalJSON writes the value with its type.
func (p Path) MarshalJSON() ([]byte, error) {
	type plain Path
	return typed("path", plain(p))
}

// MarshalJSON writes the value with its type.
func (t Template) MarshalJSON() ([]byte, error) {
	type plain Template
	return typed("template", plain(t))
}

// MarshalJSON writes the value with its type.
func (j JSON) MarshalJSON() ([]byte, error) {
	text, err := checked("value.data", j)
	return append(append([]byte(`{"type":"json","data":`), text...), '}'), err
}

// MarshalJSON writes the value as it was read.
func (u Unknown) MarshalJSON() ([]byte, error) {
	return checked("value", u)
}

// typed writes a struct, at least one of whose fields is never left out, with its type.
func typed(kind string, value any) ([]byte, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return append([]byte(`{"type":"`+kind+`",`), text[1:]...), nil
}

// checked refuses what is no single value of JSON, and names the field.
func checked(field string, text []byte) ([]byte, error) {
	if !json.Valid(text) {
		return nil, invalid(field, "json", "`"+field+"` is not JSON; make it with json.Marshal")
	}
	return text, nil
}

// anyValue reads a value of any kind; null is none.
type anyValue struct {
	Value
}

// UnmarshalJSON finds out which kind it is.
func (a *anyValue) UnmarshalJSON(text []byte) error {
	var err error
	switch text[0] {
	case '"':
		var read string
		err = json.Unmarshal(text, &read)
		a.Value = Text(read)
	case '{':
		return a.object(text)
	case 'n':
		a.Value = nil
	default:
		a.Value = Unknown(bytes.Clone(text))
	}
	return err
}

func (a *anyValue) object(text []byte) error {
	var read struct {
		Type string `json:"type"`
		Command
		Path
		Template
		Data json.RawMessage `json:"data"`
	}
	err := json.Unmarshal(text, &read)
	switch {
	case read.Type == "command":
		a.Value = read.Command
	case read.Type == "path":
		a.Value = read.Path
	case read.Type == "template":
		a.Value = read.Template
	case read.Type == "json" && read.Data != nil:
		a.Value = JSON(read.Data)
	default:
		// Of a newer kind, and what its fields are is not known.
		a.Value, err = Unknown(bytes.Clone(text)), nil
	}
	return err
}
