package nudge

import "time"

// Time is a time of an answer, to the millisecond. It has the methods of [time.Time].
type Time struct {
	time.Time
}

// MarshalJSON writes it as every surface of Nudge does: UTC, milliseconds, Z.
func (t Time) MarshalJSON() ([]byte, error) {
	return t.UTC().AppendFormat(nil, `"2006-01-02T15:04:05.000Z"`), nil
}
