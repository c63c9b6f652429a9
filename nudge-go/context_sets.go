package nudge

// SetContext says what is being worked on.
type SetContext struct {
	// Sets has the items of each set, the newest last; none to take a set away.
	Sets map[string][]string `json:"sets"`
	// Mode says what becomes of the items that a named set has; they go when it is empty.
	Mode ContextMode `json:"mode"`
}

// ContextMode says what becomes of the items that a context set has.
type ContextMode string

const (
	// ReplaceItems lets them go. Sets that are not named stay as they are.
	ReplaceItems ContextMode = "replace"
	// MergeItems keeps them beside the new ones.
	MergeItems ContextMode = "merge"
)

// GetContext asks what is being worked on.
type GetContext struct {
	// Name asks for this set alone; for all when it is empty.
	Name string `json:"name"`
}

// ContextSets is what is being worked on.
type ContextSets struct {
	// Sets has the items of each set, the newest last.
	Sets map[string][]string `json:"sets"`
	// Dropped is what had to go to make room, the oldest first.
	Dropped map[string][]string `json:"dropped,omitempty"`
	// Nearest has, for a new set whose name is like one that is known, that one.
	Nearest map[string]string `json:"nearest,omitempty"`
	// Gone is how many files no longer exist; they are not listed.
	Gone map[string]int `json:"gone,omitempty"`
}

// SetContext says what is being worked on, in named sets. A set has 10 items at
// most and all have 50: the newest stay, and the answer says what went.
func (s *Store) SetContext(request SetContext) (sets ContextSets, err error) {
	err = s.call(opSetContext, nil, request.write, func(r *reader) { r.decode(&sets) })
	return sets, err
}

// GetContext tells what is being worked on. It returns [ErrNotFound] for a set
// that nobody knows.
func (s *Store) GetContext(request GetContext) (sets ContextSets, err error) {
	err = s.call(opGetContext, nil, request.write, func(r *reader) { r.decode(&sets) })
	return sets, err
}

// MarshalJSON writes the params of set_context.
func (r SetContext) MarshalJSON() ([]byte, error) { return marshal(r.write) }

// MarshalJSON writes the params of get_context.
func (r GetContext) MarshalJSON() ([]byte, error) { return marshal(r.write) }

func (r SetContext) write(w *writer) {
	start := w.open()
	table(w, "sets", r.Sets, listOf[string])
	w.optional("mode", string(r.Mode))
	w.close(start, "{}")
}

func (r GetContext) write(w *writer) {
	start := w.open()
	w.optional("name", r.Name)
	w.close(start, "{}")
}
