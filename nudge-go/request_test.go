package nudge

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestARequestSurvivesItsJSON(t *testing.T) {
	text := []string{"a", "b\n"}
	context := &Context{
		Cwd: "/work", Repo: text, Branch: "dev", OS: Windows, FilesOpen: text,
		Env: map[string]*string{"A": nil, "B": Ptr(""), `"`: Ptr(`\`)},
	}
	scope := &Scope{CwdGlob: text, Repo: text, Branch: text, OS: []OS{Linux}, EnvRequired: text, EnvMatch: map[string][]string{"A": text}}
	again(t, SetHint{Component: "c", Key: "k"})
	again(t, SetHint{
		Component: "c", Key: "k", Value: Text("é\x00\"\\"), IfMatchVersion: Ptr(uint64(0)),
		Meta: MetaPatch{
			Reason: "r", Tags: []string{}, Priority: -1, Confidence: Ptr(0.0), TTL: "PT1H", Sensitivity: Secret, Scope: scope, Source: SourceUser,
			AddedBy: "x",
		},
	})
	again(t, SetHint{Component: "c", Key: "k", Meta: MetaPatch{Clear: []string{"added_by", "reason"}}})
	again(t, SetHint{Component: "c", Key: "k", Meta: MetaPatch{Reason: "{,}", Scope: &Scope{}, Clear: []string{"added_by"}}})
	again(t, SetHint{Component: "c", Key: "k", Meta: MetaPatch{Scope: &Scope{CwdGlob: []string{"/work/api{,-dev}"}}}})
	for _, value := range []Value{
		Command{Cmd: "make"}, Command{Shell: ShellZsh, Cmd: "make"}, Path{OS: []OS{Darwin}, Abs: "/x"}, Template{Format: Interpolate, Body: "x"},
		Template{Format: Interpolate, Body: "x", Defaults: map[string]string{"a": "b", "": ""}}, JSON(`{"a":[1,null]}`), JSON("null"),
		Unknown(`{"type":"poem","lines":[1]}`), Unknown(`7`),
	} {
		again(t, SetHint{Component: "c", Key: "k", Value: value})
	}
	again(t, GetHint{Component: "c", Key: "k"})
	again(t, GetHint{Component: "c", Key: "k", Context: context, Alternatives: 3})
	again(t, Query{})
	again(t, Query{Component: "c", Keys: text, Tags: []string{}, TagsMode: AllTags, Regex: "x", Context: &Context{}, Limit: 3, IncludeIneligible: true})
	again(t, DeleteHint{Component: "c", Key: "k", Scope: scope, All: true})
	again(t, DeleteHint{Component: "c", Key: "k", Context: context})
	again(t, ListComponents{Component: "c", Context: context})
	again(t, Bump{Component: "c", Key: "k", Delta: 3, Scope: scope, Context: context})
	again(t, Export{Format: "json", Component: "c", Tags: text, IncludeSecrets: true})
	again(t, PromptBlock{Context: context, Budget: 3})
	again(t, Event{Event: SessionEnd})
	again(t, Event{
		Event: AfterCommand, Host: "h", Session: "s", Reason: "r", Command: "c", OK: Ptr(false), ExitCode: Ptr(0), Output: "o", Budget: 3, Context: context,
	})
	again(t, Import{Payload: json.RawMessage(`{"a":1}`), Mode: Replace, DryRun: true})
}

func again[Q any](t *testing.T, request Q) {
	t.Helper()
	text, err := json.Marshal(request)
	must(t, err)
	var read Q
	must(t, json.Unmarshal(text, &read))
	equal(t, read, request)
}

func TestARequestWithAPreparedContextSaysWhereItIs(t *testing.T) {
	here, err := Prepare(Context{Cwd: `C:\code\api\`, Branch: "dev"})
	must(t, err)
	defer here.Close()
	text, err := json.Marshal(ListComponents{Context: here})
	must(t, err)
	equal(t, string(text), `{"context":{"cwd":"c:/code/api","branch":"dev"}}`)
}

func TestASecretIsNotPrinted(t *testing.T) {
	store := newStore(t)
	request := SetHint{Component: "api", Key: "token", Value: Text("hunter2"), Meta: MetaPatch{Sensitivity: Secret}}
	set, err := store.SetHint(request)
	must(t, err)
	equal(t, set.Hint.Value.String(), "hunter2")
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		for _, thing := range []any{request, &request, set, &set, set.Hint, []Hint{set.Hint}} {
			if text := fmt.Sprintf(verb, thing); strings.Contains(text, "hunter2") || !strings.Contains(text, "***") {
				t.Errorf("%s of %T: %s", verb, thing, text)
			}
		}
	}
	request.Meta.Sensitivity = ""
	if text := fmt.Sprintf("%+v", request); !strings.Contains(text, "hunter2") {
		t.Error(text)
	}
}
