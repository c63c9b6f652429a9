package nudge

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func TestNothingWorksAfterClose(t *testing.T) {
	store := newStore(t)
	here, err := Prepare(Context{Branch: "dev"})
	must(t, err)
	must(t, here.Close())
	must(t, here.Close())
	_, err = store.GetHint(GetHint{Component: "api", Key: "build", Context: here})
	closed := []error{err}
	_, err = here.Facts()
	closed = append(closed, err)
	_, err = json.Marshal(GetHint{Context: here})
	closed = append(closed, err)

	must(t, store.Close())
	must(t, store.Close())
	closed = append(closed, callAll(store)...)
	closed = append(closed, callAll(&Store{})...)
	for i, err := range closed {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("call %d gave %v", i, err)
		}
	}
}

func TestANilPreparedContextIsNotTakenForNone(t *testing.T) {
	store := newStore(t)
	set(t, store, "api", "build", "make", MetaPatch{})
	var nowhere *Prepared
	_, err := store.DeleteHint(DeleteHint{Component: "api", Key: "build", Context: nowhere})
	if !errors.Is(err, ErrClosed) {
		t.Fatal(err)
	}
}

func TestWhatNobodyClosesIsFreed(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux says how much memory a process has")
	}
	const stores, hints = 100, 100 // Of 8 KiB each: 160 MiB if all were kept.
	value := strings.Repeat("make ", 1600)
	before := resident(t)
	for i := range stores {
		store, err := New(Config{})
		must(t, err)
		as, err := store.As(Caller{Actor: ActorAgent})
		must(t, err)
		for j := range hints {
			set(t, as, "api", fmt.Sprint(j), value, MetaPatch{})
		}
		_, err = Prepare(Context{Branch: fmt.Sprint(i)})
		must(t, err)
		runtime.GC()
	}
	if grown := resident(t) - before; grown > 60<<20 {
		t.Fatalf("%d stores that were not closed hold %d MiB", stores, grown>>20)
	}
}

// resident is how many bytes of memory this process has.
func resident(t *testing.T) int {
	text, err := os.ReadFile("/proc/self/statm")
	must(t, err)
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	must(t, err)
	return pages * os.Getpagesize()
}

// callAll makes every call there is and gives its error.
func callAll(store *Store) []error {
	var errs [12]error
	_, errs[0] = store.SetHint(SetHint{})
	_, errs[1] = store.GetHint(GetHint{})
	_, errs[2] = store.Query(Query{})
	_, errs[3] = store.DeleteHint(DeleteHint{})
	_, errs[4] = store.ListComponents(ListComponents{})
	_, errs[5] = store.Bump(Bump{})
	_, errs[6] = store.Export(Export{})
	_, errs[7] = store.Import(Import{})
	_, errs[8] = store.Call("query", []byte("{}"))
	_, errs[9] = store.Sweep()
	errs[10] = store.PinClock(noon)
	_, errs[11] = store.Here(Context{})
	return append(errs[:], store.UnpinClock())
}

func TestACloseWaitsForTheCallsUnderWay(t *testing.T) {
	store := newStore(t)
	here, err := Prepare(Context{Branch: "dev"})
	must(t, err)
	set(t, store, "api", "build", "make", MetaPatch{Scope: &Scope{Branch: []string{"dev"}}})
	var all sync.WaitGroup
	underWay := make(chan struct{}, 8)
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for calls := 0; ; calls++ {
				found, err := store.GetHint(GetHint{Component: "api", Key: "build", Context: here})
				if errors.Is(err, ErrClosed) {
					return
				}
				if err != nil || found.Hint.Value != Text("make") {
					t.Errorf("got %v, %v", found, err)
					return
				}
				if calls == 100 {
					underWay <- struct{}{}
				}
			}
		}()
	}
	for range 8 {
		<-underWay
	}
	must(t, here.Close())
	must(t, store.Close())
	all.Wait()
}

func TestEightGoroutinesLoseNothing(t *testing.T) {
	store := newStore(t)
	here, err := Prepare(Context{OS: Linux})
	must(t, err)
	defer here.Close()
	set(t, store, "shared", "count", "x", MetaPatch{})
	const each = 200
	var all sync.WaitGroup
	var found atomic.Int64
	for worker := range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			component := fmt.Sprintf("worker-%d", worker)
			for i := range each {
				key := fmt.Sprintf("key-%d", i)
				_, err := store.SetHint(SetHint{Component: component, Key: key, Value: Text(key), Meta: MetaPatch{Scope: &Scope{OS: []OS{Linux}}}})
				if err != nil {
					t.Error(err)
					return
				}
				if _, err = store.Bump(Bump{Component: "shared", Key: "count"}); err != nil {
					t.Error(err)
				}
				match, err := store.GetHint(GetHint{Component: component, Key: key, Context: here})
				if err == nil && match.Hint.Value == Text(key) {
					found.Add(1)
				}
			}
		}()
	}
	all.Wait()
	equal(t, found.Load(), int64(8*each))
	match, err := store.GetHint(GetHint{Component: "shared", Key: "count"})
	must(t, err)
	equal(t, match.Hint.UseCount, uint64(8*each))
}
