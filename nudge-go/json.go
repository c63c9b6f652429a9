package nudge

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"sync"
	"unicode/utf8"
)

// params is the JSON of a request. Its memory serves one call after the other.
type params struct {
	json    bytes.Buffer
	encoder *json.Encoder
}

// The largest buffer that is kept for the next call.
const keptBytes = 64 << 10

var kept = sync.Pool{New: func() any {
	p := new(params)
	p.encoder = json.NewEncoder(&p.json)
	p.encoder.SetEscapeHTML(false)
	return p
}}

// write writes a request. What cannot be JSON is refused in the words of the library.
func write(request any) (*params, error) {
	p := kept.Get().(*params)
	if err := p.encoder.Encode(request); err != nil {
		p.free()
		var refusal *Error
		if errors.As(err, &refusal) {
			return nil, refusal
		}
		return nil, invalid("", "json", "this cannot be written as JSON: "+err.Error())
	}
	p.keepBytes(request)
	p.json.WriteByte(0)
	return p, nil
}

func (p *params) free() {
	if p.json.Cap() <= keptBytes {
		p.json.Reset()
		kept.Put(p)
	}
}

// keepBytes takes back what encoding/json does to a text that is no UTF-8: it puts U+FFFD
// in the place of such bytes, so that something else would be stored than was said. With a
// byte that is none in its place, the library refuses the request and names the field.
func (p *params) keepBytes(request any) {
	text := p.json.Bytes()
	for _, replaced := range []string{`\ufffd`, "\ufffd"} {
		if bytes.Contains(text, []byte(replaced)) && !isUTF8(reflect.ValueOf(request)) {
			text = bytes.ReplaceAll(text, []byte(replaced), []byte{0xff})
			p.json.Reset()
			p.json.Write(text)
		}
	}
}

// isUTF8 says whether every text in a value is UTF-8.
func isUTF8(value reflect.Value) bool {
	switch value.Kind() {
	case reflect.String:
		return utf8.ValidString(value.String())
	case reflect.Pointer, reflect.Interface:
		return value.IsNil() || isUTF8(value.Elem())
	case reflect.Slice:
		for i := range value.Len() {
			if !isUTF8(value.Index(i)) {
				return false
			}
		}
	case reflect.Map:
		for entry := value.MapRange(); entry.Next(); {
			if !isUTF8(entry.Key()) || !isUTF8(entry.Value()) {
				return false
			}
		}
	case reflect.Struct:
		for i := range value.NumField() {
			if !isUTF8(value.Field(i)) {
				return false
			}
		}
	}
	return true
}

// read reads an answer of the library.
func read(text []byte, answer any) error {
	if err := unmarshal(text, answer); err != nil {
		message := "this is not the JSON that was expected: " + err.Error()
		return &Error{Code: ErrInternal.Code, Reason: ErrInternal.Reason, Message: message, Data: ErrInternal.Data}
	}
	return nil
}

// unmarshal reads JSON into what a pointer points to.
//
// Two types of fields are interfaces, which encoding/json does not read: Value and
// AnyContext. So a struct is read as its twin, in which they are anyValue and anyContext.
// Each of these is a struct around the interface and lies in memory as the interface
// does, so that what is read into the twin is the struct. That the structs read
// themselves would do as well, but every hint would be looked through three times, which
// takes longer than the call.
func unmarshal(text []byte, pointer any) error {
	value := reflect.ValueOf(pointer)
	twin := reflect.NewAt(twinOf(value.Type().Elem()), value.UnsafePointer())
	return json.Unmarshal(text, twin.Interface())
}

// twins are those that were made already.
var twins sync.Map

// twinOf gives the twin of a type: the type itself if there is no such interface in it.
func twinOf(of reflect.Type) reflect.Type {
	if twin, ok := twins.Load(of); ok {
		return twin.(reflect.Type)
	}
	twin := of
	switch kind := of.Kind(); {
	case of == reflect.TypeFor[Value]():
		twin = reflect.TypeFor[anyValue]()
	case of == reflect.TypeFor[AnyContext]():
		twin = reflect.TypeFor[anyContext]()
	case kind == reflect.Struct:
		fields, differ := []reflect.StructField{}, false
		for _, field := range reflect.VisibleFields(of) {
			if !field.IsExported() || field.Anonymous {
				return of
			}
			other := twinOf(field.Type)
			differ = differ || other != field.Type
			field.Type = other
			fields = append(fields, field)
		}
		if differ {
			twin = reflect.StructOf(fields)
		}
	case of.Name() != "":
		// It reads itself.
	case kind == reflect.Pointer && twinOf(of.Elem()) != of.Elem():
		twin = reflect.PointerTo(twinOf(of.Elem()))
	case kind == reflect.Slice && twinOf(of.Elem()) != of.Elem():
		twin = reflect.SliceOf(twinOf(of.Elem()))
	}
	twins.Store(of, twin)
	return twin
}
