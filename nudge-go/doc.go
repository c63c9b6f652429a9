// Package nudge is a small, fast memory for coding agents.
//
// An agent, a person or a program stores small facts ("how do I build
// http-proxy on this branch?") and gets back the one that fits where it is now,
// with the reason why. A [Store] of [New] lives in this process and opens no file
// or socket; [Connect] joins the one that this user's programs share.
//
//	store, err := nudge.New(nudge.Config{})
//	if err != nil {
//		return err
//	}
//	defer store.Close()
//
//	_, err = store.SetHint(nudge.SetHint{
//		Component: "http-proxy", Key: "build", Value: nudge.Text("docker compose build router"),
//		Meta: nudge.MetaPatch{Scope: &nudge.Scope{Branch: []string{"dev"}}},
//	})
//
//	found, err := store.GetHint(nudge.GetHint{
//		Component: "http-proxy", Key: "build",
//		Context: nudge.Context{Branch: "dev"},
//	})
//	fmt.Println(found.Hint.Value, found.MatchExplain.Reasons)
//
// # Requests and answers
//
// Each method takes a request and gives an answer. Both are plain structs and
// JSON with the words of the contract, so that what a method takes and gives
// can be sent to a Nudge server, or written down, as it is. The zero value of a
// field in a request leaves it out; where zero says something of its own, the
// field is a pointer, and [Ptr] makes one. A list that is nil is left out, and
// one that is empty is sent as empty. In an answer, what is absent is zero or nil.
// They are read and written by encoding/json.
//
// Nothing is checked here: every rule lives in the library below, and a refusal
// is an [*Error] that says what to do next. [errors.Is] tells the kinds apart:
//
//	if errors.Is(err, nudge.ErrNotFound) { … }
//
// # Context
//
// A [Context] states where the caller is, and nothing else is inferred. The
// library brings it into its normal form at every call, so that one that is used
// for many calls is best made ready once, with [Prepare], [Here] or [Store.Here].
//
// # Building
//
// The package uses cgo and links libnudge.a as cargo builds it; with the build
// tag nudge_pkgconfig it asks pkg-config for the library nudge instead. Without
// cgo it does not build, and says so.
package nudge
