package nudge

import (
	"encoding/json"
	"strconv"
)

// SetHint asks for a hint to be set: a new one, or a variant that is there already.
type SetHint struct {
	// Component and Key name the slot.
	Component string `json:"component"`
	Key       string `json:"key"`
	// Value is what the hint says.
	Value Value `json:"value"`
	// Meta is what is known about it.
	Meta MetaPatch `json:"meta"`
	// IfMatchVersion is the version that the variant must have; 0 for "must not exist".
	IfMatchVersion *uint64 `json:"if_match_version"`
}

// MetaPatch is what a set changes about the meta of a hint: what is given is
// set, what is left out stays, and what Clear names is taken away.
type MetaPatch struct {
	// Reason says why the hint is right, in up to 1 KiB.
	Reason string `json:"reason"`
	// Tags are up to 16 words of up to 64 bytes.
	Tags []string `json:"tags"`
	// Priority is from 1 to 10.
	Priority int `json:"priority"`
	// Confidence is from 0.0 to 1.0.
	Confidence *float64 `json:"confidence"`
	// TTL is how long the hint lives: session, or an ISO 8601 duration such as PT2H.
	TTL string `json:"ttl"`
	// Sensitivity marks a secret, which lets it past the guard.
	Sensitivity Sensitivity `json:"sensitivity"`
	// Scope says which variant is meant; one that states nothing is the one
	// that applies everywhere. Without a scope, the only variant is meant.
	Scope *Scope `json:"scope"`
	// Source says who the hint comes from.
	Source Source `json:"source"`
	// AddedBy says who added it, in free form.
	AddedBy string `json:"added_by"`
	// Clear names the fields to take away, in the words of JSON: reason, tags, priority, …
	Clear []string `json:"-"`
}

// GetHint asks for the hint of a slot that fits best.
type GetHint struct {
	// Component and Key name the slot.
	Component string `json:"component"`
	Key       string `json:"key"`
	// Context says where the caller is: a Context or a *Prepared.
	Context AnyContext `json:"context"`
	// Alternatives is how many more eligible variants to return, from 0 to 20.
	Alternatives int `json:"alternatives"`
}

// Query asks for all hints that fit some filters, the best first. The filters
// combine by AND; within Keys and Tags one is enough.
type Query struct {
	// Component, Keys and Tags filter by what hints are called.
	Component string   `json:"component"`
	Keys      []string `json:"keys"`
	Tags      []string `json:"tags"`
	// TagsMode says whether one of the tags is enough; it is by default.
	TagsMode TagsMode `json:"tags_mode"`
	// Regex must be found in the key, the value, the tags or the reason; up to 512 bytes.
	Regex string `json:"regex"`
	// Context says where the caller is: a Context or a *Prepared.
	Context AnyContext `json:"context"`
	// Limit is the most hints to return, from 1 to 100; 10 when it is 0.
	Limit int `json:"limit"`
	// IncludeIneligible asks for those out of scope as well, without their values.
	IncludeIneligible bool `json:"include_ineligible"`
}

// TagsMode says whether a hint needs one of the tags of a query or all of them.
type TagsMode string

// The ways to take the tags of a query.
const (
	AnyTag  TagsMode = "any"
	AllTags TagsMode = "all"
)

// DeleteHint asks for a hint to be deleted. Scope, Context and All choose among
// several variants; give one of them, or none when there is only one.
type DeleteHint struct {
	// Component and Key name the slot.
	Component string `json:"component"`
	Key       string `json:"key"`
	// Scope means the variant with this scope.
	Scope *Scope `json:"scope"`
	// Context means the variant that a get would choose there.
	Context AnyContext `json:"context"`
	// All means every variant.
	All bool `json:"all"`
}

// ListComponents asks which components there are.
type ListComponents struct {
	// Component asks for this one alone, with its keys.
	Component string `json:"component"`
	// Context counts only what is eligible there.
	Context AnyContext `json:"context"`
}

// Outcome is what came of using a hint.
type Outcome string

// The outcomes there are.
const (
	OK   Outcome = "ok"
	Fail Outcome = "fail"
)

// Bump tells what came of using a hint: it is reinforced when it proved useful,
// and trusted less when it failed. Scope and Context choose among several
// variants; give one of them, or none when there is only one.
type Bump struct {
	// Component and Key name the slot.
	Component string `json:"component"`
	Key       string `json:"key"`
	// Delta is how many uses to add, from 1 to 1,000; 1 when it is 0.
	Delta int `json:"delta"`
	// Outcome says whether they worked; that they did when it is empty.
	Outcome Outcome `json:"outcome"`
	// Scope means the variant with this scope.
	Scope *Scope `json:"scope"`
	// Context means the variant that a get would choose there.
	Context AnyContext `json:"context"`
}

