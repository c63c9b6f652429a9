package nudge

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

// credential looks like one; in two parts, so that no scanner takes this file for a leak.
const credential = "ghp" + "_R7x2Kq9LmZ4vTn8WbY3cJd6HfPs1Gu5AeVoQ"

func TestEverySentinelIsAKindOfTheHeaderAndNoOther(t *testing.T) {
	header, err := os.ReadFile("../include/nudge.h")
	must(t, err)
	all := []*Error{
		ErrNotFound, ErrInvalid, ErrSecretRejected, ErrScopeInvalid,
		ErrForbidden, ErrConflict, ErrQuota, ErrUnavailable, ErrInternal,
	}
	for _, kind := range all {
		if !strings.Contains(string(header), fmt.Sprintf("#define NUDGE_%s %d\n", kind.Reason, kind.Code)) {
			t.Errorf("the header does not have %s as %d", kind.Reason, kind.Code)
		}
		for _, other := range all {
			wrapped := fmt.Errorf("while building: %w", &Error{Code: kind.Code})
			if errors.Is(wrapped, other) != (kind == other) {
				t.Errorf("%s is taken for %s", kind.Reason, other.Reason)
			}
		}
	}
	if kinds := strings.Count(string(header), "#define NUDGE_E_"); kinds != len(all) {
		t.Errorf("the header has %d kinds, this package %d", kinds, len(all))
	}
}

func TestEveryRefusalOfAStoreHasItsKind(t *testing.T) {
	store, err := New(Config{Limits: Limits{Hints: 1}})
	must(t, err)
	defer store.Close()
	set(t, store, "api", "build", "make", MetaPatch{})

	_, err = store.GetHint(GetHint{Component: "api", Key: "biuld"})
	refused(t, err, ErrNotFound, "no_slot")
	equal(t, err.Error(), "`api` has no `biuld`; it has `build`")
	_, err = store.SetHint(SetHint{Component: "api", Key: "build", Value: Text("make"), Meta: MetaPatch{Priority: 11}})
	equal(t, refused(t, err, ErrInvalid, "range").Field, "meta.priority")
	_, err = store.SetHint(SetHint{Component: "api", Key: "build", Value: Text(credential)})
	details := refused(t, err, ErrSecretRejected, "secret")
	equal(t, []string{details.Rule, details.Field}, []string{"github-token", "value"})
	_, err = store.SetHint(SetHint{Component: "api", Key: "new", Value: Text("make"), IfMatchVersion: Ptr(uint64(math.MaxUint64))})
	equal(t, *refused(t, err, ErrConflict, "version").CurrentVersion, uint64(0))
	_, err = store.SetHint(SetHint{Component: "api", Key: "build", Value: Text("make"), Meta: MetaPatch{Scope: &Scope{CwdGlob: []string{"../api"}}}})
	equal(t, refused(t, err, ErrScopeInvalid, "traversal").Pattern, "../api")
	_, err = store.SetHint(SetHint{Component: "api", Key: "build", Value: Text("make"), IfMatchVersion: Ptr(uint64(7))})
	equal(t, *refused(t, err, ErrConflict, "version").CurrentVersion, uint64(1))
	_, err = store.SetHint(SetHint{Component: "api", Key: "test", Value: Text("make test")})
	refused(t, err, ErrQuota, "hints")
}

func TestAnErrorIsTheErrorObjectOfJSONRPC(t *testing.T) {
	_, err := newStore(t).GetHint(GetHint{Component: "api", Key: "build"})
	text, failed := json.Marshal(err)
	must(t, failed)
	var object struct {
		Code    int
		Message string
		Data    struct{ Reason, Detail string }
	}
	must(t, json.Unmarshal(text, &object))
	equal(t, []any{object.Code, object.Data.Reason, object.Data.Detail}, []any{40401, "E_NOT_FOUND", "no_slot"})
	equal(t, object.Message, err.Error())
}

