package main

import (
	"sort"
	"strings"
)

// writeJSON writes what writes and reads the structs of a group as JSON.
func (m *model) writeJSON(f *file, g *group) {
	for _, s := range g.structs {
		f.line("// MarshalJSON writes it as every surface of Nudge does.")
		f.line("func (x %s) MarshalJSON() ([]byte, error) { return marshal(x.write) }\n", s.name)
		f.line("// UnmarshalJSON reads it.")
		f.line("func (x *%s) UnmarshalJSON(text []byte) error {\n*x = %s{}\nreturn unmarshal(text, x.read)\n}\n", s.name, s.name)
		m.writeFormat(f, s)
		f.line("func (x %s) write(w *writer) {\nstart := w.open()", s.name)
		for _, field := range s.fields {
			m.writeField(f, field)
		}
		if s.patch {
			f.line("for _, name := range x.Clear {\nw.anyName(name)\nw.null()\n}")
		}
		f.line("w.close(start, \"{}\")\n}\n")
		m.writeRead(f, s)
	}
	m.writeShared(f, g)
}

// writeFormat lets nobody print a secret by accident.
func (m *model) writeFormat(f *file, s structure) {
	types := map[string]string{}
	for _, field := range s.fields {
		types[field.name] = field.goType
	}
	if types["Value"] != "Value" || types["Meta"] == "" {
		return
	}
	f.line("// Format prints it with any verb of fmt, its value masked if it is marked as a secret.")
	f.line("func (x %s) Format(f fmt.State, verb rune) {\ntype plain %s", s.name, s.name)
	f.line("if x.Meta.Sensitivity == Secret {\nx.Value = masked\n}")
	f.line("fmt.Fprintf(f, fmt.FormatString(f, verb), plain(x))\n}\n")
}

// writeField writes a field, unless it is absent.
func (m *model) writeField(f *file, field field) {
	x, goType, name := "x."+field.name, field.goType, field.json
	element, isPointer := strings.CutPrefix(goType, "*")
	switch value := strings.TrimPrefix(goType, "map[string]"); {
	case goType == "AnyContext":
		f.line("w.context(%s)", x)
	case value != goType:
		f.line("table(w, %q, %s, func(w *writer, value %s) {", name, x, value)
		m.writeValue(f, "value", value)
		f.line("})")
	case strings.HasPrefix(goType, "[]") && m.structs[goType[2:]]:
		f.line("parts(w, %q, %s)", name, x)
	case strings.HasPrefix(goType, "[]"):
		f.line("list(w, %q, %s)", name, x)
	case isPointer && !field.required:
		f.line("if %s != nil {\nw.name(%q)", x, name)
		m.writeValue(f, "*"+x, element)
		f.line("}")
	case goType == "Value", goType == "Hints", goType == "json.RawMessage":
		f.line("if %s != nil {\nw.name(%q)", x, name)
		if goType == "json.RawMessage" {
			f.line("w.raw(%q, %s)\n}", name, x)
		} else {
			f.line("%s.write(w)\n}", x)
		}
	case field.required:
		f.line("w.name(%q)", name)
		m.writeValue(f, x, goType)
	case m.structs[goType]:
		f.line("{\nbefore := len(w.json)\nw.name(%q)\n%s.write(w)\nw.dropEmpty(before)\n}", name, x)
	case goType == "string":
		f.line("w.optional(%q, %s)", name, x)
	case m.words[goType]:
		f.line("w.optional(%q, string(%s))", name, x)
	case goType == "bool":
		f.line("w.flag(%q, %s)", name, x)
	case goType == "int":
		f.line("w.integer(%q, %s)", name, x)
	case goType == "uint64":
		f.line("w.count(%q, %s)", name, x)
	case goType == "time.Time":
		f.line("w.moment(%q, %s)", name, x)
	default:
		f.line("%s is a %s, which cannot be absent", x, goType)
	}
}

// writeValue writes a value that is there; a pointer that is nil as null.
func (m *model) writeValue(f *file, x, goType string) {
	element, isPointer := strings.CutPrefix(goType, "*")
	switch {
	case isPointer:
		f.line("if %s == nil {\nw.null()\n} else {", x)
		m.writeValue(f, "*"+x, element)
		f.line("}")
	case goType == "string":
		f.line("w.json = appendText(w.json, %s)", x)
	case m.words[goType]:
		f.line("w.json = appendText(w.json, string(%s))", x)
	case goType == "bool":
		f.line("w.json = strconv.AppendBool(w.json, %s)", x)
	case goType == "int":
		f.line("w.json = strconv.AppendInt(w.json, int64(%s), 10)", x)
	case goType == "uint64":
		f.line("w.json = strconv.AppendUint(w.json, %s, 10)", x)
	case goType == "float64":
		f.line("w.float(%s)", x)
	case goType == "time.Time":
		f.line("w.time(%s)", x)
	case strings.HasPrefix(goType, "[]"):
		f.line("listOf(w, %s)", x)
	default:
		f.line("%s.write(w)", strings.TrimPrefix(x, "*"))
	}
}

