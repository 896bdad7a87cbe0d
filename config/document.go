package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"
)

// entry is one key of a YAML file with its value as written: 010 is an octal number for
// one setting and a file name for another.
type entry struct {
	key   string
	text  string
	fault string // why text is not a value, or empty
	twice bool   // an earlier entry has the same key
	line  int
	node  *yaml.Node // the value
}

// parseDocument reads a YAML file of settings: one mapping of names to scalars, or an
// empty file.
func parseDocument(data []byte) ([]entry, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, yamlError(err)
	}
	// The decoder stops after the first document; others must not be ignored.
	switch err := decoder.Decode(new(yaml.Node)); {
	case err == nil:
		return nil, errors.New("holds more than one YAML document")
	case !errors.Is(err, io.EOF):
		return nil, yamlError(err)
	}
	root := document.Content[0]
	switch {
	case root.Kind == yaml.ScalarNode && root.Tag == nullTag:
		return nil, nil
	case root.Kind != yaml.MappingNode:
		return nil, fmt.Errorf("line %d: want a mapping of settings to values, not a %s", root.Line,
			kindName(root))
	}
	return mappingEntries(root.Content), nil
}

func mappingEntries(nodes []*yaml.Node) []entry {
	entries := make([]entry, 0, len(nodes)/2)
	first := make(map[string]int)
	for i := 0; i+1 < len(nodes); i += 2 {
		name, value := target(nodes[i]), target(nodes[i+1])
		e := entry{key: name.Value, text: value.Value, line: nodes[i].Line, node: value}
		if name.Kind != yaml.ScalarNode {
			e.key = "a " + kindName(name)
		}
		switch {
		case value.Tag == nullTag:
			e.fault = "has no value"
		case value.Kind != yaml.ScalarNode:
			e.text, e.fault = "...", "is a "+kindName(value)
		}
		if line, twice := first[e.key]; twice {
			e.fault, e.twice = fmt.Sprintf("is given a second time, first in line %d", line), true
		} else {
			first[e.key] = e.line
		}
		entries = append(entries, e)
	}
	return entries
}

// target returns the node that an alias refers to.
func target(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

const nullTag = "!!null"

func kindName(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "mapping"
	case yaml.SequenceNode:
		return "list"
	}
	return "single value"
}

func yamlError(err error) error {
	return errors.New("is not YAML: " + strings.TrimPrefix(err.Error(), "yaml: "))
}

// maxFileSize bounds the memory for a file that was named by mistake.
const maxFileSize = 1 << 20

// readFile reads a settings file. Errors do not repeat the path.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, pathless(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if err != nil {
		return nil, pathless(err)
	}
	if len(data) > maxFileSize {
		return nil, fmt.Errorf("is larger than %d bytes", maxFileSize)
	}
	return data, nil
}

func pathless(err error) error {
	var pathError *os.PathError
	if errors.As(err, &pathError) {
		return fmt.Errorf("cannot be read: %w", pathError.Err)
	}
	return fmt.Errorf("cannot be read: %w", err)
}
