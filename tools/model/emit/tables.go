package emit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/protocol/netorcai/model"
)

// tables lists the tables of the documentation. Each is between the lines <!-- NAME --> and
// <!-- end of NAME -->.
var tables = []struct {
	file, name string
	model      string
	write      func(*model.Model) string
}{
	{"protocol/netorcai/SPEC.md", "limits", "netorcai", limitTable},
	{"protocol/netorcai/SPEC.md", "messages", "netorcai", messageTable},
	{"protocol/netorcai/SPEC.md", "client states", "netorcai", func(m *model.Model) string {
		return stateTable(
			m, "client")
	}},
	{"protocol/netorcai/SPEC.md", "game logic states", "netorcai", func(m *model.Model) string {
		return stateTable(
			m, "game logic")
	}},
	{"protocol/netorcai/SPEC.md", "errors", "netorcai", errorTable},
	{"protocol/netorcai/SPEC.md", "kicks", "netorcai", kickTable},
	{"docs/protocol.md", "kicks", "netorcai", commonKickTable},
	{"docs/protocol.md", "extensions", "netorcai", extensionTable},
	{"docs/add-a-game.md", "keys", "netorcai", logicExtensionTable},
	{"docs/add-a-game.md", "view", "netorcai", viewTable},
	{"docs/player.md", "state", "hexabomb", gameStateTable},
	{"docs/hextictactoe.md", "state", "hextictactoe", gameStateTable},
}

// table writes a table in Markdown.
type table struct{ strings.Builder }

func newTable(columns ...string) *table {
	t := &table{}
	t.row(columns...)
	t.row(slices.Repeat([]string{"---"}, len(columns))...)
	return t
}

func (t *table) row(cells ...string) {
	t.WriteString("|")
	for _, c := range cells {
		t.WriteString(" " + strings.ReplaceAll(c, "|", `\|`))
		if c != "" {
			t.WriteString(" ")
		}
		t.WriteString("|")
	}
	t.WriteString("\n")
}

func code(text string) string { return "`" + text + "`" }

func limitTable(m *model.Model) string {
	t := newTable("limit", "at most")
	for _, l := range m.Limits {
		t.row(l.About, strings.TrimSpace(grouped(l.Value)+" "+l.Unit))
	}
	return t.String()
}

// grouped returns n with a space between groups of three digits, as the documentation writes
// numbers of five digits and more.
func grouped(n int64) string {
	digits := fmt.Sprint(n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + " " + digits[at:]
	}
	return digits
}

func messageTable(m *model.Model) string {
	t := newTable("field", "type", "")
	for _, msg := range m.Messages {
		t.row("**"+msg.Name+"**", msg.From+" → "+msg.To, msg.About)
		fieldRows(t, msg.Fields)
	}
	for _, d := range m.Types {
		if d.Values != nil {
			t.row("**"+d.Name+"**", "string", d.About+": `"+strings.Join(d.Values, "`, `")+"`")
			continue
		}
		t.row("**"+d.Name+"**", "object", d.About)
		fieldRows(t, d.Fields)
	}
	return t.String()
}

func fieldRows(t *table, fields []model.Field) {
	for _, f := range fields {
		var notes []string
		switch {
		case f.Extension:
			notes = append(notes, "extension")
		case f.Optional:
			notes = append(notes, "optional")
		}
		if f.About != "" {
			notes = append(notes, f.About)
		}
		t.row(code(f.Name), f.Type.String(), strings.Join(notes, "; "))
	}
}

func stateTable(m *model.Model, of string) string {
	t := newTable("state", "", "it may send", "it is sent")
	for _, s := range m.States {
		if s.Of == of {
			t.row(s.Name, s.About, transitions(s.Sends), transitions(s.Gets))
		}
	}
	return t.String()
}

func transitions(list []model.Transition) string {
	var texts []string
	for _, t := range list {
		texts = append(texts, t.Message+" → "+t.Next)
	}
	return strings.Join(texts, ", ")
}

func errorTable(m *model.Model) string {
	t := newTable("error", "class", "")
	for _, e := range m.Errors {
		t.row(code(e.Text), e.Class, marked(e.Extension, e.About))
	}
	return t.String()
}

