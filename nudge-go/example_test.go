package nudge_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"time"

	nudge "github.com/your-account/nudge/nudge-go"
)

// store makes a store whose clock stands still, so that what the examples
// print is the same every time.
func store() *nudge.Store {
	store, err := nudge.New(nudge.Config{})
	if err != nil {
		log.Fatal(err)
	}
	if err := store.PinClock(time.Date(2025, 11, 4, 10, 0, 0, 0, time.UTC)); err != nil {
		log.Fatal(err)
	}
	return store
}

func set(store *nudge.Store, request nudge.SetHint) {
	if _, err := store.SetHint(request); err != nil {
		log.Fatal(err)
	}
}

func Example() {
	store, err := nudge.New(nudge.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()

	// Somebody finds out how to build a component on a branch.
	_, err = store.SetHint(nudge.SetHint{
		Component: "http-proxy", Key: "build", Value: nudge.Text("docker compose build router"),
		Meta: nudge.MetaPatch{
			Tags:  []string{"build", "docker"},
			Scope: &nudge.Scope{CwdGlob: []string{"**/http-proxy*"}, Branch: []string{"dev"}},
		},
	})
	if err != nil {
		log.Fatal(err)
	}

	// Later, somebody else is there and asks.
	here := nudge.Context{Cwd: "/work/http-proxy", Branch: "dev"}
	found, err := store.GetHint(nudge.GetHint{Component: "http-proxy", Key: "build", Context: here})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found.Hint.Value)
	fmt.Println(found.MatchExplain.Reasons)
	// Output:
	// docker compose build router
	// [cwd matched **/http-proxy* branch=dev allowed]
}

