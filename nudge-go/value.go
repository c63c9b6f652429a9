package nudge

import "encoding/json"

// Value is what a hint says: a [Text], a [Command], a [Path], a [Template] or a
// [JSON]. Nothing of it is ever executed.
//
// A type switch tells which one it is. An answer may hold an [Unknown] when the
// library is newer than this package.
type Value interface {
	// String is the text a person means by the value: the text, the command
	// line, the path, the body of the template, or the JSON.
	String() string
	write(*writer)
}

// Text is plain text.
type Text string

// Command is a command line, to be checked before anybody runs it.
type Command struct {
	// Shell is the shell it is written for; empty for no particular one.
	Shell Shell
	// Cmd is the command line.
	Cmd string
}

// Path is an absolute path, POSIX, with a Windows drive, or UNC.
type Path struct {
	// OS are the systems on which the path is meant; they narrow the scope of the hint.
	OS []OS
	// Abs is the path, without "..".
	Abs string
}

// Template is a text with blanks to fill in; Nudge stores it and never fills it in.
type Template struct {
	// Format is the template language.
	Format TemplateFormat
	// Body is the text.
	Body string
	// Defaults are values for blanks that a caller leaves open.
	Defaults map[string]string
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

func (t Text) write(w *writer) {
	w.json = appendText(w.json, string(t))
}

func (c Command) write(w *writer) {
	start := w.open()
	w.text("type", "command")
	w.optional("shell", string(c.Shell))
	w.text("cmd", c.Cmd)
	w.close(start, "{}")
}

func (p Path) write(w *writer) {
	start := w.open()
	w.text("type", "path")
	list(w, "os", p.OS)
	w.text("abs", p.Abs)
	w.close(start, "{}")
}

func (t Template) write(w *writer) {
	start := w.open()
	w.text("type", "template")
	w.text("format", string(t.Format))
	w.text("body", t.Body)
	table(w, "defaults", t.Defaults, func(w *writer, text string) { w.json = appendText(w.json, text) })
	w.close(start, "{}")
}

func (j JSON) write(w *writer) {
	start := w.open()
	w.text("type", "json")
	w.name("data")
	w.raw("value.data", j)
	w.close(start, "{}")
}

func (u Unknown) write(w *writer) {
	w.raw("value", u)
}

// MarshalJSON writes the value with its type.
func (c Command) MarshalJSON() ([]byte, error) { return marshal(c.write) }

// MarshalJSON writes the value with its type.
func (p Path) MarshalJSON() ([]byte, error) { return marshal(p.write) }

// MarshalJSON writes the value with its type.
func (t Template) MarshalJSON() ([]byte, error) { return marshal(t.write) }

// MarshalJSON writes the value with its type.
func (j JSON) MarshalJSON() ([]byte, error) { return marshal(j.write) }

// MarshalJSON writes the value as it was read.
func (u Unknown) MarshalJSON() ([]byte, error) { return marshal(u.write) }
