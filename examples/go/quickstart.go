// The five lines that every quickstart shows, and what they print.
package main

import (
	"fmt"
	"log"

	nudge "github.com/your-account/nudge/nudge-go"
)

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	store, err := nudge.New(nudge.Config{})
	if err != nil {
		return err
	}
	defer store.Close()

	_, err = store.SetHint(nudge.SetHint{
		Component: "http-proxy", Key: "build", Value: nudge.Text("docker compose build router"),
		Meta: nudge.MetaPatch{
			Tags:     []string{"build", "docker"},
			Priority: 7,
			Scope:    &nudge.Scope{CwdGlob: []string{"**/http-proxy*"}, Branch: []string{"dev"}},
		},
	})
	if err != nil {
		return err
	}

	here := nudge.Context{Cwd: "/work/http-proxy", Branch: "dev"}
	found, err := store.GetHint(nudge.GetHint{Component: "http-proxy", Key: "build", Context: here})
	if err != nil {
		return err
	}
	fmt.Println("value:", found.Hint.Value)
	for _, reason := range found.MatchExplain.Reasons {
		fmt.Println("  " + reason)
	}

	used, err := store.Bump(nudge.Bump{Component: "http-proxy", Key: "build"})
	if err != nil {
		return err
	}
	fmt.Println("used:", used.Hint.UseCount)

	known, err := store.Query(nudge.Query{Tags: []string{"build"}, Context: here})
	if err != nil {
		return err
	}
	fmt.Println("hints about building:", known.Total)

	elsewhere := nudge.Context{Cwd: "/work/http-proxy/src", Branch: "dev"}
	if _, err := store.GetHint(nudge.GetHint{Component: "http-proxy", Key: "build", Context: elsewhere}); err != nil {
		fmt.Println("elsewhere:", err)
	}
	return nil
}
