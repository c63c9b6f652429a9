package nudge

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func TestAProgramDoesNotOverwriteTheUser(t *testing.T) {
	store := newStore(t)
	if _, err := store.SetHint(SetHint{Component: "api", Key: "build", Value: Text("make")}); err != nil {
		t.Fatal(err)
	}
	set, err := store.SetHint(SetHint{Component: "api", Key: "build", Value: Text("cmake"), Meta: MetaPatch{Source: SourceAgent}})
	if err != nil {
		t.Fatal(err)
	}
	if set.Hint.Value != Text("make") || set.Proposal == nil || set.Proposal.Hint.Value != Text("cmake") {
		t.Fatalf("%v was not proposed", set)
	}
	waiting, err := store.ListProposals(ListProposals{})
	if err != nil || len(waiting.Proposals) != 1 || !reflect.DeepEqual(waiting.Proposals[0], *set.Proposal) {
		t.Fatalf("%v waits, %v", waiting, err)
	}
	accepted, err := store.Accept(Accept{ID: set.Proposal.ID})
	if err != nil || accepted.Hint.Value != Text("cmake") || accepted.Hint.Meta.Source != SourceUser || accepted.Proposal != nil {
		t.Fatalf("%v was accepted, %v", accepted, err)
	}
	if _, err := store.Reject(Accept{ID: set.Proposal.ID}); !errors.Is(err, ErrNotFound) {
		t.Fatalf("a proposal that is gone was rejected: %v", err)
	}
}

func TestAProposalIsNeverServedAndCanBeRejected(t *testing.T) {
	store := newStore(t)
	request := Propose{Component: "api", Key: "test", Value: Command{Cmd: "make test"}, Why: "it worked"}
	proposed, err := store.Propose(request)
	if err != nil || proposed.Proposal.ID != 1 || proposed.Proposal.Why != "it worked" {
		t.Fatalf("%v was proposed, %v", proposed, err)
	}
	if _, err := store.GetHint(GetHint{Component: "api", Key: "test"}); !errors.Is(err, ErrNotFound) {
		t.Fatalf("a proposal was served: %v", err)
	}
	rejected, err := store.Reject(Accept{ID: 1})
	if err != nil || !reflect.DeepEqual(rejected, proposed) {
		t.Fatalf("%v was rejected, %v", rejected, err)
	}
}

func TestASecretThatIsProposedIsNotPrinted(t *testing.T) {
	request := Propose{Component: "api", Key: "test", Value: Text("swordfish"), Why: "w", Meta: MetaPatch{Sensitivity: Secret}}
	proposed, err := newStore(t).Propose(request)
	if err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		if printed := fmt.Sprintf(verb, request) + fmt.Sprintf(verb, proposed); strings.Contains(printed, "swordfish") {
			t.Errorf("%s prints the secret: %s", verb, printed)
		}
	}
}

func TestWhatIsBeingWorkedOnIsTold(t *testing.T) {
	store := newStore(t)
	if _, err := store.SetContext(SetContext{Sets: map[string][]string{"ports": {"8080"}, "files": {"/nonexistent/a.rs"}}}); err != nil {
		t.Fatal(err)
	}
	merged, err := store.SetContext(SetContext{Sets: map[string][]string{"ports": {"9090"}}, Mode: MergeItems})
	if err != nil || !reflect.DeepEqual(merged.Sets["ports"], []string{"8080", "9090"}) {
		t.Fatalf("%v, %v", merged, err)
	}
	sets, err := store.GetContext(GetContext{})
	if err != nil || sets.Gone["files"] != 1 || len(sets.Sets) != 1 {
		t.Fatalf("%v, %v", sets, err)
	}
	if _, err := store.GetContext(GetContext{Name: "prots"}); !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), "`ports`") {
		t.Fatalf("%v", err)
	}
}

func TestAFailureIsCounted(t *testing.T) {
	store := newStore(t)
	if _, err := store.SetHint(SetHint{Component: "api", Key: "build", Value: Text("make")}); err != nil {
		t.Fatal(err)
	}
	bumped, err := store.Bump(Bump{Component: "api", Key: "build", Outcome: Fail, Delta: 2})
	hint := bumped.Hint
	if err != nil || hint.FailCount != 2 || hint.UseCount != 0 || hint.FirstFailedAt.IsZero() || hint.LastFailedAt.IsZero() {
		t.Fatalf("%v, %v", bumped, err)
	}
}
