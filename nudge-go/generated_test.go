package nudge

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
)

func TestEveryOperationOfTheTableHasAMethod(t *testing.T) {
	text, err := os.ReadFile("../docs/operations.json")
	must(t, err)
	var table struct {
		Operations []struct{ Name string }
	}
	must(t, json.Unmarshal(text, &table))
	equal(t, len(operations), len(table.Operations))
	for _, operation := range table.Operations {
		name := ""
		for _, part := range strings.Split(strings.TrimPrefix(operation.Name, "nudge."), "_") {
			name += strings.ToUpper(part[:1]) + part[1:]
		}
		if _, ok := reflect.TypeOf(&Store{}).MethodByName(name); !ok {
			t.Errorf("%s has no method", operation.Name)
		}
	}
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
	again(t, Snapshot{SchemaVersion: "1.1", CreatedAt: noon, Components: map[string]SnapshotComponent{
		"api": {Hints: map[string]Hints{
			"one": {{Value: Text("x"), CreatedAt: noon, UpdatedAt: noon}},
			"two": {{Value: Text("x"), CreatedAt: noon, UpdatedAt: noon}, {Value: Text("y"), CreatedAt: noon, UpdatedAt: noon, LastUsedAt: noon}},
		}},
	}})
}
