// The adapter of the Go door: it runs what it reads and prints what came back.
//
// Params that survive the way into a typed request and back go through the
// typed method, and the typed answer is printed as JSON again, so that nothing
// may be lost on either way. Params that no typed request can say are forwarded.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"reflect"
	"time"

	"nudge"
)

var methods = map[string]func(*nudge.Store, []byte) (answer any, typed bool, err error){
	"set_hint":        typed((*nudge.Store).SetHint),
	"get_hint":        typed((*nudge.Store).GetHint),
	"query":           typed((*nudge.Store).Query),
	"delete_hint":     typed((*nudge.Store).DeleteHint),
	"list_components": typed((*nudge.Store).ListComponents),
	"bump":            typed((*nudge.Store).Bump),
	"export":          typed((*nudge.Store).Export),
	"import":          typed((*nudge.Store).Import),
	"set_context":     typed((*nudge.Store).SetContext),
	"get_context":     typed((*nudge.Store).GetContext),
	"propose":         typed((*nudge.Store).Propose),
	"list_proposals":  typed((*nudge.Store).ListProposals),
	"accept":          typed((*nudge.Store).Accept),
	"reject":          typed((*nudge.Store).Reject),
	"on_event":        typed((*nudge.Store).OnEvent),
}

// typed makes a call with typed params, unless they would not be the same.
func typed[Q, A any](method func(*nudge.Store, Q) (A, error)) func(*nudge.Store, []byte) (any, bool, error) {
	return func(store *nudge.Store, params []byte) (any, bool, error) {
		var request Q
		var before, after any
		again, err := []byte(nil), json.Unmarshal(params, &request)
		if err == nil {
			again, err = json.Marshal(request)
		}
		if errors.Join(err, json.Unmarshal(params, &before), json.Unmarshal(again, &after)) != nil || !reflect.DeepEqual(before, after) {
			return nil, false, nil
		}
		answer, err := method(store, request)
		return answer, true, err
	}
}

func main() {
	var store *nudge.Store
	for lines := bufio.NewReader(os.Stdin); ; {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return
		}
		must(err)
		name, params, _ := bytes.Cut(bytes.TrimSpace(line), []byte("\t"))
		switch word := string(name); word {
		case "open":
			if store != nil {
				must(store.Close())
			}
			var config nudge.Config
			must(json.Unmarshal(params, &config))
			store, err = nudge.New(config)
			must(err)
		case "at":
			var at time.Time
			must(json.Unmarshal(params, &at))
			must(store.PinClock(at))
		default:
			answer, typed, err := methods[word](store, params)
			if !typed {
				var text json.RawMessage
				text, err = store.Call(word, params)
				answer = text
			}
			outcome, refusal := "ok", new(nudge.Error)
			if errors.As(err, &refusal) {
				outcome, answer, err = "error", refusal, nil
			}
			must(err)
			text, err := json.Marshal(answer)
			must(err)
			fmt.Printf("%s\t%s\n", outcome, text)
		}
	}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