func TestWhatNoTypeCanPreventIsRefused(t *testing.T) {
	store := newStore(t)
	text := Text("make")
	for name, request := range map[string]SetHint{
		"no names":                     {Value: text},
		"no value":                     {Component: "api", Key: "build"},
		"no UTF-8 in a name":           {Component: "api\xff", Key: "build", Value: text},
		"no UTF-8 in a value":          {Component: "api", Key: "build", Value: Text("a\xc3\x28b")},
		"half a surrogate in a value":  {Component: "api", Key: "build", Value: Text("a\xed\xa0\x80b")},
		"no UTF-8 in a tag":            {Component: "api", Key: "build", Value: text, Meta: MetaPatch{Tags: []string{"\x80"}}},
		"no UTF-8 in JSON":             {Component: "api", Key: "build", Value: JSON("\"\xff\"")},
		"a zero byte in a name":        {Component: "a\x00b", Key: "build", Value: text},
		"a confidence that is none":    {Component: "api", Key: "build", Value: text, Meta: MetaPatch{Confidence: Ptr(math.NaN())}},
		"an endless confidence":        {Component: "api", Key: "build", Value: text, Meta: MetaPatch{Confidence: Ptr(math.Inf(-1)), Clear: []string{"ttl"}}},
		"a huge priority":              {Component: "api", Key: "build", Value: text, Meta: MetaPatch{Priority: math.MaxInt}},
		"a tiny priority":              {Component: "api", Key: "build", Value: text, Meta: MetaPatch{Priority: math.MinInt}},
		"an unknown shell":             {Component: "api", Key: "build", Value: Command{Shell: "tcsh", Cmd: "make"}},
		"a relative path":              {Component: "api", Key: "build", Value: Path{Abs: "src"}},
		"no template language":         {Component: "api", Key: "build", Value: Template{Body: "x"}},
		"no JSON":                      {Component: "api", Key: "build", Value: JSON(nil)},
		"JSON that is cut":             {Component: "api", Key: "build", Value: JSON(`{"a":`)},
		"JSON that says more":          {Component: "api", Key: "build", Value: JSON(`1},"meta":{"sensitivity":"secret"`)},
		"a zero byte in JSON":          {Component: "api", Key: "build", Value: JSON("1\x00")},
		"an unknown value":             {Component: "api", Key: "build", Value: Unknown(`{"type":"poem"}`)},
		"an unknown value saying more": {Component: "api", Key: "build", Value: Unknown(`"x","if_match_version":0`)},
		"an empty scope list":          {Component: "api", Key: "build", Value: text, Meta: MetaPatch{Scope: &Scope{Branch: []string{}}}},
		"an empty env_match":           {Component: "api", Key: "build", Value: text, Meta: MetaPatch{Scope: &Scope{EnvMatch: map[string][]string{}}}},
		"an unknown sensitivity":       {Component: "api", Key: "build", Value: text, Meta: MetaPatch{Sensitivity: "high"}},
		"a field set and cleared":      {Component: "api", Key: "build", Value: text, Meta: MetaPatch{Reason: "x", Clear: []string{"reason"}}},
		"an unknown field cleared":     {Component: "api", Key: "build", Value: text, Meta: MetaPatch{Clear: []string{`re"ason`}}},
		"a huge name":                  {Component: strings.Repeat("x", 1<<20), Key: "build", Value: text},
	} {
		if _, err := store.SetHint(request); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	components, err := store.ListComponents(ListComponents{})
	must(t, err)
	equal(t, len(components.Components), 0)

	_, err = store.SetHint(SetHint{Component: "api", Key: "build", Value: text, Meta: MetaPatch{Confidence: Ptr(math.NaN())}})
	refused(t, err, ErrInvalid, "json")
	_, err = store.SetHint(SetHint{Component: "api", Key: "build", Value: JSON("{]")})
	equal(t, refused(t, err, ErrInvalid, "json").Field, "value.data")
	_, err = store.GetHint(GetHint{Component: "api", Key: "build", Alternatives: 21})
	refused(t, err, ErrInvalid, "range")
	_, err = store.Query(Query{Limit: -1})
	refused(t, err, ErrInvalid, "range")
	_, err = store.Query(Query{TagsMode: "some"})
	refused(t, err, ErrInvalid, "unknown_value")
	_, err = store.Export(Export{Format: "yaml"})
	refused(t, err, ErrInvalid, "unknown_value")
	_, err = store.Import(Import{})
	refused(t, err, ErrInvalid, "missing_field")
	_, err = store.Import(Import{Payload: json.RawMessage(`{},"mode":"replace"`)})
	refused(t, err, ErrInvalid, "json")
	_, err = store.GetHint(GetHint{Component: "api", Key: "build", Context: Context{OS: "beos"}})
	refused(t, err, ErrInvalid, "unknown_value")
	_, err = Prepare(Context{Cwd: "\xff"})
	equal(t, refused(t, err, ErrInvalid, "type").Field, "cwd")
}

func TestACallTakesJSONAsItIs(t *testing.T) {
	store := newStore(t)
	answer, err := store.Call("nudge.set_hint", []byte(`{"component": "api", "key": "build", "value": "make"}`))
	must(t, err)
	var set HintSet
	must(t, json.Unmarshal(answer, &set))
	equal(t, set.Hint.Value, Value(Text("make")))
	answer, err = store.Call("list_components", nil)
	must(t, err)
	equal(t, string(answer), `{"components":[{"name":"api","hint_count":1}]}`)

	for params, detail := range map[string]string{
		`{"component": "api", "key": 7}`:                                    "type",
		`{"component": "api"}`:                                              "missing_field",
		`{"component": "api", "key": "build", "contxt": {}}`:                "unknown_field",
		`{"component": "api", "key": "build", "context": {"barnch": "x"}}`:  "unknown_field",
		`{"component": "api", "key": "build", "alternatives": 99999999999}`: "range",
		`{"component": "api", "key": "build", "alternatives": 1e400}`:       "type",
		`{"component": "api", "key": "build"`:                               "json",
		`["api", "build"]`:                                                  "type",
		"{\"component\": \"api\", \"key\": \"build\"}\x00":                  "json",
		"{\"component\": \"api\", \"key\": \"build\x00\"}":                  "json",
		"{\"component\": \"api\xff\", \"key\": \"build\"}":                  "type",
		`{"component": "api", "key": "build"} {"and": "more"}`:              "json",
	} {
		_, err := store.Call("get_hint", []byte(params))
		if details := new(Error); !errors.As(err, &details) || details.Code != 40001 || details.Details().Detail != detail {
			t.Errorf("%q: %v, %s", params, err, details.Data)
		}
	}
	_, err = store.Call("get", nil)
	equal(t, refused(t, err, ErrInvalid, "type").Field, "operation")
	_, err = store.Call("query\x00", nil)
	refused(t, err, ErrInvalid, "json")
}
