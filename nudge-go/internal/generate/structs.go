package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// writeStructs writes the structs of a group with their comments.
func (g *group) writeStructs(f *file) {
	for _, s := range g.structs {
		f.comment(sentence(s.name, s.description))
		f.line("type %s struct {", s.name)
		for _, field := range s.fields {
			f.comment(field.description)
			absent := ",omitzero"
			if field.required && field.goType != "Value" && field.goType != "json.RawMessage" {
				absent = ""
			}
			f.line("%s %s `json:\"%s%s\"`", field.name, field.goType, field.json, absent)
		}
		if s.patch {
			f.comment("Names of the fields to take away, in the words of JSON, such as `reason`.")
			f.line("Clear []string `json:\"-\"`")
		}
		f.line("}\n")
		s.writeFormat(f)
	}
	if g.name != "answers" {
		f.line("// What has fields that are interfaces is read by unmarshal.\n")
	}
	for _, s := range g.structs {
		if s.types()["Value"] == "Value" || s.types()["Context"] == "AnyContext" {
			f.line("func (x *%s) UnmarshalJSON(text []byte) error { return unmarshal(text, x) }", s.name)
		}
	}
}

// writeFormat lets nobody print a secret by accident.
func (s structure) writeFormat(f *file) {
	if s.types()["Value"] != "Value" || s.types()["Meta"] == "" {
		return
	}
	f.line("// Format prints it with any verb of fmt, its value masked if it is marked as a secret.")
	f.line("func (x %s) Format(f fmt.State, verb rune) {\ntype plain %s", s.name, s.name)
	f.line("if x.Meta.Sensitivity == Secret {\nx.Value = masked\n}")
	f.line("fmt.Fprintf(f, fmt.FormatString(f, verb), plain(x))\n}\n")
}

// types are the types of the fields by their names.
func (s structure) types() map[string]string {
	types := map[string]string{}
	for _, field := range s.fields {
		types[field.name] = field.goType
	}
	return types
}

// writeWords writes the types that are one of several words, and the words.
func (m *model) writeWords(f *file) {
	for _, schemaName := range slices.Sorted(maps.Keys(m.document.Components.Schemas)) {
		s, name := m.document.Components.Schemas[schemaName], goName(schemaName)
		if s.Enum == nil || byHand[schemaName] {
			continue
		}
		f.comment(sentence(name, s.Description))
		f.line("type %s string\n\nconst (", name)
		for _, word := range s.Enum {
			f.line("%s %s = %q", wordName(name, word), name, word)
		}
		f.line(")\n")
	}
}

func wordName(goType, word string) string {
	if name, ok := wordNames[goType+camel(word)]; ok {
		return name
	}
	if form, ok := wordForms[goType]; ok {
		return fmt.Sprintf(form, camel(word))
	}
	return goType + camel(word)
}

// writeOperations writes the methods of a store.
func (m *model) writeOperations(f *file) {
	for _, o := range m.document.Operations {
		f.comment(o.method() + " " + lower(o.Summary) + " " + o.Description)
		params, context, request := "request "+goName(o.Request), "nil", "&request"
		if goName(o.Request) == "" {
			params, request = "", "struct{}{}"
		}
		if o.Params.Properties["context"] != nil {
			context = "prepared(&request.Context)"
		}
		f.line("func (s *Store) %s(%s) (answer %s, err error) {", o.method(), params, goName(o.Answer))
		f.line("err = s.call(\"%s\\x00\", %s, %s, &answer)\nreturn answer, err\n}\n", o.Name, context, request)
	}
}

func (o operation) method() string {
	return camel(strings.TrimPrefix(o.Name, "nudge."))
}

// sentence makes the description of a type one about its name.
func sentence(name, description string) string {
	first, _, _ := strings.Cut(description, " ")
	if verbs[first] {
		return name + " " + lower(description)
	}
	return name + " is " + lower(description)
}

func lower(text string) string {
	return strings.ToLower(text[:1]) + text[1:]
}

// comment writes a text as a comment of lines that are not too long. The kinds of
// errors are linked to the variables that stand for them.
func (f *file) comment(text string) {
	const most = 96
	line := "//"
	for _, word := range strings.Fields(links(text)) {
		if len(line)+1+len(word) > most {
			f.line("%s", line)
			line = "//"
		}
		line += " " + word
	}
	if line != "//" {
		f.line("%s", line)
	}
}

// links puts [ErrNotFound] in the place of `E_NOT_FOUND`.
func links(text string) string {
	parts := strings.Split(text, "`")
	var made strings.Builder
	for i, part := range parts {
		switch {
		case i%2 == 0:
			made.WriteString(part)
		case strings.HasPrefix(part, "E_"):
			made.WriteString("[Err" + camel(strings.ToLower(part[2:])) + "]")
		default:
			made.WriteString("`" + part + "`")
		}
	}
	return made.String()
}
