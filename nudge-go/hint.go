package nudge

import (
	"encoding/json"
	"fmt"
	"time"
)

// Hint is one stored fact: a value, what is known about it, and its history.
//
// Printed with fmt it shows no value that is marked as a secret; as JSON it
// carries it, as every answer of Nudge does.
type Hint struct {
	// Value is the fact itself.
	Value Value `json:"value"`
	// Meta is what is known about it.
	Meta Meta `json:"meta"`
	// Version starts at 1 and rises by one with every set of this variant.
	Version uint64 `json:"version"`
	// CreatedAt is when this variant was first set.
	CreatedAt time.Time `json:"created_at"`
	// UpdatedAt is when it was last set; its time to live counts from here.
	UpdatedAt time.Time `json:"updated_at"`
	// LastUsedAt is when it was last bumped; the zero time when it never was.
	LastUsedAt time.Time `json:"last_used_at"`
	// UseCount is how often it was bumped since its value last changed.
	UseCount uint64 `json:"use_count"`
	// FailCount is how often it failed since its value last changed.
	FailCount uint64 `json:"fail_count,omitempty"`
	// FirstFailedAt is when it failed for the first time; the zero time when it never did.
	FirstFailedAt time.Time `json:"first_failed_at"`
	// LastFailedAt is when it last failed; the zero time when it never did.
	LastFailedAt time.Time `json:"last_failed_at"`
}

// Meta is what is known about a hint.
type Meta struct {
	// Reason says why the hint is right.
	Reason string `json:"reason,omitempty"`
	// Tags are in the order given; they are matched without regard to case.
	Tags []string `json:"tags,omitempty"`
	// Priority is from 1 to 10; 0 when absent, which counts as 5.
	Priority int `json:"priority,omitempty"`
	// Confidence is from 0.0 to 1.0; nil when absent, which counts as 0.5.
	Confidence *float64 `json:"confidence,omitempty"`
	// TTL is how long the hint lives; empty for the session.
	TTL string `json:"ttl,omitempty"`
	// Sensitivity says whether the value is a secret; empty when it is not.
	Sensitivity Sensitivity `json:"sensitivity,omitempty"`
	// Scope says where the hint applies; the zero scope is everywhere.
	Scope Scope `json:"scope"`
	// Source says who the hint comes from.
	Source Source `json:"source,omitempty"`
	// AddedBy says who added it, in free form.
	AddedBy string `json:"added_by,omitempty"`
	// Origin says who set the value; nil where no door of a server did.
	Origin *Origin `json:"origin,omitempty"`
}

// Origin says who set the value of a hint. A server stamps it; no caller can
// give it. A hint that a program set by the library has none.
type Origin struct {
	// Via is how the call came in, such as mcp, cli or http.
	Via string `json:"via"`
	// Client is the program that called, with its version; empty when not known.
	Client string `json:"client,omitempty"`
	// Repo is the repository that it was in; empty when not known.
	Repo string `json:"repo,omitempty"`
	// At is when the value was set; the zero time when not known.
	At time.Time `json:"at"`
	// Replaced says who had set the value that stood there before, if that was
	// another origin.
	Replaced *Replaced `json:"replaced,omitempty"`
}

// Replaced says who had set a value that another origin changed.
type Replaced struct {
	// Via is how the call came in.
	Via string `json:"via"`
	// Client is the program that called; empty when not known.
	Client string `json:"client,omitempty"`
}

// Scope is the conditions under which a hint is eligible. All that are stated
// must hold, and one whose fact a context does not give fails.
//
// A nil list states nothing. An empty one could match nothing and is refused.
type Scope struct {
	// CwdGlob are globs, micromatch style; one must match the cwd.
	CwdGlob []string `json:"cwd_glob,omitempty"`
	// Repo are repositories, such as git:org/repo; one must be the context's.
	Repo []string `json:"repo,omitempty"`
	// Branch are branches or globs of branches; one must match.
	Branch []string `json:"branch,omitempty"`
	// OS are systems; one must be the context's.
	OS []OS `json:"os,omitempty"`
	// EnvRequired are environment variables that must all be set.
	EnvRequired []string `json:"env_required,omitempty"`
	// EnvMatch are environment variables, each with the values it may have.
	EnvMatch map[string][]string `json:"env_match,omitempty"`
}

// OS is an operating system.
type OS string

