package nudge

import (
	"errors"
	"testing"
)

func TestAnAgentSpeaksForItself(t *testing.T) {
	store := newStore(t)
	set(t, store, "api", "build", "make", MetaPatch{})
	agent, err := store.As(Caller{Actor: ActorAgent, Client: "codex/1", Session: "s-1"})
	must(t, err)

	proposed, err := agent.SetHint(SetHint{Component: "api", Key: "build", Value: Text("cmake")})
	must(t, err)
	if proposed.Hint.Value != Text("make") || proposed.Proposal == nil || proposed.Proposal.Client != "codex/1" {
		t.Fatalf("%+v was not proposed", proposed)
	}
	mine, err := agent.GetHint(GetHint{Component: "api", Key: "build"})
	must(t, err)
	equal(t, mine.Proposal, &OwnProposal{ID: proposed.Proposal.ID, Value: Text("cmake")})
	users, err := store.GetHint(GetHint{Component: "api", Key: "build"})
	must(t, err)
	equal(t, users.Proposal, (*OwnProposal)(nil))

	if _, err := agent.Accept(Accept{ID: proposed.Proposal.ID}); !errors.Is(err, ErrForbidden) {
		t.Fatalf("an agent accepted: %v", err)
	}
	set(t, agent, "api", "test", "make test", MetaPatch{})
	own, err := store.GetHint(GetHint{Component: "api", Key: "test"})
	must(t, err)
	equal(t, own.Hint.Meta.Source, SourceAgent)
	equal(t, own.Hint.Meta.Origin.Session, "s-1")
}

func TestAStoreLivesUntilItsLastHandleIsClosed(t *testing.T) {
	store := newStore(t)
	set(t, store, "api", "build", "make", MetaPatch{})
	agent, err := store.As(Caller{Actor: ActorAgent})
	must(t, err)
	must(t, store.Close())
	found, err := agent.GetHint(GetHint{Component: "api", Key: "build"})
	must(t, err)
	equal(t, found.Hint.Value, Text("make"))
	must(t, agent.Close())
	if _, err := agent.As(Caller{}); !errors.Is(err, ErrClosed) {
		t.Fatalf("a closed store was given away: %v", err)
	}
}

func TestAnUnknownActorIsRefused(t *testing.T) {
	_, err := newStore(t).As(Caller{Actor: "boss"})
	equal(t, refused(t, err, ErrInvalid, "unknown_value").Field, "actor")
}
