package nudge

import (
	"bytes"
	"encoding/json"
	"math/bits"
	"strconv"
	"strings"
)

// reader reads JSON straight into the structs of an answer. encoding/json takes
// several times as long as the call that the answer is from.
//
// It takes JSON without white space between its parts, as the library writes it,
// and copies what it takes from it, because the library's memory is freed once it
// is read. A null is as good as absent.
type reader struct {
	text string
	at   int
	bad  bool
	// escape is where the next backslash is, as far as is known.
	escape int
	// kept are the bytes of all texts so far, and lists the texts of all lists:
	// one piece of memory each, instead of one for every text and list.
	kept  []byte
	lists []string
}

// compact gives a reader of JSON that somebody else wrote.
func compact(text []byte) reader {
	var compacted bytes.Buffer
	if json.Compact(&compacted, text) != nil {
		return reader{bad: true}
	}
	return reader{text: compacted.String()}
}

// unmarshal reads JSON that somebody else wrote.
func unmarshal(text []byte, read func(*reader)) error {
	r := compact(text)
	read(&r)
	return r.end()
}

// fail ends the reading; end will say so.
func (r *reader) fail() {
	if !r.bad {
		r.bad = true
		r.text = r.text[:r.at]
	}
}

// end says whether all of the text was read and understood.
func (r *reader) end() error {
	if !r.bad && r.at == len(r.text) {
		return nil
	}
	message := "this is not the JSON that was expected, at byte " + strconv.Itoa(r.at)
	return &Error{Code: ErrInternal.Code, Reason: ErrInternal.Reason, Message: message, Data: ErrInternal.Data}
}

// peek gives the next byte; 0 at the end.
func (r *reader) peek() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

// open begins an object or a list. Read it as in
//
//	for ok := r.open('{'); ok && r.more('}'); { … }
func (r *reader) open(bracket byte) bool {
	if r.peek() != bracket {
		r.null()
		return false
	}
	r.at++
	return true
}

// more goes on to the next part of an object or a list, if there is one.
func (r *reader) more(bracket byte) bool {
	c := r.peek()
	if c == bracket {
		r.at++
		return false
	}
	// Nothing but its beginning ends with the bracket that opens it; '[' and '{'
	// differ in this bit. A comma comes before all parts but the first.
	first := r.text[r.at-1]|0x20 == '{'
	if c == 0 || first == (c == ',') {
		r.fail()
		return false
	}
	if !first {
		r.at++
	}
	return true
}

// anyKey reads a name that a caller made up, and copies it.
func (r *reader) anyKey() string {
	if r.peek() != '"' {
		r.fail()
		return ""
	}
	name := r.string()
	if r.peek() != ':' {
		r.fail()
		return ""
	}
	r.at++
	return name
}

// key reads the name of a field, which may have no escapes.
func (r *reader) key() string {
	start := r.at + 1
	end := quote(r.text, start)
	if end < 0 || r.peek() != '"' || end >= r.escape && !r.plain(end) {
		r.fail()
		return ""
	}
	r.at = end + 1
	if r.peek() != ':' {
		r.fail()
		return ""
	}
	r.at++
	return r.text[start:end]
}

// quote gives the place of the next quotation mark, or -1. It is for names:
// they are short, and it looks at eight bytes at a time without calling anybody.
func quote(text string, at int) int {
	const each, mark, high = 0x0101010101010101, 0x2222222222222222, 0x8080808080808080
	for ; at+8 <= len(text); at += 8 {
		b := text[at : at+8]
		word := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		// A byte that is the mark becomes zero, and the first zero is the
		// first byte whose high bit the next line leaves set.
		word ^= mark
		if zeros := (word - each) &^ word & high; zeros != 0 {
			return at + bits.TrailingZeros64(zeros)/8
		}
	}
	for ; at < len(text); at++ {
		if text[at] == '"' {
			return at
		}
	}
	return -1
}

// word reads a word if it comes next.
func (r *reader) word(word string) bool {
	end := r.at + len(word)
	if end > len(r.text) || r.text[r.at:end] != word {
		return false
	}
	r.at = end
	return true
}

func (r *reader) null() {
	if !r.word("null") {
		r.fail()
	}
}

func (r *reader) bool() bool {
	if r.word("true") {
		return true
	}
	if !r.word("false") {
		r.null()
	}
	return false
}

// string reads a text.
func (r *reader) string() string {
	if r.peek() != '"' {
		r.null()
		return ""
	}
	start := r.at + 1
	length := strings.IndexByte(r.text[start:], '"')
	if length < 0 {
		r.fail()
		return ""
	}
	if end := start + length; end < r.escape || r.plain(end) {
		r.at = end + 1
		return r.keep(r.text[start:end])
	}
	return r.escaped()
}

// keep copies a text. The first piece of memory has room for most answers, of
// which about half is names and brackets.
func (r *reader) keep(text string) string {
	if len(text) > cap(r.kept)-len(r.kept) {
		r.kept = make([]byte, 0, max(len(text), len(r.text)/2))
	}
	start := len(r.kept)
	r.kept = append(r.kept, text...)
	return view(r.kept[start:])
}

// plain says whether there is no escape from here to end, and finds out where
// the next one is. Most answers have none, and are not looked through again for
// each of their texts.
func (r *reader) plain(end int) bool {
	next := strings.IndexByte(r.text[r.at:], '\\')
	if next < 0 {
		next = len(r.text)
	}
	r.escape = r.at + next
	return end < r.escape
}

// texts reads a list of texts.
func (r *reader) texts() []string {
	if r.peek() == 'n' {
		r.null()
		return nil
	}
	// No list has room to grow into the next one.
	if r.lists == nil {
		r.lists = make([]string, 0, 8)
	}
	start := len(r.lists)
	for ok := r.open('['); ok && r.more(']'); {
		r.lists = append(r.lists, r.string())
	}
	return r.lists[start:len(r.lists):len(r.lists)]
}

// words takes texts for words of one type.
func words[T ~string](texts []string) []T {
	if texts == nil {
		return nil
	}
	words := make([]T, len(texts))
	for i, text := range texts {
		words[i] = T(text)
	}
	return words
}

// raw passes over a value and gives its text, which is not copied.
func (r *reader) raw() string {
	start := r.at
	r.skip()
	return r.text[start:r.at]
}

// json passes over a value and gives a copy of its text.
func (r *reader) json() json.RawMessage {
	return json.RawMessage(r.raw())
}

// rest gives all that is left, which is not copied.
func (r *reader) rest() string {
	start := r.at
	r.at = len(r.text)
	return r.text[start:]
}
