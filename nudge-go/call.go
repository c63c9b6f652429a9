package nudge

// This is the one file that speaks C. What goes in is JSON in Go's own memory,
// which cgo allows because there are no pointers in it; what comes out is read
// where it is and freed at once.

/*
#include <nudge.h>

// What a call gives back, by value: an out-parameter would have to be on Go's
// heap, where cgo would look through it at every call.
typedef struct {
	nudge_error *error;
	void *made;
	size_t length;
} nudge_go_answer;

enum {
	SET_HINT, GET_HINT, QUERY, DELETE_HINT, LIST_COMPONENTS, BUMP, EXPORT, IMPORT,
	SET_CONTEXT, GET_CONTEXT, PROPOSE, LIST_PROPOSALS, ACCEPT, REJECT, OPERATIONS
};

typedef nudge_error *(*nudge_go_operation)(const nudge *, const char *, char **);
typedef nudge_error *(*nudge_go_operation_in)(const nudge *, const nudge_context *, const char *, char **);

static const nudge_go_operation nudge_go_operations[OPERATIONS] = {
	[SET_HINT] = nudge_set_hint,
	[GET_HINT] = nudge_get_hint,
	[QUERY] = nudge_query,
	[DELETE_HINT] = nudge_delete_hint,
	[LIST_COMPONENTS] = nudge_list_components,
	[BUMP] = nudge_bump,
	[EXPORT] = nudge_export,
	[IMPORT] = nudge_import,
	[SET_CONTEXT] = nudge_set_context,
	[GET_CONTEXT] = nudge_get_context,
	[PROPOSE] = nudge_propose,
	[LIST_PROPOSALS] = nudge_list_proposals,
	[ACCEPT] = nudge_accept,
	[REJECT] = nudge_reject,
};

static const nudge_go_operation_in nudge_go_operations_in[OPERATIONS] = {
	[GET_HINT] = nudge_get_hint_in,
	[QUERY] = nudge_query_in,
	[DELETE_HINT] = nudge_delete_hint_in,
	[LIST_COMPONENTS] = nudge_list_components_in,
	[BUMP] = nudge_bump_in,
};

static size_t nudge_go_length(const char *text) {
	return text == NULL ? 0 : __builtin_strlen(text);
}

static nudge_go_answer nudge_go_call(int operation, const nudge *store, const nudge_context *context, const char *params) {
	char *result = NULL;
	nudge_go_answer answer = {0};
	answer.error = context == NULL
		? nudge_go_operations[operation](store, params, &result)
		: nudge_go_operations_in[operation](store, context, params, &result);
	answer.made = result;
	answer.length = nudge_go_length(result);
	return answer;
}

static nudge_go_answer nudge_go_new(const char *config) {
	nudge *store = NULL;
	nudge_go_answer answer = {0};
	answer.error = nudge_new(config, &store);
	answer.made = store;
	return answer;
}

static nudge_go_answer nudge_go_sweep(const nudge *store) {
	nudge_go_answer answer = {0};
	answer.error = nudge_sweep(store, &answer.length);
	return answer;
}

static nudge_go_answer nudge_go_context_new(const char *facts) {
	nudge_context *context = NULL;
	nudge_go_answer answer = {0};
	answer.error = nudge_context_new(facts, &context);
	answer.made = context;
	return answer;
}

static nudge_go_answer nudge_go_here(const nudge *store, const char *facts) {
	nudge_context *context = NULL;
	nudge_go_answer answer = {0};
	answer.error = nudge_here(store, facts, &context);
	answer.made = context;
	return answer;
}

static nudge_go_answer nudge_go_context_json(const nudge_context *context) {
	char *result = NULL;
	nudge_go_answer answer = {0};
	answer.error = nudge_context_json(context, &result);
	answer.made = result;
	answer.length = nudge_go_length(result);
	return answer;
}
*/
import "C"

import (
	"encoding/json"
	"strings"
	"unsafe"
)

type (
	cStore   = C.nudge
	cContext = C.nudge_context
	cChar    = C.char
)

// operation is one of those that a store has.
type operation C.int