func kickTable(m *model.Model) string {
	t := newTable("reason", "to", "cause")
	for _, k := range m.Kicks {
		reason := code(k.Text)
		if k.Text == "" {
			reason = code(k.Beginning) + "…"
		}
		cause := k.Cause
		if k.CompletedBy != nil {
			cause += "; completed by an error of the class " + oneOf(k.CompletedBy)
		}
		t.row(reason, k.To, marked(k.Extension, cause))
	}
	return t.String()
}

func marked(extension bool, text string) string {
	if extension {
		return "extension; " + text
	}
	return text
}

// commonKickTable lists the reasons that bots get, beginnings by their examples.
func commonKickTable(m *model.Model) string {
	t := newTable("reason", "cause")
	for _, k := range m.Kicks {
		switch {
		case k.To != "client":
		case k.Text != "":
			t.row(code(k.Text), k.Cause)
		default:
			for _, e := range k.Examples {
				t.row(code(e.Reason), e.Cause)
			}
		}
	}
	return t.String()
}

// extensionTable lists hexarena's fields of the messages that bots send and get.
func extensionTable(m *model.Model) string {
	t := newTable("message", "field", "type", "without it", "")
	for _, msg := range m.Messages {
		for _, f := range msg.Fields {
			if f.Extension && (msg.From == "client" || msg.To == "client") {
				absent := ""
				if f.Default != nil {
					absent = cmp.Or(fmt.Sprint(f.Default), "empty")
				}
				t.row(msg.Name, code(f.Name), f.Type.String(), absent, f.About)
			}
		}
	}
	return t.String()
}

// logicExtensionTable lists hexarena's fields of the messages that game logics send and get.
func logicExtensionTable(m *model.Model) string {
	t := newTable("message", "key", "type", "bound", "meaning")
	for _, msg := range m.Messages {
		for _, f := range msg.Fields {
			if f.Extension && (msg.From == "game logic" || msg.To == "game logic") {
				about := meaning(m, f)
				if f.Type.Name == "View" { // it has a table
					about = f.About
				}
				t.row(msg.Name, code(f.Name), f.Type.String(), bound(f), about)
			}
		}
	}
	return t.String()
}

// viewTable lists the keys of a view.
func viewTable(m *model.Model) string {
	t := newTable("key", "type", "bound", "without it", "meaning")
	for _, f := range m.Type("View").Fields {
		absent := "not permitted"
		if f.Optional {
			absent = "none"
		}
		if f.Default != nil {
			absent = code(fmt.Sprint(f.Default))
		}
		t.row(code(f.Name), f.Type.String(), bound(f), absent, meaning(m, f))
	}
	return t.String()
}

// bound returns the range of a number, or of the length of a text or list.
func bound(f model.Field) string {
	switch {
	case f.Min != nil && f.Max != nil:
		return grouped(*f.Min) + " to " + grouped(*f.Max)
	case f.Min != nil:
		return "from " + grouped(*f.Min)
	case f.MaxLength == 0:
		return ""
	case f.Type.Of != nil:
		return fmt.Sprintf("at most %d", f.MaxLength)
	case f.MinLength == 0:
		return fmt.Sprintf("at most %d characters", f.MaxLength)
	}
	return fmt.Sprintf("%d to %d characters", f.MinLength, f.MaxLength)
}

// gameStateTable lists the keys of a game's state, each with those of the objects in it.
func gameStateTable(m *model.Model) string {
	t := newTable("key", "meaning")
	for _, f := range m.Type(m.State).Fields {
		t.row(code(f.Name), meaning(m, f))
	}
	return t.String()
}

// meaning returns what a field is, and the keys of the objects in it. A field without words of its
// own holds those of its type, with the values of the type.
func meaning(m *model.Model, f model.Field) string {
	inner := f.Type
	for inner.Of != nil {
		inner = *inner.Of
	}
	d := m.Type(inner.Name)
	switch {
	case d == nil || d.Values != nil && f.About != "":
		return f.About
	case d.Values != nil:
		return d.About + ": `" + strings.Join(d.Values, "`, `") + "`"
	}
	var keys []string
	for _, f := range d.Fields {
		key := code(f.Name)
		if about := meaning(m, f); about != "" {
			key += " (" + about + ")"
		}
		keys = append(keys, key)
	}
	return cmp.Or(f.About, d.About) + ": " + strings.Join(keys, ", ")
}
