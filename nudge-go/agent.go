package nudge

import "strconv"

// PromptBlock asks for the hints that apply as text for a prompt.
type PromptBlock struct {
	// Context says where the caller is: a Context or a *Prepared.
	Context AnyContext `json:"context"`
	// Budget is the most tokens the text may take; 400 when it is 0.
	Budget int `json:"budget"`
}

// Block is a block of text for a prompt.
type Block struct {
	// Text is empty when nothing applies.
	Text string `json:"text"`
	// Shown is how many hints it shows, LeftOut how many more apply.
	Shown   int `json:"shown"`
	LeftOut int `json:"left_out"`
}

// Event is what happened in a program that runs an agent. Only its kind is needed.
type Event struct {
	// Event is what happened.
	Event EventKind `json:"event"`
	// Host is the program, such as claude, and Session what it calls its session.
	Host    string `json:"host"`
	Session string `json:"session"`
	// Reason is why a session starts: startup, resume, clear or compact.
	Reason string `json:"reason"`
	// Command is what is about to run, or has run.
	Command string `json:"command"`
	// OK says whether it worked; without it ExitCode does, where 0 is success.
	OK       *bool `json:"ok"`
	ExitCode *int  `json:"exit_code"`
	// Output is the end of what it printed.
	Output string `json:"output"`
	// Budget is the most tokens of a text at the start of a session; 400 when it is 0.
	Budget int `json:"budget"`
	// Context says where it happened: a Context or a *Prepared.
	Context AnyContext `json:"context"`
}

// EventKind is the kind of an event. Nothing follows from one that is not known.
type EventKind string

// The kinds of events that something follows from.
const (
	SessionStart  EventKind = "session_start"
	BeforeCommand EventKind = "before_command"
	AfterCommand  EventKind = "after_command"
	SessionEnd    EventKind = "session_end"
)

// Reaction is what follows from an event; mostly nothing.
type Reaction struct {
	// Text is what the agent should be told; empty when nothing.
	Text string `json:"text,omitempty"`
	// Did is what was done besides.
	Did []Did `json:"did,omitempty"`
}

// Did is something that was done. One of the fields has the component and the
// key of a hint, such as api/build.
type Did struct {
	// Bumped is a hint that worked, Failed one that failed.
	Bumped string `json:"bumped,omitempty"`
	Failed string `json:"failed,omitempty"`
	// Proposed is a hint that waits to be accepted.
	Proposed string `json:"proposed,omitempty"`
	// Offered is a hint that the agent is told of.
	Offered string `json:"offered,omitempty"`
}

// PromptBlock writes the hints that apply as text for a prompt. The same hints
// give the same bytes, and secrets are never shown.
func (s *Store) PromptBlock(request PromptBlock) (block Block, err error) {
	err = s.call(opPromptBlock, request.Context, request.write, func(r *reader) { r.decode(&block) })
	return block, err
}

// OnEvent takes an event, and gives what the agent should be told. A command
// that equals a hint counts as a use of it or as a failure; what failed and
// then worked in another form is proposed.
func (s *Store) OnEvent(event Event) (reaction Reaction, err error) {
	err = s.call(opOnEvent, event.Context, event.write, func(r *reader) { r.decode(&reaction) })
	return reaction, err
}

// MarshalJSON writes the params of prompt_block.
func (r PromptBlock) MarshalJSON() ([]byte, error) { return marshal(r.write) }

// MarshalJSON writes the params of on_event.
func (e Event) MarshalJSON() ([]byte, error) { return marshal(e.write) }

// UnmarshalJSON reads the params of prompt_block.
func (r *PromptBlock) UnmarshalJSON(text []byte) error {
	type plain PromptBlock
	return unmarshalIn(text, &r.Context, (*plain)(r))
}

// UnmarshalJSON reads the params of on_event.
func (e *Event) UnmarshalJSON(text []byte) error {
	type plain Event
	return unmarshalIn(text, &e.Context, (*plain)(e))
}

func (r PromptBlock) write(w *writer) {
	start := w.open()
	w.context(r.Context)
	w.integer("budget", r.Budget)
	w.close(start, "{}")
}

func (e Event) write(w *writer) {
	start := w.open()
	w.text("event", string(e.Event))
	w.optional("host", e.Host)
	w.optional("session", e.Session)
	w.optional("reason", e.Reason)
	w.optional("command", e.Command)
	if e.OK != nil {
		w.name("ok")
		w.json = strconv.AppendBool(w.json, *e.OK)
	}
	if e.ExitCode != nil {
		w.name("exit_code")
		w.json = strconv.AppendInt(w.json, int64(*e.ExitCode), 10)
	}
	w.optional("output", e.Output)
	w.integer("budget", e.Budget)
	w.context(e.Context)
	w.close(start, "{}")
}
