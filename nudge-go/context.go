package nudge

import "encoding/json"

// AnyContext is what a request takes as its context: a [Context], or one that
// was made ready, a [*Prepared].
type AnyContext interface {
	isContext()
}

// Prepared is a context that the library has brought into its normal form. It
// serves any store, any number of times, and is safe for concurrent use. Call
// Close when done with it.
type Prepared struct {
	handle handle[*cContext]
}

// Prepare makes a context ready for many calls.
func Prepare(facts Context) (*Prepared, error) {
	return prepare(facts, cContextNew)
}

// Here makes a context of the facts of this process: its cwd, and the root,
// repository, branch and os there. What facts states stays. Git is read from
// its files, no program is started, and of the environment nothing is read;
// [Store.Here] reads the variables that its hints ask for.
func Here(facts Context) (*Prepared, error) {
	return prepare(facts, func(json *cChar) (*cContext, error) { return cHere(nil, json) })
}

func prepare(facts Context, call func(*cChar) (*cContext, error)) (*Prepared, error) {
	p, err := write(facts)
	if err != nil {
		return nil, err
	}
	defer p.free()
	context, err := call(cText(p.json.Bytes()))
	if err != nil {
		return nil, err
	}
	return closedWhenLost(&Prepared{handle: handle[*cContext]{pointer: context}}), nil
}

// Close frees the context once the calls that use it have ended, and returns
// nil. Calls after it return [ErrClosed].
func (p *Prepared) Close() error {
	p.handle.close(cContextFree)
	return nil
}

// Facts gives what the context states, each fact in its normal form.
func (p *Prepared) Facts() (Context, error) {
	text, err := p.MarshalJSON()
	var facts Context
	if err == nil {
		err = json.Unmarshal(text, &facts)
	}
	return facts, err
}

// hold gives what the library is handed; nil when there is none, which must
// not be taken for a request without a context.
func (p *Prepared) hold() *cContext {
	if p == nil {
		return nil
	}
	return p.handle.hold()
}

// MarshalJSON writes what the context states.
func (p *Prepared) MarshalJSON() ([]byte, error) {
	context := p.hold()
	if context == nil {
		return nil, ErrClosed
	}
	defer p.handle.release()
	return cContextJSON(context)
}

func (x Context) isContext()   {}
func (p *Prepared) isContext() {}

// prepared takes a prepared context out of a request: the library is handed it beside
// the JSON.
func prepared(context *AnyContext) AnyContext {
	if ready, is := (*context).(*Prepared); is {
		*context = nil
		return ready
	}
	return nil
}

// anyContext reads the context of a request, which is one that is not prepared; null is
// none.
type anyContext struct {
	AnyContext
}

// UnmarshalJSON reads what the context states.
func (a *anyContext) UnmarshalJSON(text []byte) error {
	var facts *Context
	err := json.Unmarshal(text, &facts)
	a.AnyContext = nil
	if facts != nil {
		a.AnyContext = facts
	}
	return err
}
