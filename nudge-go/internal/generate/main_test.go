package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestTheGeneratedFilesAreFresh(t *testing.T) {
	files, err := generate("../../../docs/operations.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if there, err := os.ReadFile(filepath.Join("../..", name)); err != nil || !bytes.Equal(there, text) {
			t.Errorf("%s is stale; run `go generate`", name)
		}
	}
	there, err := filepath.Glob("../../generated_*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range there {
		if name := filepath.Base(path); files[name] == nil {
			t.Errorf("%s is not generated any more; remove it", name)
		}
	}
}

func TestAFieldWithoutATypeIsRefused(t *testing.T) {
	d := new(document)
	odd := &schema{Type: "object", Order: []string{"odd"}, Properties: map[string]*schema{"odd": {Type: "moon"}}}
	d.Operations = []operation{{Name: "nudge.odd", Request: "Odd", Answer: "Odd", Params: odd, Result: odd}}
	if _, err := newModel(d); err == nil {
		t.Error("a type was made up")
	}
}
