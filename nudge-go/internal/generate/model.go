package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// model is what the document says, in the types of Go.
type model struct {
	document *document
	groups   []*group
	// structs are the names of the types that are structs.
	structs map[string]bool
}

// group is the structs of one file.
type group struct {
	name    string
	structs []structure
}

type structure struct {
	name, description string
	fields            []field
	patch             bool
}

type field struct {
	name, json, goType, description string
	required                        bool
}

func newModel(d *document) (*model, error) {
	m := &model{document: d, structs: map[string]bool{}}
	for name, s := range d.Components.Schemas {
		if !byHand[name] && s.Enum == nil {
			m.structs[goName(name)] = true
		}
	}
	requests, answers, parts := &group{name: "requests"}, &group{name: "answers"}, &group{name: "parts"}
	m.groups = []*group{requests, answers, parts}
	done := map[string]bool{}
	add := func(to *group, name string, s *schema) error {
		if done[name] || byHand[name] {
			return nil
		}
		done[name] = true
		made, err := m.structure(name, s)
		m.structs[made.name] = true
		to.structs = append(to.structs, made)
		return err
	}
	for _, o := range d.Operations {
		if err := add(requests, o.Request, o.Params); err != nil {
			return nil, err
		}
		if err := add(answers, o.Answer, o.Result); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.Components.Schemas)) {
		if s := d.Components.Schemas[name]; s.Enum == nil {
			if err := add(parts, name, s); err != nil {
				return nil, err
			}
		}
	}
	return m, nil
}

// structure makes the struct of an object, or of one of several objects, of which
// it has the fields of all.
func (m *model) structure(name string, s *schema) (structure, error) {
	made := structure{name: goName(name), description: s.Description, patch: patches[name]}
	choices, _ := s.choices()
	for _, choice := range choices {
		for _, property := range choice.Order {
			p := choice.Properties[property]
			required := s.AnyOf == nil && slices.Contains(choice.Required, property)
			description := p.Description
			if description == "" && s.AnyOf != nil {
				description = choice.Description
			}
			goType, err := m.fieldType(name+"."+property, p, required)
			if err != nil {
				return made, err
			}
			made.fields = append(made.fields, field{camel(property), property, goType, description, required})
		}
	}
	return made, nil
}

// fieldType is the type of a field. The zero value says that it is absent, but for
// a struct, a number with decimals, and what is null rather than absent.
func (m *model) fieldType(path string, s *schema, required bool) (string, error) {
	if given, ok := fieldTypes[path]; ok {
		return given, nil
	}
	if s.named() == "Context" || len(s.AnyOf) > 0 && s.AnyOf[0].named() == "Context" {
		return "AnyContext", nil
	}
	goType, err := m.goType(s)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	_, nullable := s.choices()
	if required && nullable || !required && (m.structs[goType] || goType == "float64") {
		goType = "*" + goType
	}
	return goType, nil
}

func (m *model) goType(s *schema) (string, error) {
	if name := s.named(); name != "" {
		return goName(name), nil
	}
	if s.AnyOf != nil {
		return m.choice(s)
	}
	if values := s.values(); values != nil {
		value, err := m.goType(values)
		if _, nullable := values.choices(); nullable {
			value = "*" + value
		}
		return "map[string]" + value, err
	}
	switch s.Type {
	case "string":
		return "string", nil
	case "boolean":
		return "bool", nil
	case "integer":
		return "int", nil
	case "number":
		return "float64", nil
	case "array":
		item, err := m.goType(s.Items)
		return "[]" + item, err
	}
	return "", fmt.Errorf("there is no type for %+v; name one among the exceptions", *s)
}

// choice is the type of what fits one of several schemas: a list where one item may
// stand by itself, and a text where a number may stand for it.
func (m *model) choice(s *schema) (string, error) {
	choices, _ := s.choices()
	var types []string
	for _, choice := range choices {
		goType, err := m.goType(choice)
		if err != nil {
			return "", err
		}
		types = append(types, goType)
	}
	list := slices.IndexFunc(types, func(goType string) bool { return strings.HasPrefix(goType, "[]") })
	switch {
	case len(types) == 1:
		return types[0], nil
	case len(types) == 2 && list >= 0 && types[list] == "[]Hint":
		return "Hints", nil
	case len(types) == 2 && list >= 0 && types[list] == "[]"+types[1-list]:
		return types[list], nil
	case slices.Equal(types, []string{"string", "int"}):
		return "string", nil
	}
	return "", fmt.Errorf("there is no type for one of %s; name one among the exceptions", strings.Join(types, ", "))
}

func goName(name string) string {
	if other, ok := typeNames[name]; ok {
		return other
	}
	return name
}

// camel makes the name of Go of one of JSON: HintCount of hint_count.
func camel(name string) string {
	var made strings.Builder
	for _, part := range strings.FieldsFunc(name, func(c rune) bool { return c == '_' || c == '-' || c == '.' }) {
		if initialism, ok := initialisms[part]; ok {
			made.WriteString(initialism)
		} else {
			made.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return made.String()
}