const (
	opSetHint        operation = C.SET_HINT
	opGetHint        operation = C.GET_HINT
	opQuery          operation = C.QUERY
	opDeleteHint     operation = C.DELETE_HINT
	opListComponents operation = C.LIST_COMPONENTS
	opBump           operation = C.BUMP
	opExport         operation = C.EXPORT
	opImport         operation = C.IMPORT
	opSetContext     operation = C.SET_CONTEXT
	opGetContext     operation = C.GET_CONTEXT
	opPropose        operation = C.PROPOSE
	opListProposals  operation = C.LIST_PROPOSALS
	opAccept         operation = C.ACCEPT
	opReject         operation = C.REJECT
)

// operations are their names, without the prefix that they have on the wire.
var operations = [C.OPERATIONS]string{
	opSetHint:        "set_hint",
	opGetHint:        "get_hint",
	opQuery:          "query",
	opDeleteHint:     "delete_hint",
	opListComponents: "list_components",
	opBump:           "bump",
	opExport:         "export",
	opImport:         "import",
	opSetContext:     "set_context",
	opGetContext:     "get_context",
	opPropose:        "propose",
	opListProposals:  "list_proposals",
	opAccept:         "accept",
	opReject:         "reject",
}

// cCall runs an operation, in the prepared context if there is one, and has its
// answer read before it is freed.
func cCall(operation operation, store *cStore, context *cContext, params *cChar, read func(answer string)) error {
	return take(C.nudge_go_call(C.int(operation), store, context, params), read)
}

func cNew(config *cChar) (*cStore, error) {
	answer := C.nudge_go_new(config)
	return (*cStore)(answer.made), failure(answer.error)
}

func cFree(store *cStore) {
	C.nudge_free(store)
}

func cSweep(store *cStore) (int, error) {
	answer := C.nudge_go_sweep(store)
	return int(answer.length), failure(answer.error)
}

// cPinClock pins the clock, or lets it run again if time is nil.
func cPinClock(store *cStore, time *cChar) error {
	return failure(C.nudge_pin_clock(store, time))
}

func cContextNew(facts *cChar) (*cContext, error) {
	answer := C.nudge_go_context_new(facts)
	return (*cContext)(answer.made), failure(answer.error)
}

// cHere gathers the facts of this process; without a store it reads no variables.
func cHere(store *cStore, facts *cChar) (*cContext, error) {
	answer := C.nudge_go_here(store, facts)
	return (*cContext)(answer.made), failure(answer.error)
}

func cContextJSON(context *cContext) (json string, err error) {
	err = take(C.nudge_go_context_json(context), func(text string) { json = strings.Clone(text) })
	return json, err
}

func cContextFree(context *cContext) {
	C.nudge_context_free(context)
}

// Version gives the version of the library, such as 0.1.0.
func Version() string {
	return C.GoString(C.nudge_version())
}

// take has the text of an answer read and frees it.
func take(answer C.nudge_go_answer, read func(text string)) error {
	if answer.error != nil {
		return failure(answer.error)
	}
	defer C.nudge_string_free((*C.char)(answer.made))
	read(unsafe.String((*byte)(answer.made), answer.length))
	return nil
}

// failure takes over an error; nil if there is none.
func failure(e *C.nudge_error) error {
	if e == nil {
		return nil
	}
	defer C.nudge_error_free(e)
	return &Error{
		Code:    int(C.nudge_error_code(e)),
		Reason:  C.GoString(C.nudge_error_reason(e)),
		Message: C.GoString(C.nudge_error_message(e)),
		Data:    json.RawMessage(C.GoString(C.nudge_error_data(e))),
	}
}

// end ends the JSON as C wants it. A zero byte inside cannot cut it short
// unnoticed: in texts it is escaped, and anywhere else what is left of the JSON
// has lost its last bracket.
func (w *writer) end() *cChar {
	w.json = append(w.json, 0)
	return (*cChar)(unsafe.Pointer(unsafe.SliceData(w.json)))
}

// view is the bytes as a string, without a copy; nobody may change them while
// it is in use.
func view(bytes []byte) string {
	return unsafe.String(unsafe.SliceData(bytes), len(bytes))
}
