package main

import (
	"fmt"

	nudge "github.com/your-account/nudge/nudge-go"
)

// The hints that everything is measured on: four variants a slot, each with a
// cwd, a branch and an os in its scope, as in the benchmark of the library.
const (
	hints    = 5_000
	variants = 4
	keys     = 50
	slots    = hints / variants
)

// Names are made once. What is measured should not have to carry the garbage
// of the measurement.
var componentNames, keyNames = numbered("service-%04d", (slots+keys-1)/keys), numbered("task-%02d", keys)

func numbered(form string, count int) []string {
	names := make([]string, count)
	for i := range names {
		names[i] = fmt.Sprintf(form, i)
	}
	return names
}

func names(slot int) (component, key string) {
	return componentNames[slot/keys], keyNames[slot%keys]
}

// place is where one variant of each slot of a component applies.
func place(component int) nudge.Context {
	return nudge.Context{Cwd: "/work/platform/" + componentNames[component], Branch: "dev", OS: nudge.Linux}
}

func request(slot, variant, edition int) nudge.SetHint {
	component, key := names(slot)
	number := slot*variants + variant
	branch := []string{"dev", "dev", "main", "release/*"}[variant]
	os := []nudge.OS{nudge.Linux, nudge.Darwin, nudge.Linux, nudge.Windows}[variant]
	value := fmt.Sprintf("docker compose -f deploy/%s.yml build %s --pull --progress=plain e%d", component, key, edition)
	return nudge.SetHint{
		Component: component, Key: key, Value: nudge.Text(value),
		Meta: nudge.MetaPatch{
			Reason:     fmt.Sprintf("the image of step %d is rebuilt whenever its base changes", number),
			Tags:       []string{"build", fmt.Sprintf("rare-%02d", number%100)},
			Priority:   1 + number%10,
			Confidence: nudge.Ptr(0.8),
			AddedBy:    "agent:bench",
			Scope:      &nudge.Scope{CwdGlob: []string{"**/" + component + "*"}, Branch: []string{branch}, OS: []nudge.OS{os}},
		},
	}
}

// shuffled gives slots in an order without pattern, the same in every run.
func shuffled(count int) []int {
	state := uint64(0x9e3779b97f4a7c15)
	order := make([]int, count)
	for i := range order {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		order[i] = int(state>>16) % slots
	}
	return order
}
