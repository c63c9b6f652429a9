package nudge

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestAProgramDoesNotOverwriteTheUser(t *testing.T) {
	store := newStore(t)
	set(t, store, "api", "build", "make", MetaPatch{})
	set, err := store.SetHint(SetHint{Component: "api", Key: "build", Value: Text("cmake"), Meta: MetaPatch{Source: SourceAgent}})
	must(t, err)
	equal(t, []Value{set.Hint.Value, set.Proposal.Hint.Value}, []Value{Text("make"), Text("cmake")})
	waiting, err := store.ListProposals(ListProposals{})
	must(t, err)
	set.Proposal.Stands = "make"
	equal(t, waiting.Proposals, []Proposal{*set.Proposal})
	accepted, err := store.Accept(Accept{ID: set.Proposal.ID})
	must(t, err)
	equal(t, []any{accepted.Hint.Value, accepted.Hint.Meta.Source, accepted.Proposal}, []any{Text("cmake"), SourceUser, (*Proposal)(nil)})
	if _, err := store.Reject(Accept{ID: set.Proposal.ID}); !errors.Is(err, ErrNotFound) {
		t.Fatalf("a proposal that is gone was rejected: %v", err)
	}
}

func TestASecretThatIsProposedIsNotPrinted(t *testing.T) {
	request := Propose{Component: "api", Key: "test", Value: Text("swordfish"), Why: "w", Meta: MetaPatch{Sensitivity: Secret}}
	proposed, err := newStore(t).Propose(request)
	must(t, err)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		if printed := fmt.Sprintf(verb, request) + fmt.Sprintf(verb, proposed); strings.Contains(printed, "swordfish") {
			t.Errorf("%s prints the secret: %s", verb, printed)
		}
	}
}
