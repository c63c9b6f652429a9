package nudge

import (
	"strconv"
	"time"
)

// number reads the text of a number.
func (r *reader) number() string {
	start := r.at
	if r.at < len(r.text) && r.text[r.at] == '-' {
		r.at++
	}
	if r.at < len(r.text) && r.text[r.at] == '0' {
		r.at++
	} else {
		r.digits()
	}
	if r.at < len(r.text) && r.text[r.at] == '.' {
		r.at++
		r.digits()
	}
	if r.at < len(r.text) && r.text[r.at]|0x20 == 'e' {
		r.at++
		if r.at < len(r.text) && (r.text[r.at] == '+' || r.text[r.at] == '-') {
			r.at++
		}
		r.digits()
	}
	return r.text[start:r.at]
}

// digits passes over one digit or more.
func (r *reader) digits() {
	start := r.at
	for r.at < len(r.text) && r.text[r.at]-'0' <= 9 {
		r.at++
	}
	if r.at == start {
		r.fail()
	}
}

func (r *reader) uint() uint64 {
	if r.peek() == 'n' {
		r.null()
		return 0
	}
	number, err := strconv.ParseUint(r.number(), 10, 64)
	if err != nil {
		r.fail()
	}
	return number
}

func (r *reader) int() int {
	if r.peek() == 'n' {
		r.null()
		return 0
	}
	number, err := strconv.Atoi(r.number())
	if err != nil {
		r.fail()
	}
	return number
}

var powersOfTen = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12}

// float reads a number: quickly one of few digits, as scores are, and otherwise
// any. In the first case both the digits and the power of ten are exact, so that
// their quotient is the nearest number there is.
func (r *reader) float() float64 {
	start := r.at
	if start+1 < len(r.text) && r.text[start]-'0' <= 9 && r.text[start+1] == '.' {
		digits := int(r.text[start] - '0')
		for i := start + 2; i < len(r.text) && i < start+2+len(powersOfTen); i++ {
			c := r.text[i]
			if c-'0' <= 9 {
				digits = digits*10 + int(c-'0')
				continue
			}
			if decimals := i - start - 2; decimals > 0 && c|0x20 != 'e' {
				r.at = i
				return float64(digits) / powersOfTen[decimals]
			}
			break
		}
	}
	if r.peek() == 'n' {
		r.null()
		return 0
	}
	number, err := strconv.ParseFloat(r.number(), 64)
	if err != nil {
		r.fail()
	}
	return number
}

// stampLayout is a time as Nudge writes it: UTC, milliseconds, Z.
const stampLayout = "2006-01-02T15:04:05.000Z"

// time reads a time: quickly as the library writes it, and otherwise any that
// RFC 3339 allows.
func (r *reader) time() time.Time {
	text := r.string()
	if t, ok := millis(text); ok || text == "" {
		return t
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		r.fail()
	}
	return t.UTC()
}

// millis reads 2025-11-04T10:00:00.000Z, on days that every month has.
func millis(text string) (time.Time, bool) {
	const form = "0000-00-00T00:00:00.000Z"
	if len(text) != len(form) {
		return time.Time{}, false
	}
	if text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' || text[16] != ':' || text[19] != '.' || text[23] != 'Z' {
		return time.Time{}, false
	}
	year, month, day := two(text[0:])*100+two(text[2:]), two(text[5:]), two(text[8:])
	hour, minute, second, thousandth := two(text[11:]), two(text[14:]), two(text[17:]), text[22]-'0'
	nanos := (two(text[20:])*10 + int(thousandth)) * int(time.Millisecond)
	if year < 0 || month < 1 || month > 12 || day < 1 || day > 28 || hour > 23 || minute > 59 || second > 59 ||
		hour < 0 || minute < 0 || second < 0 || nanos < 0 || thousandth > 9 {
		return time.Time{}, false
	}
	return time.Date(year, time.Month(month), day, hour, minute, second, nanos, time.UTC), true
}

// two reads two digits; far below zero if they are none.
func two(text string) int {
	tens, ones := text[0]-'0', text[1]-'0'
	if tens > 9 || ones > 9 {
		return -1 << 16
	}
	return int(tens)*10 + int(ones)
}
