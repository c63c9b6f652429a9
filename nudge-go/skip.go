package nudge

import (
	"unicode/utf16"
	"unicode/utf8"
)

// pass passes over white space and gives the next byte; 0 at the end.
func (r *reader) pass() byte {
	for ; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; c {
		case ' ', '\n', '\t', '\r':
		default:
			return c
		}
	}
	return 0
}

// skip passes over one value, which must be good JSON, and may have white space
// in it. It keeps its place in a list of its own: a stack of calls could be made
// as deep as somebody likes.
func (r *reader) skip() {
	var few [64]byte
	open := few[:0]
	for {
		switch r.pass() {
		case '{':
			r.at++
			if r.pass() != '}' {
				open = append(open, '}')
				r.skipKey()
				continue
			}
			r.at++
		case '[':
			r.at++
			if r.pass() != ']' {
				open = append(open, ']')
				continue
			}
			r.at++
		case '"':
			r.skipString()
		case 't', 'f':
			r.bool()
		case 'n':
			r.null()
		default:
			r.number()
		}
		for {
			if r.bad || len(open) == 0 {
				return
			}
			c, bracket := r.pass(), open[len(open)-1]
			if c == ',' {
				r.at++
				if bracket == '}' {
					r.skipKey()
				}
				break
			}
			if c != bracket {
				r.fail()
				return
			}
			r.at++
			open = open[:len(open)-1]
		}
	}
}

func (r *reader) skipKey() {
	if r.pass() != '"' {
		r.fail()
		return
	}
	r.skipString()
	if r.pass() != ':' {
		r.fail()
		return
	}
	r.at++
}

func (r *reader) skipString() {
	for i := r.at + 1; i < len(r.text); i++ {
		switch c := r.text[i]; {
		case c == '"':
			r.at = i + 1
			return
		case c == '\\':
			_, size := escape(r.text[i:])
			if size == 0 {
				r.fail()
				return
			}
			i += size - 1
		case c < ' ':
			r.fail()
			return
		}
	}
	r.fail()
}

// escaped reads a text that has an escape.
func (r *reader) escaped() string {
	start, i := r.at+1, r.escape
	text := append(make([]byte, 0, i-start+64), r.text[start:i]...)
	for i < len(r.text) {
		switch c := r.text[i]; {
		case c == '"':
			r.at = i + 1
			return string(text)
		case c == '\\':
			letter, size := escape(r.text[i:])
			if size == 0 {
				r.fail()
				return ""
			}
			text = utf8.AppendRune(text, letter)
			i += size
		case c < ' ':
			r.fail()
			return ""
		default:
			text = append(text, c)
			i++
		}
	}
	r.fail()
	return ""
}

// escape reads an escape at the start of a text and gives its letter and how
// many bytes it takes; 0 when it is none. Half of a surrogate pair is the
// replacement character, as in encoding/json.
func escape(text string) (rune, int) {
	if len(text) < 2 {
		return 0, 0
	}
	switch c := text[1]; c {
	case '"', '\\', '/':
		return rune(c), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		unit, ok := hex4(text)
		if !ok {
			return 0, 0
		}
		if !utf16.IsSurrogate(unit) {
			return unit, 6
		}
		if low, ok := hex4(text[6:]); ok {
			if letter := utf16.DecodeRune(unit, low); letter != utf8.RuneError {
				return letter, 12
			}
		}
		return utf8.RuneError, 6
	}
	return 0, 0
}

// hex4 reads an escape of four hexadecimal digits.
func hex4(text string) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	unit := rune(0)
	for _, c := range []byte(text[2:6]) {
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c|0x20-'a' <= 5:
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		unit = unit<<4 | rune(c)
	}
	return unit, true
}
