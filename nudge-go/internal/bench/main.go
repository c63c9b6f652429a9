// Command bench measures the Go package beside the same calls made in C.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"sync"

	nudge "github.com/your-account/nudge/nudge-go"
	"github.com/your-account/nudge/nudge-go/internal/bench/floor"
)

// batch is how many operations one round does.
const batch = 4_000

func main() {
	fmt.Println("medians of interleaved rounds; the ratio is to the first line of each block")
	order := shuffled(batch)
	store, bare := stores()
	gets(order, store, bare)
	sets(order, store, bare)
	both(order, store)
}

// stores gives two stores with the same hints, one of them bare C.
func stores() (*nudge.Store, *floor.Store) {
	store, err := nudge.New(nudge.Config{})
	must(err)
	bare, err := floor.New("{}")
	must(err)
	for slot := range slots {
		for variant := range variants {
			request := request(slot, variant, 0)
			_, err := store.SetHint(request)
			must(err)
			must(bare.Set(marshal(request)))
		}
	}
	return store, bare
}

func gets(order []int, store *nudge.Store, bare *floor.Store) {
	prepared := contexts()
	race(fmt.Sprintf("get, %d hints, the value read", hints),
		way{"floor: the same calls in a loop of C", ready(order, bare).Run},
		way{"nudge: prepared context", func() int {
			return get(store, order, func(slot int) nudge.AnyContext { return prepared[slot/keys] })
		}},
		way{"nudge: context stated at each call", func() int {
			return get(store, order, func(slot int) nudge.AnyContext { return place(slot / keys) })
		}},
	)
}

// get gets the hints of slots, reads their values, and gives their number.
func get(store *nudge.Store, slots []int, context func(slot int) nudge.AnyContext) int {
	for _, slot := range slots {
		component, key := names(slot)
		found, err := store.GetHint(nudge.GetHint{Component: component, Key: key, Context: context(slot)})
		must(err)
		_ = found.Hint.Value.String()
	}
	return len(slots)
}

// ready makes the gets of the floor ready.
func ready(order []int, bare *floor.Store) floor.Gets {
	for component := range componentNames {
		_, err := bare.Context(marshal(place(component)))
		must(err)
	}
	contexts, params := []int{}, [][]byte{}
	for _, slot := range order {
		component, key := names(slot)
		contexts = append(contexts, slot/keys)
		params = append(params, marshal(nudge.GetHint{Component: component, Key: key}))
	}
	return bare.Ready(contexts, params)
}

func sets(order []int, store *nudge.Store, bare *floor.Store) {
	edition := 0
	changed := func() []nudge.SetHint {
		edition++
		requests := make([]nudge.SetHint, batch/10)
		for i := range requests {
			requests[i] = request(order[i], i%variants, edition)
		}
		return requests
	}
	race(fmt.Sprintf("set, %d hints, the request made each time", hints),
		way{"floor: the same requests in C, by encoding/json", func() int {
			for _, request := range changed() {
				must(bare.Set(marshal(request)))
			}
			return batch / 10
		}},
		way{"nudge", func() int {
			for _, request := range changed() {
				_, err := store.SetHint(request)
				must(err)
			}
			return batch / 10
		}},
	)
}

// both measures what two goroutines gain.
func both(order []int, store *nudge.Store) {
	prepared := contexts()
	read := func(order []int) int {
		return get(store, order, func(slot int) nudge.AnyContext { return prepared[slot/keys] })
	}
	race(fmt.Sprintf("get by two goroutines, %d hints", hints),
		way{"one goroutine", func() int { return read(order) }},
		way{"two goroutines (0.5 x is twice as much done)", func() int {
			var other sync.WaitGroup
			other.Add(1)
			go func() { defer other.Done(); read(order[:batch/2]) }()
			read(order[batch/2:])
			other.Wait()
			return batch
		}},
	)
}

// contexts makes the place of every component ready.
func contexts() []*nudge.Prepared {
	prepared := make([]*nudge.Prepared, len(componentNames))
	for component := range prepared {
		var err error
		prepared[component], err = nudge.Prepare(place(component))
		must(err)
	}
	return prepared
}

func marshal(value any) []byte {
	text, err := json.Marshal(value)
	must(err)
	return text
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
