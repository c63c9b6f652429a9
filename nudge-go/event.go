package nudge

// EventKind is the kind of an event. Nothing follows from one that is not known.
type EventKind string

// The kinds of events that most harnesses tell of; nudge.on_event knows more.
const (
	SessionStart  EventKind = "session_start"
	BeforeCommand EventKind = "before_command"
	AfterCommand  EventKind = "after_command"
	SessionEnd    EventKind = "session_end"
)
