package nudge

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAPreparedContextDoesWhatAPlainOneDoes(t *testing.T) {
	store := newStore(t)
	facts := Context{
		Cwd: "/work/./api/", Repo: []string{"git@github.com:acme/api.git"}, Branch: "dev", OS: Linux,
		Env: map[string]*string{"CI": Ptr("1"), "HOME": nil}, FilesOpen: []string{"/work/api/main.go"},
	}
	set(t, store, "api", "build", "make", MetaPatch{Scope: &Scope{
		CwdGlob: []string{"**/api"}, Repo: []string{"git:acme/api"}, Branch: []string{"d*"}, OS: []OS{Linux}, EnvRequired: []string{"CI"},
	}})
	set(t, store, "api", "build", "never", MetaPatch{Scope: &Scope{EnvRequired: []string{"HOME"}}})
	here, err := Prepare(facts)
	must(t, err)
	defer here.Close()

	plain, err := store.GetHint(GetHint{Component: "api", Key: "build", Context: facts})
	must(t, err)
	for _, context := range []AnyContext{here, &facts} {
		found, err := store.GetHint(GetHint{Component: "api", Key: "build", Context: context})
		must(t, err)
		equal(t, found, plain)
		query, err := store.Query(Query{Context: context})
		must(t, err)
		equal(t, []int{query.Total, query.ScopedOut}, []int{1, 1})
		components, err := store.ListComponents(ListComponents{Context: context})
		must(t, err)
		equal(t, components.Components[0].HintCount, 1)
		bumped, err := store.Bump(Bump{Component: "api", Key: "build", Context: context})
		must(t, err)
		equal(t, bumped.Hint.Value, plain.Hint.Value)
		must(t, store.PinClock(noon))
		set(t, store, "api", "build", "changed", MetaPatch{Scope: &bumped.Hint.Meta.Scope})
		set(t, store, "api", "build", "make", MetaPatch{Scope: &bumped.Hint.Meta.Scope})
		plain, err = store.GetHint(GetHint{Component: "api", Key: "build", Context: facts})
		must(t, err)
	}
	deleted, err := store.DeleteHint(DeleteHint{Component: "api", Key: "build", Context: here})
	must(t, err)
	equal(t, deleted.Previous[0].Value, Value(Text("make")))

	read, err := here.Facts()
	must(t, err)
	facts.Cwd, facts.Repo = "/work/api", []string{"git:github.com/acme/api"}
	equal(t, read, facts)
}

func TestANilContextIsLeftOut(t *testing.T) {
	store := newStore(t)
	set(t, store, "api", "build", "make", MetaPatch{})
	var nowhere *Context
	_, err := store.DeleteHint(DeleteHint{Component: "api", Key: "build", Scope: &Scope{}, Context: nowhere})
	must(t, err)
}

func TestHereIsWhereTheProcessIs(t *testing.T) {
	cwd, err := os.Getwd()
	must(t, err)
	here, err := Here(Context{Repo: []string{"git:acme/api"}})
	must(t, err)
	defer here.Close()
	facts, err := here.Facts()
	must(t, err)
	equal(t, []any{facts.Cwd, facts.Repo, len(facts.Env)}, []any{filepath.ToSlash(cwd), []string{"git:acme/api"}, 0})

	t.Setenv("NUDGE_TEST_WANTED", "1")
	store := newStore(t)
	set(t, store, "api", "build", "make", MetaPatch{Scope: &Scope{EnvRequired: []string{"NUDGE_TEST_WANTED"}}})
	there, err := store.Here(Context{Cwd: "/elsewhere"})
	must(t, err)
	defer there.Close()
	facts, err = there.Facts()
	must(t, err)
	equal(t, facts.Cwd, "/elsewhere")
	equal(t, facts.Env, map[string]*string{"NUDGE_TEST_WANTED": Ptr("1")})
	_, err = store.GetHint(GetHint{Component: "api", Key: "build", Context: there})
	must(t, err)
}
