package nudge

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// Proposal is a hint that waits for somebody to accept it.
type Proposal struct {
	// ID is what it is accepted or rejected by, from 1.
	ID uint64 `json:"id"`
	// Component and Key name the slot.
	Component string `json:"component"`
	Key       string `json:"key"`
	// Hint is the hint as it would be.
	Hint Hint `json:"hint"`
	// Why says why it is only proposed.
	Why string `json:"why"`
}

// Propose asks for a hint to be proposed instead of set.
type Propose struct {
	// Component and Key name the slot.
	Component string `json:"component"`
	Key       string `json:"key"`
	// Value is what the hint says.
	Value Value `json:"value"`
	// Meta is what is known about it.
	Meta MetaPatch `json:"meta"`
	// Why says why it is proposed, in up to 1 KiB.
	Why string `json:"why"`
}

// ListProposals asks which proposals wait.
type ListProposals struct{}

// Accept asks for a proposal to be set, or to be dropped.
type Accept struct {
	// ID is the number of the proposal.
	ID uint64 `json:"id"`
}

// Proposed is a proposal that waits, or that was rejected.
type Proposed struct {
	Proposal Proposal `json:"proposal"`
}

// Proposals are those that wait.
type Proposals struct {
	// Proposals has each of them, the oldest first.
	Proposals []Proposal `json:"proposals"`
}

// Propose proposes a hint: it is never served until it is accepted. It returns
// [ErrConflict] if the hint says so already.
func (s *Store) Propose(request Propose) (proposed Proposed, err error) {
	err = s.call(opPropose, nil, request.write, func(r *reader) { r.proposed(&proposed) })
	return proposed, err
}

// ListProposals lists the proposals that wait, of which there are 50 at most.
func (s *Store) ListProposals(request ListProposals) (proposals Proposals, err error) {
	err = s.call(opListProposals, nil, request.write, func(r *reader) { r.proposals(&proposals) })
	return proposals, err
}

// Accept sets the hint of a proposal, as the user's own. It returns
// [ErrNotFound] if the proposal does not wait.
func (s *Store) Accept(request Accept) (set HintSet, err error) {
	err = s.call(opAccept, nil, request.write, func(r *reader) { r.hintSet(&set) })
	return set, err
}

// Reject drops a proposal. It returns [ErrNotFound] if the proposal does not wait.
func (s *Store) Reject(request Accept) (rejected Proposed, err error) {
	err = s.call(opReject, nil, request.write, func(r *reader) { r.proposed(&rejected) })
	return rejected, err
}

// MarshalJSON writes the params of propose.
func (r Propose) MarshalJSON() ([]byte, error) { return marshal(r.write) }

// UnmarshalJSON reads the params of propose.
func (r *Propose) UnmarshalJSON(text []byte) error {
	type plain Propose
	fields := struct {
		*plain
		Value json.RawMessage `json:"value"`
	}{plain: (*plain)(r)}
	if err := json.Unmarshal(text, &fields); err != nil || fields.Value == nil {
		return err
	}
	value := compact(fields.Value)
	r.Value = value.value()
	return value.end()
}

// Format prints the request with any verb of fmt, its value masked if it is
// marked as a secret.
func (r Propose) Format(f fmt.State, verb rune) {
	type plain Propose
	if r.Meta.Sensitivity == Secret {
		r.Value = masked
	}
	fmt.Fprintf(f, fmt.FormatString(f, verb), plain(r))
}

func (r Propose) write(w *writer) {
	start := w.open()
	w.hint(r.Component, r.Key, r.Value, r.Meta)
	w.text("why", r.Why)
	w.close(start, "{}")
}

func (ListProposals) write(w *writer) {
	w.close(w.open(), "{}")
}

func (r Accept) write(w *writer) {
	start := w.open()
	w.name("id")
	w.json = strconv.AppendUint(w.json, r.ID, 10)
	w.close(start, "{}")
}

func (r *reader) proposal(proposal *Proposal) {
	for ok := r.open('{'); ok && r.more('}'); {
		switch r.key() {
		case "id":
			proposal.ID = r.uint()
		case "component":
			proposal.Component = r.string()
		case "key":
			proposal.Key = r.string()
		case "hint":
			r.hint(&proposal.Hint)
		case "why":
			proposal.Why = r.string()
		default:
			r.skip()
		}
	}
}

func (r *reader) proposed(proposed *Proposed) {
	for ok := r.open('{'); ok && r.more('}'); {
		switch r.key() {
		case "proposal":
			r.proposal(&proposed.Proposal)
		default:
			r.skip()
		}
	}
}

func (r *reader) proposals(proposals *Proposals) {
	proposals.Proposals = []Proposal{}
	for ok := r.open('{'); ok && r.more('}'); {
		switch r.key() {
		case "proposals":
			for ok := r.open('['); ok && r.more(']'); {
				proposals.Proposals = append(proposals.Proposals, Proposal{})
				r.proposal(&proposals.Proposals[len(proposals.Proposals)-1])
			}
		default:
			r.skip()
		}
	}
}
