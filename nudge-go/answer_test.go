package nudge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

// answers gives what a store with all sorts of hints answers to all sorts of calls.
func answers(t *testing.T) map[string][]string {
	store := newStore(t)
	odd := "quote \" slash \\ line\nfeed\ttab \r \b \f \x01 \x7f   é 日本語 🎉 </script> & '"
	for i, value := range []Value{
		Text(""), Text("make"), Text(odd), Text(strings.Repeat("é", 3000)), Text("a \\ b"), Text(`\`), Text(`"`),
		Command{Cmd: "make"}, Command{Shell: ShellFish, Cmd: odd}, Path{Abs: "/usr/bin"}, Path{OS: []OS{Linux, Darwin}, Abs: "/usr/bin"},
		Template{Format: Jinja, Body: "{{ x }}"}, Template{Format: Mustache, Body: odd, Defaults: map[string]string{"a": odd, odd: "b"}},
		JSON(`null`), JSON(`{"a": [1, 2.5, -3e7, true, false, null, "x\u00e9\ud83c\udf89"], "b": {}, "c": []}`), JSON(`"text"`), JSON(`[[[]]]`),
	} {
		meta := MetaPatch{Tags: []string{"all"}}
		if i%2 == 0 {
			meta = MetaPatch{
				Reason: odd, Tags: []string{"all", "tag " + fmt.Sprint(i), "日本語"}, Priority: 1 + i%10, Confidence: Ptr(float64(i) / 17), TTL: "PT2H",
				Sensitivity: []Sensitivity{Normal, Secret}[i/2%2], Source: SourceToolOutput, AddedBy: "somebody",
				Scope: &Scope{
					Branch: []string{"dev", "main"}, OS: []OS{Linux}, EnvMatch: map[string][]string{"A": {"1", ""}},
					EnvRequired: []string{"A"}, CwdGlob: []string{"**"}, Repo: []string{"git:acme/api"},
				},
			}
		}
		_, err := store.SetHint(SetHint{Component: "api", Key: fmt.Sprint("key-", i), Value: value, Meta: meta})
		must(t, err)
		if i%3 == 0 {
			_, err = store.SetHint(SetHint{Component: "api", Key: fmt.Sprint("key-", i), Value: value, Meta: MetaPatch{Scope: &Scope{OS: []OS{Linux}}}})
			must(t, err)
		}
	}
	here := Context{Cwd: "/work", Branch: "dev", OS: Linux, Repo: []string{"git:acme/api"}, Env: map[string]*string{"A": Ptr("1")}}
	all := map[string][]string{}
	ask := func(method string, request any) {
		params, err := json.Marshal(request)
		must(t, err)
		answer, err := store.Call(method, params)
		must(t, err)
		all[method] = append(all[method], string(answer))
	}
	for i := range 17 {
		key := fmt.Sprint("key-", i)
		for _, alternatives := range []int{0, 20} {
			ask("get_hint", GetHint{Component: "api", Key: key, Context: here, Alternatives: alternatives})
		}
		must(t, store.PinClock(noon.Add(time.Duration(i)*time.Second+7*time.Millisecond)))
		ask("bump", Bump{Component: "api", Key: key, Context: here})
		ask("get_hint", GetHint{Component: "api", Key: key, Context: here})
	}
	ask("query", Query{Context: here, Limit: 100})
	ask("query", Query{Limit: 3, IncludeIneligible: true})
	ask("query", Query{Tags: []string{"none"}, IncludeIneligible: true})
	ask("set_hint", SetHint{Component: "new", Key: "one", Value: Text("x")})
	ask("export", Export{IncludeSecrets: true})
	for i := range 17 {
		ask("delete_hint", DeleteHint{Component: "api", Key: fmt.Sprint("key-", i), All: true})
	}
	return all
}

// kinds are the types of the answers.
var kinds = map[string]reflect.Type{
	"set_hint": reflect.TypeFor[HintSet](), "get_hint": reflect.TypeFor[HintMatch](), "query": reflect.TypeFor[Found](),
	"bump": reflect.TypeFor[Bumped](), "delete_hint": reflect.TypeFor[Deleted](), "export": reflect.TypeFor[Exported](),
}

// tree is what is in a text, each number as it stands there but for zeros at its end.
func tree(t *testing.T, text []byte) (tree any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(bytes.ReplaceAll(text, []byte("0.0,"), []byte("0,"))))
	decoder.UseNumber()
	must(t, decoder.Decode(&tree))
	return tree
}

