package nudge

// Session says how to join the session of this machine; what is left out has its default.
type Session struct {
	// RuntimeDir is the folder of the session; that of NUDGE_RUNTIME_DIR, or the
	// usual one, when empty.
	RuntimeDir string `json:"runtime_dir,omitzero"`
	// Program is the path of nudge, by which a server is started where none answers;
	// the one on the PATH when empty.
	Program string `json:"program,omitzero"`
	// Start says whether one may be started; it may by default.
	Start *bool `json:"start,omitzero"`
	// Client is the program that joins, with its version, such as my-tool/1.
	Client string `json:"client,omitzero"`
}

// Connect joins the session of this machine, which agents, the terminal and hooks
// use. The store has the methods of one of your own; each asks the server of the
// session, which is started where none answers, and may give [ErrUnavailable].
//
// By it a program calls and never the user: what the user has set, it can only
// propose to change. [Store.As] makes it an agent or a hook.
func Connect(session Session) (*Store, error) {
	return open(session, cConnect)
}
