package nudge

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2025, 11, 4, 12, 0, 0, 0, time.UTC)

// newStore makes a store whose clock stands at noon.
func newStore(t testing.TB) *Store {
	t.Helper()
	store, err := New(Config{})
	must(t, err)
	must(t, store.PinClock(noon))
	t.Cleanup(func() { store.Close() })
	return store
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func refused(t testing.TB, err error, kind error, detail string) Details {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Fatalf("got %v, want %v", err, kind)
	}
	var refusal *Error
	if !errors.As(err, &refusal) {
		t.Fatalf("%v is not an *Error", err)
	}
	details := refusal.Details()
	if details.Detail != detail {
		t.Fatalf("got detail %q, want %q, in %s", details.Detail, detail, refusal.Data)
	}
	return details
}

func equal(t testing.TB, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got  %#v\nwant %#v", got, want)
	}
}

func set(t testing.TB, store *Store, component, key, value string, meta MetaPatch) {
	t.Helper()
	_, err := store.SetHint(SetHint{Component: component, Key: key, Value: Text(value), Meta: meta})
	must(t, err)
}

func TestAHintComesBackAsItWasSet(t *testing.T) {
	store := newStore(t)
	set, err := store.SetHint(SetHint{
		Component: "http-proxy", Key: "build", Value: Command{Shell: ShellBash, Cmd: `echo "hi" && make`},
		Meta: MetaPatch{
			Reason: "custom\nimage", Tags: []string{"build", "docker"}, Priority: 7, Confidence: Ptr(0.0), TTL: "PT2H",
			Sensitivity: Normal, Source: SourceAgent, AddedBy: "日本語 🎉",
			Scope: &Scope{
				CwdGlob: []string{"**/http-proxy*"}, Repo: []string{"git:acme/proxy"}, Branch: []string{"dev"}, OS: []OS{Linux},
				EnvRequired: []string{"CI"}, EnvMatch: map[string][]string{"NODE_ENV": {"test", ""}},
			},
		},
		IfMatchVersion: Ptr(uint64(0)),
	})
	must(t, err)
	want := Hint{
		Value: Command{Shell: ShellBash, Cmd: `echo "hi" && make`},
		Meta: Meta{
			Reason: "custom\nimage", Tags: []string{"build", "docker"}, Priority: 7, Confidence: Ptr(0.0), TTL: "PT2H",
			Sensitivity: Normal, Source: SourceAgent, AddedBy: "日本語 🎉",
			Scope: Scope{
				CwdGlob: []string{"**/http-proxy*"}, Repo: []string{"git:acme/proxy"}, Branch: []string{"dev"}, OS: []OS{Linux},
				EnvRequired: []string{"CI"}, EnvMatch: map[string][]string{"NODE_ENV": {"", "test"}},
			},
		},
		Version: 1, CreatedAt: Time{noon}, UpdatedAt: Time{noon}, Lifetime: LifetimeSession, ExpiresAt: Time{noon.Add(2 * time.Hour)},
	}
	equal(t, set, HintSet{Component: "http-proxy", Key: "build", Hint: want, Created: true, Variants: 1})

	here := Context{
		Cwd: "/work/http-proxy", Repo: []string{"git@github.com:acme/proxy.git"}, Branch: "dev", OS: Linux,
		Env: map[string]*string{"CI": Ptr(""), "NODE_ENV": Ptr("test"), "HOME": nil},
	}
	found, err := store.GetHint(GetHint{Component: "http-proxy", Key: "build", Context: here})
	must(t, err)
	equal(t, found.Hint, want)
	equal(t, found.MatchExplain, MatchExplain{
		Matched: true, Score: 0.44,
		Reasons: []string{
			"cwd matched **/http-proxy*", "repo=git:acme/proxy allowed", "branch=dev allowed", "os=linux allowed",
			"env CI is set", "env NODE_ENV=test allowed",
		},
		Parts: Parts{Priority: 0.14, Specificity: 0.2, Recency: 0.1},
	})
}

func TestMetaIsAPatch(t *testing.T) {
	store := newStore(t)
	set(t, store, "api", "build", "make", MetaPatch{Reason: "it works", Tags: []string{"a"}, Priority: 9, TTL: "PT1H"})
	set(t, store, "api", "build", "make", MetaPatch{Priority: 3, Clear: []string{"reason", "ttl"}})
	found, err := store.GetHint(GetHint{Component: "api", Key: "build"})
	must(t, err)
	equal(t, found.Hint.Meta, Meta{Tags: []string{"a"}, Priority: 3, Source: SourceUser})
	set(t, store, "api", "build", "make", MetaPatch{Tags: []string{}})
	found, err = store.GetHint(GetHint{Component: "api", Key: "build"})
	must(t, err)
	equal(t, found.Hint.Meta.Tags, []string(nil))
}

