package nudge

import (
	"encoding/json"
	"time"
)

// HintSet is what a set did.
type HintSet struct {
	// Component and Key name the slot.
	Component string `json:"component"`
	Key       string `json:"key"`
	// Hint is the hint as it is now.
	Hint Hint `json:"hint"`
	// Created says whether the variant is new.
	Created bool `json:"created"`
	// Variants is how many variants the slot holds.
	Variants int `json:"variants"`
	// Proposal is what the set became, because a program must not overwrite what
	// the user has set; Hint is then the one that stands. It is nil otherwise.
	Proposal *Proposal `json:"proposal,omitempty"`
}

// HintMatch is the hint that fits best, and why.
type HintMatch struct {
	// Component and Key name the slot.
	Component string `json:"component"`
	Key       string `json:"key"`
	// Hint is the hint.
	Hint Hint `json:"hint"`
	// MatchExplain says why it was chosen.
	MatchExplain MatchExplain `json:"match_explain"`
	// Alternatives are the next ones, if they were asked for.
	Alternatives []Ranked `json:"alternatives,omitempty"`
}

// MatchExplain says why a hint was returned.
type MatchExplain struct {
	// Matched says whether the gate let the hint through.
	Matched bool `json:"matched"`
	// Score is from 0 to 1, with four decimals.
	Score float64 `json:"score"`
	// Reasons are sentences for people.
	Reasons []string `json:"reasons"`
	// Parts are the terms that add up to the score.
	Parts Parts `json:"parts"`
}

// Parts are the five terms of a score, each already weighted.
type Parts struct {
	Frecency    float64 `json:"frecency"`
	Priority    float64 `json:"priority"`
	Confidence  float64 `json:"confidence"`
	Specificity float64 `json:"specificity"`
	Recency     float64 `json:"recency"`
}

// Ranked is one of several hints, with its score.
type Ranked struct {
	// Component and Key name the slot.
	Component string `json:"component"`
	Key       string `json:"key"`
	// Hint is the hint.
	Hint Hint `json:"hint"`
	// Score is from 0 to 1, with four decimals.
	Score float64 `json:"score"`
	// MatchExplain says why it is there.
	MatchExplain MatchExplain `json:"match_explain"`
}

// Found is what a query found.
type Found struct {
	// Hints are the best ones, up to the limit.
	Hints []Ranked `json:"hints"`
	// Total is how many are eligible and fit the filters.
	Total int `json:"total"`
	// ScopedOut is how many fit the filters but are out of scope.
	ScopedOut int `json:"scoped_out"`
	// Ineligible are those, up to the limit; nil unless they were asked for.
	Ineligible []Ineligible `json:"ineligible"`
}

// Ineligible is a hint that is out of scope, without its value.
type Ineligible struct {
	// Component and Key name the slot.
	Component string `json:"component"`
	Key       string `json:"key"`
	// NearMisses are the conditions that fail.
	NearMisses []NearMiss `json:"near_misses"`
}

// Deleted is what a delete took away.
type Deleted struct {
	// Component and Key name the slot.
	Component string `json:"component"`
	Key       string `json:"key"`
	// Deleted is always true: a delete that finds nothing is an error.
	Deleted bool `json:"deleted"`
	// Previous is what was there.
	Previous Hints `json:"previous"`
}

// Hints are the variants of a slot. In JSON, one stands by itself and several
// are a list.
type Hints []Hint

// Bumped is the hint after a bump.
type Bumped struct {
	// Component and Key name the slot.
	Component string `json:"component"`
	Key       string `json:"key"`
	// Hint is the hint as it is now.
	Hint Hint `json:"hint"`
}

// Components are the components of a store.
type Components struct {
	// Components has one entry for each, sorted by name.
	Components []ComponentEntry `json:"components"`
}

// ComponentEntry is one component of a store.
type ComponentEntry struct {
	// Name is its name.
	Name string `json:"name"`
	// HintCount is how many hints it has, every variant counted.
	HintCount int `json:"hint_count"`
	// Keys are its keys, sorted, when it was asked for by name.
	Keys []string `json:"keys,omitempty"`
}

// Exported is an export.
type Exported struct {
	// Payload is the hints as JSON, ready to be written or imported. Equal
	// stores give equal bytes. To look into it, unmarshal it into a [Snapshot].
	Payload json.RawMessage `json:"payload"`
	// SecretsLeftOut is how many hints were left out because they are marked as secret.
	SecretsLeftOut int `json:"secrets_left_out"`
}

// Snapshot is the payload of an export, read.
type Snapshot struct {
	// SchemaVersion is 1.0, or 1.1 when a slot has several variants.
	SchemaVersion string `json:"schema_version"`
	// CreatedAt is when the store was made.
	CreatedAt time.Time `json:"created_at"`
	// SessionID is what the store calls its session.
	SessionID string `json:"session_id"`
	// Components are the components by name.
	Components map[string]SnapshotComponent `json:"components"`
}

// SnapshotComponent is a component of a [Snapshot].
type SnapshotComponent struct {
	// Hints are the slots by key.
	Hints map[string]Hints `json:"hints"`
}

// Imported is what an import did, or would do.
type Imported struct {
	// Imported is how many hints were taken over.
	Imported int `json:"imported"`
	// Skipped is how many were not: bad, expired, equal to or older than what is there.
	Skipped int `json:"skipped"`
	// Problems is what is wrong with the first 20 bad ones.
	Problems []Problem `json:"problems"`
}

// Problem is why one hint of a payload was not taken over.
type Problem struct {
	// Component and Key name its slot.
	Component string `json:"component"`
	Key       string `json:"key"`
	// Reason is the kind of error, such as E_SECRET_REJECTED.
	Reason string `json:"reason"`
	// Detail is one word for the case within its kind.
	Detail string `json:"detail"`
	// Message is the error in words.
	Message string `json:"message"`
}

// MarshalJSON writes a list of those out of scope only if it was asked for.
func (f Found) MarshalJSON() ([]byte, error) {
	type plain Found
	whole := struct {
		plain
		Ineligible *[]Ineligible `json:"ineligible,omitempty"`
	}{plain: plain(f)}
	if f.Ineligible != nil {
		whole.Ineligible = &f.Ineligible
	}
	return json.Marshal(whole)
}

// MarshalJSON writes one hint by itself and several as a list.
func (h Hints) MarshalJSON() ([]byte, error) {
	if len(h) == 1 {
		return json.Marshal(h[0])
	}
	return json.Marshal([]Hint(h))
}

// UnmarshalJSON reads one hint, or a list of them.
func (h *Hints) UnmarshalJSON(text []byte) error {
	r := compact(text)
	*h = r.hints()
	return r.end()
}
