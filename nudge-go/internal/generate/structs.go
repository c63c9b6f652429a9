package main

import (
	"fmt"
	"sort"
	"strings"
)

// writeStructs writes the structs of a group with their comments.
func (g *group) writeStructs(f *file) {
	for _, s := range g.structs {
		f.comment(sentence(s.name, s.description))
		f.line("type %s struct {", s.name)
		for _, field := range s.fields {
			f.comment(field.description)
			absent := ",omitempty"
			if field.required {
				absent = ""
			}
			f.line("%s %s `json:\"%s%s\"`", field.name, field.goType, field.json, absent)
		}
		if s.patch {
			f.comment("Names of the fields to take away, in the words of JSON, such as `reason`.")
			f.line("Clear []string `json:\"-\"`")
		}
		f.line("}\n")
	}
}

// writeWords writes the types that are one of several words, and the words.
func (m *model) writeWords(f *file) {
	var names []string
	for name, s := range m.document.Components.Schemas {
		if s.Enum != nil && !byHand[name] {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for _, schemaName := range names {
		s, name := m.document.Components.Schemas[schemaName], goName(schemaName)
		f.comment(sentence(name, s.Description))
		f.line("type %s string\n\n// The words of %s.\nconst (", name, name)
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

// writeOperations writes the names of the operations and the methods of a store.
func (m *model) writeOperations(f *file) {
	f.line("// The operations, by their names on the wire without the prefix.\nconst (")
	var constants []string
	for _, o := range m.document.Operations {
		f.line("op%s operation = \"%s\\x00\"", o.method(), strings.TrimPrefix(o.Name, "nudge."))
		constants = append(constants, "op"+o.method())
	}
	f.line(")\n\nvar operations = []operation{\n%s,\n}\n", strings.Join(constants, ",\n"))
	for _, o := range m.document.Operations {
		f.comment(o.method() + " " + lower(o.Summary) + " " + o.Description)
		request, answer := goName(o.Request), goName(o.Answer)
		params, context, write := "request "+request, "nil", "request.write"
		if request == "" {
			params, write = "", "writeNothing"
		}
		if o.Params.Properties["context"] != nil {
			context = "request.Context"
		}
		f.line("func (s *Store) %s(%s) (answer %s, err error) {", o.method(), params, answer)
		f.line("err = s.call(op%s, %s, %s, answer.read)\nreturn answer, err\n}\n", o.method(), context, write)
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