func TestAHintSaysWhoSetItsValue(t *testing.T) {
	store := newStore(t)
	origin := `{"via":"mcp","client":"codex/0.166","repo":"git:acme/api","at":"2025-11-04T10:00:00.000Z","replaced":{"via":"cli","client":"nudge/1"}}`
	payload := `{"schema_version":"1.0","components":{"api":{"hints":{"build":{"value":"make","meta":{"origin":` + origin + `}},"test":{"value":"make","meta":{"origin":{"via":"http"}}}}}}}`
	_, err := store.Import(Import{Payload: json.RawMessage(payload)})
	must(t, err)
	found, err := store.GetHint(GetHint{Component: "api", Key: "build"})
	must(t, err)
	at := time.Date(2025, 11, 4, 10, 0, 0, 0, time.UTC)
	equal(t, found.Hint.Meta.Origin, &Origin{
		Via: "mcp", Client: "codex/0.166", Repo: "git:acme/api", At: Time{at}, Replaced: &Replaced{Via: "cli", Client: "nudge/1"},
	})
	written, err := json.Marshal(found.Hint.Meta.Origin)
	must(t, err)
	equal(t, string(written), origin)
	found, err = store.GetHint(GetHint{Component: "api", Key: "test"})
	must(t, err)
	written, err = json.Marshal(found.Hint.Meta.Origin)
	must(t, err)
	equal(t, string(written), `{"via":"http"}`)
}

func TestAnExportCanBeReadAndImported(t *testing.T) {
	store := newStore(t)
	set(t, store, "api", "build", "make", MetaPatch{Tags: []string{"x"}})
	set(t, store, "api", "shell", "zsh", MetaPatch{Scope: &Scope{OS: []OS{Darwin}}})
	set(t, store, "api", "shell", "bash", MetaPatch{Scope: &Scope{OS: []OS{Linux}}})
	set(t, store, "api", "token", "xyz", MetaPatch{Sensitivity: Secret})
	exported, err := store.Export(Export{})
	must(t, err)
	equal(t, exported.SecretsLeftOut, 1)
	var snapshot Snapshot
	must(t, json.Unmarshal(exported.Payload, &snapshot))
	equal(t, snapshot.SchemaVersion, "1.1")
	hints := snapshot.Components["api"].Hints
	equal(t, []int{len(hints), len(hints["build"]), len(hints["shell"])}, []int{2, 1, 2})
	equal(t, hints["build"][0].Value, Value(Text("make")))

	other := newStore(t)
	imported, err := other.Import(Import{Payload: exported.Payload, DryRun: true})
	must(t, err)
	equal(t, imported, Imported{Imported: 3, Problems: []Problem{}})
	imported, err = other.Import(Import{Payload: exported.Payload, Mode: Replace})
	must(t, err)
	equal(t, imported.Imported, 3)
	again, err := other.Export(Export{Format: "json", Component: "api", Tags: []string{"X"}})
	must(t, err)
	if !strings.Contains(string(again.Payload), `"build"`) || strings.Contains(string(again.Payload), `"shell"`) {
		t.Fatalf("%s", again.Payload)
	}

	bad := json.RawMessage(`{"schema_version": "1.0", "components": {"api": {"hints": {"run": {"value": 7}}}}}`)
	imported, err = other.Import(Import{Payload: bad})
	must(t, err)
	equal(t, []any{imported.Skipped, imported.Problems[0].Key, imported.Problems[0].Reason}, []any{1, "run", "E_INVALID"})
}

func TestAStoreCanBeSetUp(t *testing.T) {
	store, err := New(Config{
		Limits: Limits{Hints: 1, Components: 3, HintsPerComponent: 2, ValueBytes: 64}, SecretGuard: Ptr(false), DefaultTTL: "PT1H",
		Weights: Weights{Priority: Ptr(0.4), Confidence: Ptr(0.0)}, SessionID: "s-1",
	})
	must(t, err)
	defer store.Close()
	must(t, store.PinClock(noon))
	set(t, store, "api", "token", credential, MetaPatch{Priority: 10})
	found, err := store.GetHint(GetHint{Component: "api", Key: "token"})
	must(t, err)
	equal(t, found.MatchExplain.Score, 0.5)
	_, err = store.SetHint(SetHint{Component: "api", Key: "more", Value: Text("x")})
	details := refused(t, err, ErrQuota, "hints")
	equal(t, []any{details.Limit, details.Max}, []any{"hints", 1})
	exported, err := store.Export(Export{})
	must(t, err)
	var snapshot Snapshot
	must(t, json.Unmarshal(exported.Payload, &snapshot))
	equal(t, snapshot.SessionID, "s-1")

	must(t, store.PinClock(noon.Add(time.Hour)))
	swept, err := store.Sweep()
	must(t, err)
	equal(t, swept, 1)

	_, err = New(Config{DefaultTTL: "P1M"})
	if !errors.Is(err, ErrInvalid) {
		t.Fatal(err)
	}
}

func TestTheClockCanBePinnedAndLetGo(t *testing.T) {
	store := newStore(t)
	must(t, store.PinClock(time.Date(2031, 1, 31, 23, 59, 59, 999_999_999, time.FixedZone("", 3600))))
	set(t, store, "api", "build", "make", MetaPatch{})
	found, err := store.GetHint(GetHint{Component: "api", Key: "build"})
	must(t, err)
	equal(t, found.Hint.CreatedAt.Time, time.Date(2031, 1, 31, 22, 59, 59, 999_000_000, time.UTC))
	must(t, store.UnpinClock())
	refused(t, store.PinClock(time.Date(12025, 1, 1, 0, 0, 0, 0, time.UTC)), ErrInvalid, "time")
}

func TestTheVersionIsThatOfTheHeader(t *testing.T) {
	header, err := os.ReadFile("../include/nudge.h")
	must(t, err)
	if !strings.Contains(string(header), `#define NUDGE_VERSION "`+Version()+`"`) {
		t.Fatalf("the library is %s", Version())
	}
}
