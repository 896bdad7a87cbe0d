package site

import (
	"embed"
	"fmt"
	"html"
	"slices"
	"strings"
)

//go:embed pages
var pages embed.FS

// markup is HTML. Everything else that becomes a part of it is escaped, for text and for attributes
// in quotes.
//
// Package html/template would do so as well, but calls methods by their names, so that the linker
// keeps all exported methods of the whole program: an eighth of its size.
type markup string

// escaped returns a value as HTML.
func escaped(value any) string {
	if m, ok := value.(markup); ok {
		return string(m)
	}
	return html.EscapeString(fmt.Sprint(value))
}

// mark returns HTML with a value in the place of each %s.
func mark(format string, values ...any) markup {
	list := make([]any, len(values))
	for i, value := range values {
		list[i] = escaped(value)
	}
	return markup(fmt.Sprintf(format, list...))
}

// markIf returns HTML as mark does, or nothing.
func markIf(shown bool, format string, values ...any) markup {
	if !shown {
		return ""
	}
	return mark(format, values...)
}

// markEach returns the HTML of all elements of a list.
func markEach[T any](list []T, one func(T) markup) markup {
	var b strings.Builder
	for _, e := range list {
		b.WriteString(string(one(e)))
	}
	return markup(b.String())
}

// options returns the options of a select, of which one may be chosen.
func options(list []string, chosen string) markup {
	return markEach(list, func(name string) markup {
		return mark(`<option%s>%s</option>`, markIf(name == chosen, " selected"), name)
	})
}

// fill returns a file of pages/ with values in the places of {{names}}, which are given in pairs.
func fill(file string, pairs ...any) markup {
	text, err := pages.ReadFile("pages/" + file)
	if err != nil {
		panic(err) // it is part of the program
	}
	var list []string
	for pair := range slices.Chunk(pairs, 2) {
		list = append(list, "{{"+pair[0].(string)+"}}", escaped(pair[1]))
	}
	return markup(strings.NewReplacer(list...).Replace(string(text)))
}
