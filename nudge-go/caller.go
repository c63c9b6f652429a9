package nudge

// Caller is who calls: on whose behalf, by which program, in which agent session.
type Caller struct {
	// Actor is on whose behalf; the user when empty.
	Actor Actor `json:"actor,omitzero"`
	// Client is the program, with its version, such as codex/0.166.
	Client string `json:"client,omitzero"`
	// Session is the agent session that it is in, as its host calls it.
	Session string `json:"session,omitzero"`
}

// Actor is on whose behalf a call is made.
type Actor string

// The words of Actor.
const (
	ActorUser    Actor = "user"
	ActorAgent   Actor = "agent"
	ActorHook    Actor = "hook"
	ActorProgram Actor = "program"
)

// As gives the same store to somebody else: what is called on it, caller calls.
//
// On a store of [New] the user calls, who may do everything. What an agent sets
// says so, and never takes the place of what the user has set; what is the
// user's alone gives it [ErrForbidden]. Close ends what As has given and not the
// store, which lives until the last of them is closed.
func (s *Store) As(caller Caller) (*Store, error) {
	store := s.handle.hold()
	if store == nil {
		return nil, ErrClosed
	}
	defer s.handle.release()
	return open(caller, func(json *cChar) (*cStore, error) { return cAs(store, json) })
}