// writeRead writes what reads a struct. Fields that it does not know are passed over.
func (m *model) writeRead(f *file, s structure) {
	f.line("func (x *%s) read(r *reader) {\nfor ok := r.open('{'); ok && r.more('}'); {", s.name)
	if s.patch {
		f.line("name := r.key()\nif r.peek() == 'n' {\nx.Clear = append(x.Clear, r.keep(name))\nr.null()\ncontinue\n}\nswitch name {")
	} else {
		f.line("switch r.key() {")
	}
	for _, field := range s.fields {
		f.line("case %q:", field.json)
		m.readInto(f, "x."+field.name, field.goType)
	}
	f.line("default:\nr.skip()\n}\n}\n}\n")
}

// readInto reads a value into a variable.
func (m *model) readInto(f *file, x, goType string) {
	element, isPointer := strings.CutPrefix(goType, "*")
	switch {
	case isPointer && m.structs[element]:
		f.line("if r.peek() == 'n' {\nr.null()\n} else {\n%s = new(%s)\n%s.read(r)\n}", x, element, x)
	case isPointer:
		f.line("if r.peek() == 'n' {\nr.null()\n} else {\n%s = Ptr(%s)\n}", x, m.reading(element))
	case m.structs[goType]:
		f.line("%s.read(r)", x)
	default:
		f.line("%s = %s", x, m.reading(goType))
	}
}

// reading is the expression that reads a value which is not a struct.
func (m *model) reading(goType string) string {
	switch {
	case m.words[goType]:
		return goType + "(r.string())"
	case goType == "[]string":
		return "r.texts()"
	case strings.HasPrefix(goType, "[]") && m.words[goType[2:]]:
		return "words[" + goType[2:] + "](r.texts())"
	case strings.HasPrefix(goType, "[]"), strings.HasPrefix(goType, "map["):
		return "r." + shared(goType) + "()"
	}
	return "r." + map[string]string{
		"AnyContext": "anyContext", "Hints": "hints", "Value": "value", "bool": "bool", "float64": "float", "int": "int",
		"json.RawMessage": "json", "string": "string", "time.Time": "time", "uint64": "uint",
	}[goType] + "()"
}

// shared is the name of what reads lists or maps of one type.
func shared(goType string) string {
	if element, is := strings.CutPrefix(goType, "[]"); is {
		return "listOf" + shared(element)
	}
	if element, is := strings.CutPrefix(goType, "map[string]"); is {
		return "tableOf" + shared(element)
	}
	if element, is := strings.CutPrefix(goType, "*"); is {
		return "Optional" + shared(element)
	}
	return strings.ToUpper(goType[:1]) + goType[1:]
}

// writeShared writes what reads lists and maps, once for the package: beside the
// parts, which all others are made of.
func (m *model) writeShared(f *file, g *group) {
	if g.name != "parts" {
		return
	}
	used := map[string]bool{}
	for _, group := range m.groups {
		for _, s := range group.structs {
			for _, field := range s.fields {
				if m.isShared(field.goType) {
					used[field.goType] = true
				}
			}
		}
	}
	var types []string
	for goType := range used {
		types = append(types, goType)
	}
	sort.Strings(types)
	for _, goType := range types {
		name := shared(goType)
		if element, is := strings.CutPrefix(goType, "[]"); is {
			f.line("func (r *reader) %s() %s {\nif r.peek() == 'n' {\nr.null()\nreturn nil\n}", name, goType)
			f.line("list := %s{}\nfor ok := r.open('['); ok && r.more(']'); {", goType)
			f.line("list = append(list, %s{})\nlist[len(list)-1].read(r)\n}\nreturn list\n}\n", element)
			continue
		}
		element := strings.TrimPrefix(goType, "map[string]")
		f.line("func (r *reader) %s() %s {\nif r.peek() == 'n' {\nr.null()\nreturn nil\n}", name, goType)
		f.line("table := %s{}\nfor ok := r.open('{'); ok && r.more('}'); {\nname := r.anyKey()\nvar value %s", goType, element)
		m.readInto(f, "value", element)
		f.line("table[name] = value\n}\nreturn table\n}\n")
	}
}

// isShared says whether a type is read by a method of its own: a list of structs or a map.
func (m *model) isShared(goType string) bool {
	return strings.HasPrefix(goType, "map[") || strings.HasPrefix(goType, "[]") && m.structs[goType[2:]]
}
