package main

import (
	"encoding/json"
	"os"
	"strings"
)

// document is docs/operations.json.
type document struct {
	Components struct {
		Schemas map[string]*schema `json:"schemas"`
	} `json:"components"`
	Operations []operation `json:"operations"`
}

type operation struct {
	Name        string  `json:"name"`
	Summary     string  `json:"summary"`
	Description string  `json:"description"`
	Request     string  `json:"request"`
	Answer      string  `json:"answer"`
	Params      *schema `json:"params"`
	Result      *schema `json:"result"`
}

type schema struct {
	Ref                  string             `json:"$ref"`
	Type                 string             `json:"type"`
	Description          string             `json:"description"`
	Enum                 []string           `json:"enum"`
	AnyOf                []*schema          `json:"anyOf"`
	Items                *schema            `json:"items"`
	Order                []string           `json:"order"`
	Properties           map[string]*schema `json:"properties"`
	Required             []string           `json:"required"`
	AdditionalProperties json.RawMessage    `json:"additionalProperties"`
}

func readDocument(path string) (*document, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	read := new(document)
	return read, json.Unmarshal(text, read)
}

// named gives the name of the schema that this one refers to; empty when it does not.
func (s *schema) named() string {
	return s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]
}

// choices gives the schemas of which a value fits one, without null.
func (s *schema) choices() (choices []*schema, nullable bool) {
	if s.AnyOf == nil {
		return []*schema{s}, false
	}
	for _, choice := range s.AnyOf {
		if choice.Type == "null" {
			nullable = true
		} else {
			choices = append(choices, choice)
		}
	}
	return choices, nullable
}

// values gives the schema of the values of a map; nil when it is not a map.
func (s *schema) values() *schema {
	var values schema
	if s.Type != "object" || s.Properties != nil || json.Unmarshal(s.AdditionalProperties, &values) != nil {
		return nil
	}
	return &values
}
