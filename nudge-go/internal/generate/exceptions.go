package main

// What Go has otherwise than the table of operations alone would give it. All else
// follows from the table.

// typeNames are the types with another name in Go. A proposal is rejected by the
// number that Accept has, and GetStats says nothing, so that its method takes nothing.
var typeNames = map[string]string{
	"ErrorData": "Details",
	"Format":    "string",
	"GetStats":  "",
	"HintMeta":  "Meta",
	"HintValue": "Value",
	"Merge":     "MergeMemory", // a mode of imports has that name
	"OnEvent":   "Event",
	"Os":        "OS",
	"Reject":    "Accept",
}

// byHand are the schemas for which no type is generated: it is written by hand, or it
// is another one.
var byHand = map[string]bool{
	"Committed": true, "Error": true, "Format": true, "GetStats": true, "HintValue": true, "Reject": true, "Time": true,
}

// fieldTypes are the fields whose type does not follow from their schema: pointers
// where zero says something of its own, structs that are never absent, numbers of
// 64 bits, and JSON that is handed on as it is.
var fieldTypes = map[string]string{
	// A hint of a seed is one that lacks what nobody would commit.
	"SnapshotComponent.hints":   "map[string]Hints",
	"Accept.id":                 "uint64",
	"ErrorData.current_version": "*uint64",
	"Exported.payload":          "json.RawMessage",
	"Hint.claimed_failures":     "uint64",
	"Hint.claimed_uses":         "uint64",
	"Hint.fail_count":           "uint64",
	"Hint.use_count":            "uint64",
	"Hint.version":              "uint64",
	"HintMeta.scope":            "Scope",
	"Import.payload":            "json.RawMessage",
	"Merge.payload":             "json.RawMessage",
	"Merged.files":              "map[string]json.RawMessage",
	"OnEvent.event":             "EventKind",
	"OnEvent.exit_code":         "*int",
	"OnEvent.ok":                "*bool",
	"OwnProposal.id":            "uint64",
	"Propose.meta":              "MetaPatch",
	"Proposal.id":               "uint64",
	"SetHint.if_match_version":  "*uint64",
	"SetHint.meta":              "MetaPatch",
	"Stats.uses":                "uint64",
}

// patches are the types in which null takes a field away: they have a list of the
// names of such fields, Clear.
var patches = map[string]bool{"MetaPatch": true}

// wordForms say what the constant of a word is called; the name of its type and the
// word when it is not here.
var wordForms = map[string]string{
	"ContextMode": "%sItems", "ImportMode": "%s", "OS": "%s", "Outcome": "%s", "Sensitivity": "%s", "TemplateFormat": "%s",
}

// wordNames are the constants that no form gives.
var wordNames = map[string]string{"TagsModeAny": "AnyTag", "TagsModeAll": "AllTags"}

// initialisms are the parts of names that Go writes in capitals.
var initialisms = map[string]string{"id": "ID", "ok": "OK", "os": "OS", "ttl": "TTL"}

// verbs are the words with which the description of a request begins.
var verbs = map[string]bool{"Asks": true, "Says": true, "Tells": true}