func ExampleStore_SetHint() {
	store := store()
	defer store.Close()
	request := nudge.SetHint{
		Component: "api", Key: "build", Value: nudge.Command{Shell: nudge.ShellBash, Cmd: "mkae all"},
		Meta: nudge.MetaPatch{Priority: 7, Confidence: nudge.Ptr(0.9), TTL: "PT2H", Scope: &nudge.Scope{Branch: []string{"dev"}}},
	}
	set(store, request)

	// Without a scope, a correction from where the mistake is lands on it, and what
	// is left out stays.
	set, err := store.SetHint(nudge.SetHint{
		Component: "api", Key: "build", Value: nudge.Command{Shell: nudge.ShellBash, Cmd: "make all"},
		Meta:    nudge.MetaPatch{Clear: []string{"ttl"}},
		Context: nudge.Context{Branch: "dev"},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(set.Created, set.Hint.Version, set.Hint.Value, set.Hint.Meta.Priority, set.Hint.Meta.Scope.Branch)
	// Output: false 2 make all 7 [dev]
}

// A hint whose scope does not hold is as absent as one that was never set, and
// the error says what is missing.
func ExampleStore_GetHint() {
	store := store()
	defer store.Close()
	set(store, nudge.SetHint{
		Component: "api", Key: "build", Value: nudge.Text("make"),
		Meta: nudge.MetaPatch{Scope: &nudge.Scope{Branch: []string{"dev"}}},
	})
	_, err := store.GetHint(nudge.GetHint{Component: "api", Key: "build", Context: nudge.Context{Branch: "main"}})
	fmt.Println(errors.Is(err, nudge.ErrNotFound))
	var refusal *nudge.Error
	if errors.As(err, &refusal) {
		miss := refusal.Details().NearMisses[0]
		fmt.Println(miss.Condition, "must match", miss.Expected, "but is", *miss.Actual)
	}
	// Output:
	// true
	// branch must match [dev] but is main
}

func ExampleStore_Query() {
	store := store()
	defer store.Close()
	set(store, nudge.SetHint{
		Component: "api", Key: "build", Value: nudge.Text("docker compose build"), Meta: nudge.MetaPatch{Tags: []string{"docker"}},
	})
	set(store, nudge.SetHint{Component: "api", Key: "test", Value: nudge.Text("cargo test")})
	found, err := store.Query(nudge.Query{Tags: []string{"Docker"}, Regex: "compose (build|up)"})
	if err != nil {
		log.Fatal(err)
	}
	for _, ranked := range found.Hints {
		fmt.Println(ranked.Component, ranked.Key, ranked.Hint.Value, ranked.Score)
	}
	// Output: api build docker compose build 0.3
}

func ExampleStore_DeleteHint() {
	store := store()
	defer store.Close()
	set(store, nudge.SetHint{Component: "api", Key: "build", Value: nudge.Text("make")})
	deleted, err := store.DeleteHint(nudge.DeleteHint{Component: "api", Key: "build"})
	fmt.Println(deleted.Previous[0].Value, err)
	// Output: make <nil>
}

func ExampleStore_ListComponents() {
	store := store()
	defer store.Close()
	set(store, nudge.SetHint{Component: "api", Key: "build", Value: nudge.Text("make")})
	listed, err := store.ListComponents(nudge.ListComponents{Component: "api"})
	fmt.Println(listed.Components, err)
	// Output: [{api 1 [build]}] <nil>
}

func ExampleStore_Bump() {
	store := store()
	defer store.Close()
	set(store, nudge.SetHint{Component: "api", Key: "build", Value: nudge.Text("make")})
	bumped, err := store.Bump(nudge.Bump{Component: "api", Key: "build", Delta: 3})
	fmt.Println(bumped.Hint.UseCount, err)
	// Output: 3 <nil>
}

func ExampleStore_Export() {
	store := store()
	defer store.Close()
	set(store, nudge.SetHint{Component: "api", Key: "build", Value: nudge.Text("make")})
	set(store, nudge.SetHint{
		Component: "api", Key: "token", Value: nudge.Text("xyz"), Meta: nudge.MetaPatch{Sensitivity: nudge.Secret},
	})
	exported, err := store.Export(nudge.Export{})
	if err != nil {
		log.Fatal(err)
	}
	var snapshot nudge.Snapshot
	if err := json.Unmarshal(exported.Payload, &snapshot); err != nil {
		log.Fatal(err)
	}
	for key, variants := range snapshot.Components["api"].Hints {
		fmt.Println(key, variants[0].Value)
	}
	fmt.Println("secrets left out:", exported.SecretsLeftOut)
	// Output:
	// build make
	// secrets left out: 1
}

func ExampleStore_Import() {
	store := store()
	defer store.Close()
	seed := `{"schema_version": "1.0", "components": {"api": {"hints": {"build": {"value": "make"}, "run": {"value": 7}}}}}`
	imported, err := store.Import(nudge.Import{Payload: json.RawMessage(seed)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(imported.Imported, imported.Skipped, imported.Problems[0].Key)
	// Output: 1 1 run
}

func ExampleStore_Call() {
	store := store()
	defer store.Close()
	_, err := store.Call("nudge.set_hint", []byte(`{"component": "api", "key": "build", "vlaue": "make"}`))
	fmt.Println(err)
	// Output: unknown field `vlaue`; did you mean `value`?
}

func ExampleStore_PinClock() {
	store := store()
	defer store.Close()
	set(store, nudge.SetHint{Component: "api", Key: "env.FEATURE_X", Value: nudge.Text("1"), Meta: nudge.MetaPatch{TTL: "PT2H"}})
	if err := store.PinClock(time.Date(2025, 11, 4, 12, 0, 0, 0, time.UTC)); err != nil {
		log.Fatal(err)
	}
	swept, err := store.Sweep()
	fmt.Println(swept, err)
	// Output: 1 <nil>
}

func ExamplePrepare() {
	store := store()
	defer store.Close()
	set(store, nudge.SetHint{
		Component: "api", Key: "directory", Value: nudge.Path{Abs: "/code/api"},
		Meta: nudge.MetaPatch{Scope: &nudge.Scope{Repo: []string{"git:acme/api"}}},
	})
	here, err := nudge.Prepare(nudge.Context{Repo: []string{"git@github.com:acme/api.git"}})
	if err != nil {
		log.Fatal(err)
	}
	defer here.Close()
	for range 2 {
		found, err := store.GetHint(nudge.GetHint{Component: "api", Key: "directory", Context: here})
		fmt.Println(found.Hint.Value, err)
	}
	// Output:
	// /code/api <nil>
	// /code/api <nil>
}

func ExampleHere() {
	here, err := nudge.Here(nudge.Context{Branch: "dev"})
	if err != nil {
		log.Fatal(err)
	}
	defer here.Close()
	facts, err := here.Facts()
	fmt.Println(facts.Branch, facts.Cwd != "", err)
	// Output: dev true <nil>
}

func ExampleValue() {
	for _, value := range []nudge.Value{
		nudge.Text("make"),
		nudge.Command{Shell: nudge.ShellZsh, Cmd: "make all"},
		nudge.Path{Abs: "/code/api", OS: []nudge.OS{nudge.Linux}},
		nudge.Template{Format: nudge.Mustache, Body: "make {{target}}", Defaults: map[string]string{"target": "all"}},
		nudge.JSON(`{"port": 8080}`),
	} {
		text, err := json.Marshal(value)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%-16s %s\n", value, text)
	}
	// Output:
	// make             "make"
	// make all         {"type":"command","shell":"zsh","cmd":"make all"}
	// /code/api        {"type":"path","os":["linux"],"abs":"/code/api"}
	// make {{target}}  {"type":"template","format":"mustache","body":"make {{target}}","defaults":{"target":"all"}}
	// {"port": 8080}   {"type":"json","data":{"port":8080}}
}
