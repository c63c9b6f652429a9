// The adapter of the Go door: it runs what it reads and prints what came back.
//
// Params that survive the way into a typed request and back go through the
// typed method, and the typed answer is printed as JSON again, so that nothing
// may be lost on either way. Params that no typed request can say are forwarded,
// and so is what only the server of a session has.
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
	"strings"
	"time"

	nudge "github.com/your-account/nudge/nudge-go"
)

// typed makes a call with typed params, unless they would not be the same. The
// method of an operation is found by its name: SetHint for set_hint.
func typed(store *nudge.Store, word string, params []byte) (answer any, typed bool, err error) {
	name := ""
	for _, part := range strings.Split(word, "_") {
		name += strings.ToUpper(part[:1]) + part[1:]
	}
	method := reflect.ValueOf(store).MethodByName(name)
	if !method.IsValid() {
		return nil, false, nil
	}
	var before, after any
	var arguments []reflect.Value
	again := []byte("{}")
	if method.Type().NumIn() == 1 {
		request := reflect.New(method.Type().In(0))
		arguments = append(arguments, request.Elem())
		if err = json.Unmarshal(params, request.Interface()); err == nil {
			again, err = json.Marshal(request.Interface())
		}
	}
	if errors.Join(err, json.Unmarshal(params, &before), json.Unmarshal(again, &after)) != nil || !reflect.DeepEqual(before, after) {
		return nil, false, nil
	}
	results := method.Call(arguments)
	err, _ = results[1].Interface().(error)
	return results[0].Interface(), true, err
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
		case "connect":
			var session nudge.Session
			must(json.Unmarshal(params, &session))
			store, err = nudge.Connect(session)
			must(err)
		case "as":
			var caller nudge.Caller
			must(json.Unmarshal(params, &caller))
			as, err := store.As(caller)
			must(err)
			// The store lives on in its other handle.
			must(store.Close())
			store = as
		case "at":
			var at time.Time
			must(json.Unmarshal(params, &at))
			must(store.PinClock(at))
		default:
			answer, typed, err := typed(store, word, params)
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