// Export asks for the store, or a part of it, as a payload.
type Export struct {
	// Format is json, the only one, also when it is empty.
	Format string `json:"format"`
	// Component asks for this one alone.
	Component string `json:"component"`
	// Tags asks for hints with one of these alone.
	Tags []string `json:"tags"`
	// IncludeSecrets asks for hints that are marked as secret as well.
	IncludeSecrets bool `json:"include_secrets"`
}

// Import asks for the hints of a payload to be taken over.
type Import struct {
	// Payload is what an export gave.
	Payload json.RawMessage `json:"payload"`
	// Mode says whether the payload joins what is there, as it does by default.
	Mode ImportMode `json:"mode"`
	// DryRun asks only what would happen.
	DryRun bool `json:"dry_run"`
}

// ImportMode says what an import does with what is there.
type ImportMode string

const (
	// Merge adds to what is there; the newer one of two hints wins.
	Merge ImportMode = "merge"
	// Replace puts the payload in the place of the store, if all of it is good.
	Replace ImportMode = "replace"
)

// Ptr gives a pointer to a value, for the fields of requests in which zero says
// something of its own.
func Ptr[T any](value T) *T {
	return &value
}

// hint writes what a hint is to say, and where.
func (w *writer) hint(component, key string, value Value, meta MetaPatch) {
	w.text("component", component)
	w.text("key", key)
	if value != nil {
		w.name("value")
		value.write(w)
	}
	meta.write(w)
}

func (r SetHint) write(w *writer) {
	start := w.open()
	w.hint(r.Component, r.Key, r.Value, r.Meta)
	if r.IfMatchVersion != nil {
		w.name("if_match_version")
		w.json = strconv.AppendUint(w.json, *r.IfMatchVersion, 10)
	}
	w.close(start, "{}")
}

// write leaves out a patch that changes nothing.
func (m MetaPatch) write(w *writer) {
	outside := len(w.json)
	w.name("meta")
	start := w.open()
	w.optional("reason", m.Reason)
	list(w, "tags", m.Tags)
	w.integer("priority", m.Priority)
	w.number("confidence", m.Confidence)
	w.optional("ttl", m.TTL)
	w.optional("sensitivity", string(m.Sensitivity))
	w.scope(m.Scope)
	w.optional("source", string(m.Source))
	w.optional("added_by", m.AddedBy)
	for _, field := range m.Clear {
		w.anyName(field)
		w.json = append(w.json, "null"...)
	}
	if len(w.json) == start {
		w.json = w.json[:outside]
		return
	}
	w.close(start, "{}")
}

func (r GetHint) write(w *writer) {
	start := w.open()
	w.text("component", r.Component)
	w.text("key", r.Key)
	w.context(r.Context)
	w.integer("alternatives", r.Alternatives)
	w.close(start, "{}")
}

func (r Query) write(w *writer) {
	start := w.open()
	w.optional("component", r.Component)
	list(w, "keys", r.Keys)
	list(w, "tags", r.Tags)
	w.optional("tags_mode", string(r.TagsMode))
	w.optional("regex", r.Regex)
	w.context(r.Context)
	w.integer("limit", r.Limit)
	w.flag("include_ineligible", r.IncludeIneligible)
	w.close(start, "{}")
}

func (r DeleteHint) write(w *writer) {
	start := w.open()
	w.text("component", r.Component)
	w.text("key", r.Key)
	w.scope(r.Scope)
	w.context(r.Context)
	w.flag("all", r.All)
	w.close(start, "{}")
}

func (r ListComponents) write(w *writer) {
	start := w.open()
	w.optional("component", r.Component)
	w.context(r.Context)
	w.close(start, "{}")
}

func (r Bump) write(w *writer) {
	start := w.open()
	w.text("component", r.Component)
	w.text("key", r.Key)
	w.integer("delta", r.Delta)
	w.optional("outcome", string(r.Outcome))
	w.scope(r.Scope)
	w.context(r.Context)
	w.close(start, "{}")
}

func (r Export) write(w *writer) {
	start := w.open()
	w.optional("format", r.Format)
	w.optional("component", r.Component)
	list(w, "tags", r.Tags)
	w.flag("include_secrets", r.IncludeSecrets)
	w.close(start, "{}")
}

func (r Import) write(w *writer) {
	start := w.open()
	if r.Payload != nil {
		w.name("payload")
		w.raw("payload", r.Payload)
	}
	w.optional("mode", string(r.Mode))
	w.flag("dry_run", r.DryRun)
	w.close(start, "{}")
}

func (w *writer) scope(scope *Scope) {
	if scope != nil {
		w.name("scope")
		scope.write(w)
	}
}