// The systems that a scope, a path and a context can name.
const (
	Darwin  OS = "darwin"
	Linux   OS = "linux"
	Windows OS = "windows"
)

// Sensitivity says whether a value may be shown.
type Sensitivity string

const (
	// Secret values pass the guard, are masked wherever people look, and are
	// left out of exports.
	Secret Sensitivity = "secret"
	// Normal values may be shown.
	Normal Sensitivity = "normal"
)

// Source says who a hint comes from.
type Source string

const (
	// SourceUser is a person, or a program on its own account.
	SourceUser Source = "user"
	// SourceAgent is a coding agent.
	SourceAgent Source = "agent"
	// SourceToolOutput is the output of a tool.
	SourceToolOutput Source = "tool-output"
	// SourceFileImport is an imported file.
	SourceFileImport Source = "file-import"
)

// IsEverywhere says whether no condition is stated.
func (s Scope) IsEverywhere() bool {
	return s.CwdGlob == nil && s.Repo == nil && s.Branch == nil && s.OS == nil && s.EnvRequired == nil && s.EnvMatch == nil
}

func (s Scope) write(w *writer) {
	start := w.open()
	list(w, "cwd_glob", s.CwdGlob)
	list(w, "repo", s.Repo)
	list(w, "branch", s.Branch)
	list(w, "os", s.OS)
	list(w, "env_required", s.EnvRequired)
	table(w, "env_match", s.EnvMatch, listOf[string])
	w.close(start, "{}")
}

// Format prints the hint with any verb of fmt, its value masked if it is a secret.
func (h Hint) Format(f fmt.State, verb rune) {
	type plain Hint
	if h.Meta.Sensitivity == Secret {
		h.Value = masked
	}
	fmt.Fprintf(f, fmt.FormatString(f, verb), plain(h))
}

// stampOf is a time to write, or nothing for the zero time.
func stampOf(t *time.Time) *stamp {
	if t.IsZero() {
		return nil
	}
	return (*stamp)(t)
}

// MarshalJSON writes the hint as every other door of Nudge does.
func (h Hint) MarshalJSON() ([]byte, error) {
	type plain Hint
	whole := struct {
		plain
		CreatedAt     stamp  `json:"created_at"`
		UpdatedAt     stamp  `json:"updated_at"`
		LastUsedAt    *stamp `json:"last_used_at,omitempty"`
		FirstFailedAt *stamp `json:"first_failed_at,omitempty"`
		LastFailedAt  *stamp `json:"last_failed_at,omitempty"`
	}{
		plain: plain(h), CreatedAt: stamp(h.CreatedAt), UpdatedAt: stamp(h.UpdatedAt),
		LastUsedAt: stampOf(&h.LastUsedAt), FirstFailedAt: stampOf(&h.FirstFailedAt), LastFailedAt: stampOf(&h.LastFailedAt),
	}
	return json.Marshal(whole)
}

// UnmarshalJSON reads a hint.
func (h *Hint) UnmarshalJSON(json []byte) error {
	r := compact(json)
	*h = Hint{}
	r.hint(h)
	return r.end()
}

// MarshalJSON leaves out a scope that states nothing.
func (m Meta) MarshalJSON() ([]byte, error) {
	type plain Meta
	whole := struct {
		plain
		Scope *Scope `json:"scope,omitempty"`
	}{plain: plain(m)}
	if !m.Scope.IsEverywhere() {
		whole.Scope = &m.Scope
	}
	return json.Marshal(whole)
}

// MarshalJSON writes the origin as every other door of Nudge does.
func (o Origin) MarshalJSON() ([]byte, error) {
	whole := struct {
		Via      string    `json:"via"`
		Client   string    `json:"client,omitempty"`
		Repo     string    `json:"repo,omitempty"`
		At       *stamp    `json:"at,omitempty"`
		Replaced *Replaced `json:"replaced,omitempty"`
	}{Via: o.Via, Client: o.Client, Repo: o.Repo, Replaced: o.Replaced}
	if !o.At.IsZero() {
		whole.At = (*stamp)(&o.At)
	}
	return json.Marshal(whole)
}

// stamp is a time as Nudge writes it: UTC, milliseconds, Z. time.Time writes
// none of its zeros.
type stamp time.Time

const stampLayout = "2006-01-02T15:04:05.000Z"

func (s stamp) MarshalJSON() ([]byte, error) {
	return json.Marshal(time.Time(s).UTC().Format(stampLayout))
}
