package nudge

import (
	"encoding/json"
	"fmt"
	"math/rand"
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

// readers read an answer by hand and give it as encoding/json writes it.
var readers = map[string]func(r *reader) any{
	"set_hint":    func(r *reader) any { var answer HintSet; answer.read(r); return answer },
	"get_hint":    func(r *reader) any { var answer HintMatch; answer.read(r); return answer },
	"query":       func(r *reader) any { var answer Found; answer.read(r); return answer },
	"bump":        func(r *reader) any { var answer Bumped; answer.read(r); return answer },
	"delete_hint": func(r *reader) any { var answer Deleted; answer.read(r); return answer },
	"export":      func(r *reader) any { var answer Exported; answer.read(r); return answer },
}

// tree is what encoding/json makes of a text.
func tree(t *testing.T, text string) (tree any) {
	t.Helper()
	must(t, json.Unmarshal([]byte(text), &tree))
	return tree
}

func TestAnAnswerIsReadAsEncodingJSONReadsIt(t *testing.T) {
	count := 0
	for method, texts := range answers(t) {
		for _, text := range texts {
			r := reader{text: text}
			answer := readers[method](&r)
			if err := r.end(); err != nil {
				t.Fatalf("%s: %v in %s", method, err, text)
			}
			again, err := json.Marshal(answer)
			must(t, err)
			if got, want := tree(t, string(again)), tree(t, text); !reflect.DeepEqual(got, want) {
				t.Fatalf("%s\ngot  %s\nwant %s", method, again, text)
			}
			// The same from the outside, with white space between all parts.
			indented, err := json.MarshalIndent(json.RawMessage(text), " ", "\t")
			must(t, err)
			other := reflect.New(reflect.TypeOf(answer))
			must(t, json.Unmarshal(indented, other.Interface()))
			again, err = json.Marshal(other.Interface())
			must(t, err)
			equal(t, tree(t, string(again)), tree(t, text))
			count++
		}
	}
	if count < 80 {
		t.Fatalf("only %d answers", count)
	}
}

func TestNothingOfAnAnswerIsLostWhenItsMemoryIsFreed(t *testing.T) {
	for method, texts := range answers(t) {
		for _, text := range texts {
			memory := []byte(text)
			r := reader{text: view(memory)}
			answer := readers[method](&r)
			must(t, r.end())
			for i := range memory {
				memory[i] = '?'
			}
			again, err := json.Marshal(answer)
			must(t, err)
			equal(t, tree(t, string(again)), tree(t, text))
		}
	}
}

// Bytes of answers are changed at random: what is then no JSON must be refused,
// and what still is must be refused or read as encoding/json reads it.
func TestADamagedAnswerIsNotMisread(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	// No capitals: encoding/json takes a name in any case for that of a field.
	const bytes = "{}[]\",:\\0123456789.-+entrufalsb/ \n\t\x00\x1f\xff"
	valid, read := 0, 0
	for method, texts := range answers(t) {
		for _, text := range texts {
			if len(text) > 4000 || method == "export" {
				continue
			}
			for range 200 {
				damaged := []byte(text)
				for range 1 + random.Intn(2) {
					damaged[random.Intn(len(damaged))] = bytes[random.Intn(len(bytes))]
				}
				if random.Intn(4) == 0 {
					damaged = damaged[:random.Intn(len(damaged))]
				}
				r := reader{text: string(damaged)}
				r.skip()
				r.pass()
				ok := json.Valid(damaged)
				if ok != (r.end() == nil) {
					t.Fatalf("valid is %v for %q", ok, damaged)
				}
				r = reader{text: string(damaged)}
				answer := readers[method](&r)
				if r.end() != nil {
					continue
				}
				if !ok && !hasControl(damaged) {
					t.Fatalf("%q is read as %v", damaged, answer)
				}
				valid++
				if ok && !strings.Contains(string(damaged), "\xff") {
					read++
					got, err := json.Marshal(answer)
					must(t, err)
					if !within(tree(t, string(got)), tree(t, string(damaged))) {
						t.Fatalf("%q is read as %s", damaged, got)
					}
				}
			}
		}
	}
	if valid < 500 || read < 500 {
		t.Fatalf("only %d good, %d read", valid, read)
	}
}

// within says whether all that was read is in the text. What is absent there, or
// null, is zero.
func within(read, text any) bool {
	switch read := read.(type) {
	case map[string]any:
		fields, is := text.(map[string]any)
		if !is && text != nil {
			return false
		}
		for name, value := range read {
			if !within(value, fields[name]) {
				return false
			}
		}
		return true
	case []any:
		items, is := text.([]any)
		if !is {
			return len(read) == 0 && text == nil
		}
		for i, value := range read {
			if len(read) != len(items) || !within(value, items[i]) {
				return false
			}
		}
		return len(read) == len(items)
	}
	stated, _ := text.(string)
	if at, err := time.Parse(time.RFC3339Nano, stated); err == nil {
		return read == at.UTC().Format(stampLayout)
	}
	zero := read == nil || read == "" || read == 0.0 || read == false || read == "0001-01-01T00:00:00.000Z"
	return read == text || text == nil && zero
}

func TestAnAnswerThatIsCutIsRefused(t *testing.T) {
	for end := range benchedAnswer {
		for _, more := range []string{"", " ", ",", "}", "{", "]", `"`, "n"} {
			text := benchedAnswer[:end] + more
			r := reader{text: text}
			var found HintMatch
			if found.read(&r); r.end() == nil && !json.Valid([]byte(text)) {
				t.Fatalf("%s is read", text)
			}
		}
	}
}

// hasControl says whether there is a control character. The reader leaves them
// in a text: the library escapes them, and compact refuses them.
func hasControl(text []byte) bool {
	for _, c := range text {
		if c < ' ' {
			return true
		}
	}
	return false
}

func TestNumbersAreReadToTheLastBit(t *testing.T) {
	random := rand.New(rand.NewSource(2))
	numbers := []string{"0", "-0", "0.0", "1", "0.5", "1e5", "1E-5", "-1.5e+3", "123456789012345", "0.1234567890123", "9007199254740993", "1e308", "5e-324", "0.30000000000000004"}
	for range 2000 {
		numbers = append(numbers, fmt.Sprint(random.Float64()), fmt.Sprintf("%.4f", random.Float64()), fmt.Sprint(random.Int63()))
	}
	for _, text := range numbers {
		r := reader{text: text}
		got := r.float()
		var want float64
		must(t, json.Unmarshal([]byte(text), &want))
		if got != want || r.end() != nil {
			t.Fatalf("%s is read as %v", text, got)
		}
	}
	for _, text := range []string{"", "-", "01", "1.", ".5", "1e", "1e+", "+1", "0x1", "1_000", "NaN", "Inf", "1e999", `"1"`} {
		r := reader{text: text}
		if number := r.float(); r.end() == nil {
			t.Errorf("%q is read as %v", text, number)
		}
	}
	for _, text := range []string{"-1", "1.5", "1e3", "18446744073709551616", "true"} {
		r := reader{text: text}
		if number := r.uint(); r.end() == nil {
			t.Errorf("%q is read as %v", text, number)
		}
	}
}

func TestTimesAreReadAsThePackageTimeReadsThem(t *testing.T) {
	for at := time.Date(1999, 12, 20, 0, 0, 0, 0, time.UTC); at.Year() < 2033; at = at.Add(41*time.Hour + 17*time.Minute + 3*time.Second + 123*time.Millisecond) {
		r := reader{text: `"` + at.Format(stampLayout) + `"`}
		if got := r.time(); !got.Equal(at) || got.Location() != time.UTC || r.end() != nil {
			t.Fatalf("%v is read as %v", at, got)
		}
	}
	for text, want := range map[string]string{
		"2024-02-29T23:59:59.999Z":         "2024-02-29T23:59:59.999Z",
		"2025-11-04T12:00:00.123456+02:00": "2025-11-04T10:00:00.123456Z",
		"2025-11-04T12:00:00Z":             "2025-11-04T12:00:00Z",
		"0001-01-01T00:00:00.000Z":         "0001-01-01T00:00:00Z",
		"2025-02-29T00:00:00.000Z":         "", "2025-13-01T00:00:00.000Z": "", "2025-00-01T00:00:00.000Z": "",
		"2025-01-00T00:00:00.000Z": "", "2025-01-01T24:00:00.000Z": "", "2025-01-01 00:00:00.000Z": "", "2025-01-0xT00:00:00.000Z": "",
	} {
		r := reader{text: `"` + text + `"`}
		got := r.time()
		if failed := r.end() != nil; failed != (want == "") || !failed && got.Format(time.RFC3339Nano) != want {
			t.Errorf("%s is read as %v", text, got)
		}
	}
}
