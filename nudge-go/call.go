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

// The answer with a text, whose length is counted here.
static nudge_go_answer nudge_go_text(nudge_error *error, char *text) {
	return (nudge_go_answer){error, text, text == NULL ? 0 : __builtin_strlen(text)};
}

static nudge_go_answer nudge_go_call(const char *operation, const nudge *store, const nudge_context *context, const char *params) {
	char *result = NULL;
	nudge_error *error = nudge_call(store, context, operation, params, &result);
	return nudge_go_text(error, result);
}

static nudge_go_answer nudge_go_context_json(const nudge_context *context) {
	char *result = NULL;
	nudge_error *error = nudge_context_json(context, &result);
	return nudge_go_text(error, result);
}

static nudge_go_answer nudge_go_sweep(const nudge *store) {
	nudge_go_answer answer = {0};
	answer.error = nudge_sweep(store, &answer.length);
	return answer;
}

// What makes a store or a context.
#define NUDGE_GO_MAKES(NAME, MADE, PARAMETERS, ...) \
	static nudge_go_answer nudge_go_##NAME PARAMETERS { \
		MADE *made = NULL; \
		nudge_error *error = nudge_##NAME(__VA_ARGS__, &made); \
		return (nudge_go_answer){error, made, 0}; \
	}
NUDGE_GO_MAKES(new, nudge, (const char *config), config)
NUDGE_GO_MAKES(connect, nudge, (const char *options), options)
NUDGE_GO_MAKES(as, nudge, (const nudge *store, const char *caller), store, caller)
NUDGE_GO_MAKES(context_new, nudge_context, (const char *facts), facts)
NUDGE_GO_MAKES(here, nudge_context, (const nudge *store, const char *facts), store, facts)
*/
import "C"

import (
	"bytes"
	"encoding/json"
	"unsafe"
)

type (
	cStore   = C.nudge
	cContext = C.nudge_context
	cChar    = C.char
)

// cCall runs the operation of a name that ends with a zero byte, in the prepared context
// if there is one, and has its answer read before it is freed.
func cCall(operation string, store *cStore, context *cContext, params *cChar, read func(answer []byte) error) error {
	name := (*cChar)(unsafe.Pointer(unsafe.StringData(operation)))
	return take(C.nudge_go_call(name, store, context, params), read)
}

func cNew(config *cChar) (*cStore, error) { return aStore(C.nudge_go_new(config)) }

// cConnect joins the session of this machine.
func cConnect(options *cChar) (*cStore, error) { return aStore(C.nudge_go_connect(options)) }

// cAs gives a second handle on a store, by which somebody else calls.
func cAs(store *cStore, caller *cChar) (*cStore, error) {
	return aStore(C.nudge_go_as(store, caller))
}

func cContextNew(facts *cChar) (*cContext, error) {
	return aContext(C.nudge_go_context_new(facts))
}

// cHere gathers the facts of this process; without a store it reads no variables.
func cHere(store *cStore, facts *cChar) (*cContext, error) {
	return aContext(C.nudge_go_here(store, facts))
}

func aStore(answer C.nudge_go_answer) (*cStore, error) {
	return (*cStore)(answer.made), failure(answer.error)
}

func aContext(answer C.nudge_go_answer) (*cContext, error) {
	return (*cContext)(answer.made), failure(answer.error)
}

func cFree(store *cStore) { C.nudge_free(store) }

func cSweep(store *cStore) (int, error) {
	answer := C.nudge_go_sweep(store)
	return int(answer.length), failure(answer.error)
}

// cPinClock pins the clock, or lets it run again if time is nil.
func cPinClock(store *cStore, time *cChar) error {
	return failure(C.nudge_pin_clock(store, time))
}

func cContextJSON(context *cContext) (json []byte, err error) {
	err = take(C.nudge_go_context_json(context), func(text []byte) error {
		json = bytes.Clone(text)
		return nil
	})
	return json, err
}

func cContextFree(context *cContext) { C.nudge_context_free(context) }

// Version gives the version of the library, such as 0.1.0.
func Version() string {
	return C.GoString(C.nudge_version())
}

// take has the text of an answer read and frees it.
func take(answer C.nudge_go_answer, read func(text []byte) error) error {
	if answer.error != nil {
		return failure(answer.error)
	}
	defer C.nudge_string_free((*C.char)(answer.made))
	return read(unsafe.Slice((*byte)(answer.made), answer.length))
}

// failure reads an error and frees it; nil if there is none.
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

// cText gives bytes to C. The last of them is zero and the only one: in the texts of JSON
// zeros are escaped, and anywhere else they are not JSON.
func cText(bytes []byte) *cChar {
	return (*cChar)(unsafe.Pointer(unsafe.SliceData(bytes)))
}
