package nudge

import (
	"bytes"
	"math"
	"sort"
	"strconv"
	"sync"
	"time"
)

// writer puts the JSON of a request together by hand: encoding/json would take
// longer than the call that the request is for, and it replaces text that is
// no UTF-8, where the library refuses it.
type writer struct {
	json []byte
	// whole is set when the JSON is for somebody else and has to say all; the
	// library is handed a prepared context beside it.
	whole bool
	// fault is the first thing that cannot be written.
	fault error
	// answer reads what comes back. It lies here because it would be on the heap
	// in any case, and this is there already.
	answer reader
}

// The largest buffer that is kept for the next call.
const keptBytes = 64 << 10

var writers = sync.Pool{New: func() any { return &writer{json: make([]byte, 0, 1024)} }}

func newWriter() *writer {
	return writers.Get().(*writer)
}

func (w *writer) free() {
	if cap(w.json) <= keptBytes {
		*w = writer{json: w.json[:0]}
		writers.Put(w)
	}
}

// marshal gives the JSON of a request as a whole.
func marshal(write func(*writer)) ([]byte, error) {
	w := writer{whole: true}
	write(&w)
	return w.json, w.fault
}

// writeNothing writes the params of an operation that has none.
func writeNothing(w *writer) {
	w.json = append(w.json, "{}"...)
}

// open begins an object or a list, of which every part begins with a comma;
// close turns the first comma into the bracket.
func (w *writer) open() int {
	return len(w.json)
}

func (w *writer) close(start int, brackets string) {
	if len(w.json) == start {
		w.json = append(w.json, brackets...)
		return
	}
	w.json[start] = brackets[0]
	w.json = append(w.json, brackets[1])
}

// name writes the name of a field, one that needs no escapes.
func (w *writer) name(name string) {
	w.json = append(w.json, ',', '"')
	w.json = append(w.json, name...)
	w.json = append(w.json, '"', ':')
}

// anyName writes the name of a field that a caller made up.
func (w *writer) anyName(name string) {
	w.json = append(w.json, ',')
	w.json = appendText(w.json, name)
	w.json = append(w.json, ':')
}

// text writes a text that may not be left out.
func (w *writer) text(name, text string) {
	w.name(name)
	w.json = appendText(w.json, text)
}

// optional writes a text unless it is empty.
func (w *writer) optional(name, text string) {
	if text != "" {
		w.text(name, text)
	}
}

// flag writes a flag if it is set.
func (w *writer) flag(name string, set bool) {
	if set {
		w.name(name)
		w.json = append(w.json, "true"...)
	}
}

// integer writes a number unless it is zero.
func (w *writer) integer(name string, number int) {
	if number != 0 {
		w.name(name)
		w.json = strconv.AppendInt(w.json, int64(number), 10)
	}
}

// count writes a number unless it is zero.
func (w *writer) count(name string, number uint64) {
	if number != 0 {
		w.name(name)
		w.json = strconv.AppendUint(w.json, number, 10)
	}
}

// number writes a number if there is one.
func (w *writer) number(name string, number *float64) {
	if number != nil {
		w.name(name)
		w.float(*number)
	}
}

func (w *writer) float(number float64) {
	if math.IsNaN(number) || math.IsInf(number, 0) {
		// JSON has no such number. As a text it is refused by the library, in
		// words that name the field.
		w.json = appendText(w.json, strconv.FormatFloat(number, 'g', -1, 64))
		return
	}
	w.json = strconv.AppendFloat(w.json, number, 'g', -1, 64)
}

// moment writes a time unless it is the zero time.
func (w *writer) moment(name string, t time.Time) {
	if !t.IsZero() {
		w.name(name)
		w.time(t)
	}
}

func (w *writer) time(t time.Time) {
	w.json = append(w.json, '"')
	w.json = t.UTC().AppendFormat(w.json, stampLayout)
	w.json = append(w.json, '"')
}

func (w *writer) null() {
	w.json = append(w.json, "null"...)
}

// dropEmpty takes back the field that was written last, from where it begins, if
// its value is an object that states nothing.
func (w *writer) dropEmpty(before int) {
	if bytes.HasSuffix(w.json, []byte(":{}")) {
		w.json = w.json[:before]
	}
}

// raw writes JSON that a caller made. It is checked first: what is no single
// value could end the object it stands in and state fields of its own.
func (w *writer) raw(field string, json []byte) {
	r := reader{text: view(json)}
	r.skip()
	r.pass()
	if r.end() != nil && w.fault == nil {
		w.fault = invalid(field, "json", "`"+field+"` is not JSON; make it with json.Marshal")
	}
	w.json = append(w.json, json...)
}

// list writes a list unless it is nil. An empty one is written: the library
// refuses it where it would silently mean everything.
func list[T ~string](w *writer, name string, texts []T) {
	if texts == nil {
		return
	}
	w.name(name)
	listOf(w, texts)
}

func listOf[T ~string](w *writer, texts []T) {
	start := w.open()
	for _, text := range texts {
		w.json = append(w.json, ',')
		w.json = appendText(w.json, string(text))
	}
	w.close(start, "[]")
}

// parts writes a list of structs unless it is nil.
func parts[T interface{ write(*writer) }](w *writer, name string, list []T) {
	if list != nil {
		w.name(name)
		partsOf(w, list)
	}
}

func partsOf[T interface{ write(*writer) }](w *writer, list []T) {
	start := w.open()
	for _, part := range list {
		w.json = append(w.json, ',')
		part.write(w)
	}
	w.close(start, "[]")
}

// table writes a map unless it is nil, its names in order.
func table[T any](w *writer, name string, entries map[string]T, write func(*writer, T)) {
	if entries == nil {
		return
	}
	names := make([]string, 0, len(entries))
	for name := range entries {
		names = append(names, name)
	}
	sort.Strings(names)
	w.name(name)
	start := w.open()
	for _, name := range names {
		w.anyName(name)
		write(w, entries[name])
	}
	w.close(start, "{}")
}

const hexDigits = "0123456789abcdef"

// appendText writes a JSON string. Bytes that are no UTF-8 stay as they are,
// for the library to refuse.
func appendText(json []byte, text string) []byte {
	json = append(json, '"')
	done := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		json = append(json, text[done:i]...)
		done = i + 1
		if c < ' ' {
			json = append(json, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		} else {
			json = append(json, '\\', c)
		}
	}
	json = append(json, text[done:]...)
	return append(json, '"')
}
