package nudge

import (
	"encoding/json"
	"errors"
)

// Error is a refusal of the library, or of this package in its words.
//
// Tell the kinds apart with [errors.Is] and the variables below, and print the
// error to tell a person. The text may improve between releases, the code and
// the reason may not. As JSON it is the error object of JSON-RPC.
type Error struct {
	// Code is the number of the kind, such as 40401.
	Code int `json:"code"`
	// Reason is the name of the kind, such as E_NOT_FOUND.
	Reason string `json:"-"`
	// Message says what is wrong and what to do next.
	Message string `json:"message"`
	// Data is a JSON object with what a program may want to know; see Details.
	Data json.RawMessage `json:"data"`
}

// The kinds of errors: the one table of this package. An error that a call
// returns is one of them by [errors.Is].
var (
	// ErrNotFound says that there is no such hint, or none that applies here.
	ErrNotFound = kind(40401, "E_NOT_FOUND", "there is no such hint here")
	// ErrInvalid says that a field is missing, of the wrong type, out of range, or ambiguous.
	ErrInvalid = kind(40001, "E_INVALID", "the request is not valid")
	// ErrSecretRejected says that the secret guard refused to store something.
	ErrSecretRejected = kind(40002, "E_SECRET_REJECTED", "this looks like a secret")
	// ErrScopeInvalid says that a glob cannot be read or climbs out of its root.
	ErrScopeInvalid = kind(40003, "E_SCOPE_INVALID", "the scope is not valid")
	// ErrForbidden says that only the user may do this.
	ErrForbidden = kind(40301, "E_FORBIDDEN", "only the user may do this")
	// ErrConflict says that the version is not the expected one, or that there is nothing to propose.
	ErrConflict = kind(40901, "E_CONFLICT", "this is not the version that was expected")
	// ErrQuota says that a limit of the store was reached.
	ErrQuota = kind(42901, "E_QUOTA", "the store is full")
	// ErrUnavailable says that what owns the store cannot be reached, or refused the change.
	ErrUnavailable = kind(50301, "E_UNAVAILABLE", "the store cannot be reached")
	// ErrInternal says that there is a bug in Nudge; nothing was half-written.
	ErrInternal = kind(50001, "E_INTERNAL", "there is a bug in Nudge")
)

// ErrClosed is returned by calls on a store or a prepared context that was closed.
var ErrClosed = errors.New("this was closed; make a new one")

func kind(code int, reason, message string) *Error {
	data := json.RawMessage(`{"reason":"` + reason + `"}`)
	return &Error{Code: code, Reason: reason, Message: message, Data: data}
}

// Error gives the message.
func (e *Error) Error() string {
	return e.Message
}

// Is says whether target is an error of the same kind.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && other.Code == e.Code
}

// Details reads Data. Most callers ask for the kind alone, so it is read only
// when somebody asks.
func (e *Error) Details() Details {
	var details Details
	// Data that is not of this shape comes from no library that fits, and
	// tells as much as none.
	_ = json.Unmarshal(e.Data, &details)
	return details
}

// invalid is an error about a field, for what cannot be handed on to the
// library: everything else is for it to refuse.
func invalid(field, detail, message string) *Error {
	data, _ := json.Marshal(Details{Reason: ErrInvalid.Reason, Detail: detail, Field: field})
	return &Error{Code: ErrInvalid.Code, Reason: ErrInvalid.Reason, Message: message, Data: data}
}
