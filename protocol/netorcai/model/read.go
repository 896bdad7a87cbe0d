package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Protocol is the file of the metaprotocol's model, from the root of the repository.
const Protocol = "protocol/netorcai/model.json"

// Files returns the files of all models from the root of the repository: the metaprotocol's,
// then those of the games in alphabetical order.
func Files(root fs.FS) []string {
	games, _ := fs.Glob(root, "engine/*/model.json") // the pattern is valid
	return append([]string{Protocol}, games...)
}

// Root returns the root of the repository: the folder of go.mod above the current one.
func Root() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder, nil
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return "", errors.New("no go.mod in this folder or above it: run this in the repository")
		}
		folder = parent
	}
}

// Read reads a model from root, the root of the repository. The error names what is wrong: an
// unknown key, a type that is not defined before it is used, or a definition without content.
func Read(root fs.FS, file string) (*Model, error) {
	text, err := fs.ReadFile(root, file)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var m Model
	if err := decoder.Decode(&m); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return &m, nil
}

// check returns the first mistake of a model.
func (m *Model) check() error {
	for i := range m.Types {
		d, known := &m.Types[i], m.Types[:i]
		if slices.ContainsFunc(known, d.sameName) {
			return fmt.Errorf("type %s is defined twice", d.Name)
		}
		if !d.hasOneContent() {
			return fmt.Errorf("type %s needs one of fields, values and one_of", d.Name)
		}
		for _, name := range d.OneOf {
			if err := defined(known, Type{Kind: Named, Name: name}); err != nil {
				return fmt.Errorf("type %s: %w", d.Name, err)
			}
		}
		if err := checkFields(known, d.Name, d.Fields); err != nil {
			return err
		}
	}
	for _, msg := range m.Messages {
		if err := checkFields(m.Types, msg.Name, msg.Fields); err != nil {
			return err
		}
	}
	for _, name := range []string{m.State, m.Action} {
		if name != "" && m.Type(name) == nil {
			return fmt.Errorf("type %s is not defined", name)
		}
	}
	return m.checkStates()
}

// checkFields returns the first mistake of the fields of a type or a message.
func checkFields(known []Definition, of string, fields []Field) error {
	for i, f := range fields {
		if f.Name == "" ||
			slices.ContainsFunc(fields[:i], func(g Field) bool { return g.Name == f.Name }) {
			return fmt.Errorf("%s: field %q has no name of its own", of, f.Name)
		}
		if err := defined(known, f.Type); err != nil {
			return fmt.Errorf("%s.%s: %w", of, f.Name, err)
		}
	}
	return nil
}

// defined returns an error if a type refers to one that is not known.
func defined(known []Definition, t Type) error {
	for t.Of != nil {
		t = *t.Of
	}
	if t.Kind == Named &&
		!slices.ContainsFunc(known, func(d Definition) bool { return d.Name == t.Name }) {
		return fmt.Errorf("type %s is not defined before it", t.Name)
	}
	return nil
}

// checkStates returns an error if a transition leads to a state that is not one of the same
// peer, or needs a message that the peer cannot send or get.
func (m *Model) checkStates() error {
	for _, s := range m.States {
		for i, t := range slices.Concat(s.Sends, s.Gets) {
			msg := m.Message(t.Message)
			if msg == nil {
				return fmt.Errorf("state %s: message %s is not defined", s.Name, t.Message)
			}
			if sends := i < len(s.Sends); sends == (msg.From == "server") {
				return fmt.Errorf("state %s: message %s goes from %s to %s", s.Name, t.Message, msg.From,
					msg.To)
			}
			same := func(o State) bool { return o.Name == t.Next && o.Of == s.Of }
			if !slices.ContainsFunc(m.States, same) {
				return fmt.Errorf("state %s: %s leads to %s, which is no state of a %s", s.Name, t.Message,
					t.Next, s.Of)
			}
		}
	}
	return nil
}

func (d *Definition) hasOneContent() bool {
	contents := 0
	for _, n := range []int{len(d.Fields), len(d.Values), len(d.OneOf)} {
		if n > 0 {
			contents++
		}
	}
	return contents == 1
}

func (d *Definition) sameName(o Definition) bool { return strings.EqualFold(d.Name, o.Name) }