func TestNothingOfAnAnswerIsLost(t *testing.T) {
	count := 0
	for method, texts := range answers(t) {
		for _, text := range texts {
			// By the way of a call, whose memory is freed, and by that of everybody else.
			memory := []byte(text)
			called, plain := reflect.New(kinds[method]), reflect.New(kinds[method])
			must(t, read(memory, called.Interface()))
			for i := range memory {
				memory[i] = '?'
			}
			indented, err := json.MarshalIndent(json.RawMessage(text), " ", "\t")
			must(t, err)
			must(t, json.Unmarshal(indented, plain.Interface()))
			for _, read := range []reflect.Value{called, plain} {
				again, err := json.Marshal(read.Interface())
				must(t, err)
				equal(t, tree(t, again), tree(t, []byte(text)))
			}
			count++
		}
	}
	if count < 80 {
		t.Fatalf("only %d answers", count)
	}
}

func TestAnAnswerThatIsCutIsRefused(t *testing.T) {
	text := answers(t)["get_hint"][0]
	for end := range text {
		refused(t, read([]byte(text[:end]), new(HintMatch)), ErrInternal, "")
	}
}

func TestLargeNumbersStayExact(t *testing.T) {
	again(t, Hint{Value: JSON(`[9007199254740993,1e400,0.30000000000000004]`), Version: math.MaxUint64, UseCount: 1<<53 + 1})
	again(t, SetHint{Value: JSON(`{"id":18446744073709551617}`), IfMatchVersion: Ptr(uint64(math.MaxUint64))})
	store := newStore(t)
	_, err := store.SetHint(SetHint{Component: "api", Key: "id", Value: JSON(`{"id":9007199254740993}`)})
	must(t, err)
	found, err := store.GetHint(GetHint{Component: "api", Key: "id"})
	must(t, err)
	equal(t, found.Hint.Value, Value(JSON(`{"id":9007199254740993}`)))
}

func TestATextThatLooksAsIfItWereNoUTF8IsKept(t *testing.T) {
	store := newStore(t)
	for _, text := range []string{"\ufffd", `\ufffd`, `\\ufffd`} {
		set(t, store, "api", "odd", text, MetaPatch{Reason: text, Tags: []string{text}})
		found, err := store.GetHint(GetHint{Component: "api", Key: "odd"})
		must(t, err)
		equal(t, []string{found.Hint.Value.String(), found.Hint.Meta.Reason, found.Hint.Meta.Tags[0]}, []string{text, text, text})
	}
	_, err := store.SetHint(SetHint{Component: "api", Key: "json", Value: JSON(`"\ufffd"`)})
	must(t, err)
}

func TestAStoreIsCounted(t *testing.T) {
	store := newStore(t)
	set(t, store, "api", "build", "make", MetaPatch{Tags: []string{"Build"}})
	_, err := store.Bump(Bump{Component: "api", Key: "build", Delta: 3})
	must(t, err)
	stats, err := store.Stats()
	must(t, err)
	equal(t, stats, Stats{Components: 1, Slots: 1, Hints: 1, Uses: 3, UsedHints: 1, TopTags: []TagCount{{Tag: "build", Hints: 1}}})
}

func TestAnAnswerSurvivesItsJSON(t *testing.T) {
	again(t, Stats{TopTags: []TagCount{}})
	again(t, ContextSets{Sets: map[string][]string{"a \"b\"\n": {"c"}}, Nearest: map[string]string{"é\\": "x"}, Gone: map[string]int{"files": 1}})
	again(t, Reaction{Text: "t", Did: []Did{{Bumped: "a/b"}, {Offered: "c/d"}}})
	again(t, Details{Reason: "E_CONFLICT", CurrentVersion: Ptr(uint64(0)), NearMisses: []NearMiss{{Condition: "branch", Expected: []string{"dev"}}}})
	again(t, Imported{Imported: 1, Problems: []Problem{{Component: "c", Key: "k", Reason: "r", Detail: "d", Message: "m"}}})
	again(t, Snapshot{SchemaVersion: "1.1", CreatedAt: Time{noon}, Components: map[string]SnapshotComponent{
		"api": {Hints: map[string]Hints{
			"one": {{Value: Text("x"), CreatedAt: Time{noon}, UpdatedAt: Time{noon}}},
			"two": {{Value: Text("x"), CreatedAt: Time{noon}, UpdatedAt: Time{noon}}, {Value: Text("y"), CreatedAt: Time{noon}, UpdatedAt: Time{noon}, LastUsedAt: Time{noon}}},
		}},
	}})
}
