package config

import (
	"fmt"
	"slices"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"
)

// Sheet is a YAML file that describes one run of a command: settings, and keys that belong to the
// command alone.
type Sheet struct {
	Path string
	keys []*Key
}

// Key is a key of a sheet that is not a setting, with its value.
type Key struct {
	Name   string
	Items  []string    // of a list; a single value is a list of one
	Pairs  [][2]string // of a mapping of names to single values
	origin string
}

// sheetFile is a sheet before it is read.
type sheetFile struct {
	path string
	data []byte
	own  []string // its keys that are not settings
}

// LoadSheet is like Load, with the settings of a sheet between those of the file that --config
// names and those of the environment. A list is a setting's value as well: its items with commas
// between them. The sheet has the keys in own, which are not settings; it is nil, with an error, if
// the file cannot be read or is no mapping, so that nothing is known to be missing in it.
func (s Scope) LoadSheet(
	path string, own []string, fs *pflag.FlagSet, environ []string,
) (Values, *Sheet, error) {
	data, err := readFile(path)
	if err != nil {
		v, wrong := s.Load(fs, environ)
		others, _ := wrong.(Mistakes)
		unread := &Mistake{Key: onOneLine(path), Origin: "file", Fault: err.Error(), Err: err}
		return v, nil, append(Mistakes{unread}, others...)
	}
	v, err := s.load(fs, environ, &sheetFile{path, data, own})
	sheet, wrong := parseSheet(path, data, own)
	if err != nil {
		wrong = append(err.(Mistakes), wrong...)
	}
	if len(wrong) > 0 {
		return v, sheet, wrong
	}
	return v, sheet, nil
}

// parseSheet reads the keys of a sheet that are not settings. A file that is not YAML is nil, and
// reported with the settings.
func parseSheet(path string, data []byte, own []string) (*Sheet, Mistakes) {
	sheet := &Sheet{Path: path}
	var wrong Mistakes
	entries, err := parseDocument(data)
	if err != nil {
		return nil, nil
	}
	for _, e := range entries {
		if !slices.Contains(own, e.key) {
			continue
		}
		k := &Key{
			Name: e.key, Items: itemsOf(e.node), Pairs: pairsOf(e.node),
			origin: fmt.Sprintf("file %s:%d", onOneLine(path), e.line),
		}
		switch fits := len(k.Items)+len(k.Pairs) > 0; {
		case fits && !e.twice:
			sheet.keys = append(sheet.keys, k)
		case fits || e.node.Kind == yaml.ScalarNode:
			wrong = append(wrong, &Mistake{Key: k.Name, Origin: k.origin, Fault: e.fault})
		default:
			wrong = append(
				wrong,
				&Mistake{
					Key: k.Name, Origin: k.origin, Fault: "is empty or nested",
					Want: "a value, a list of values, or names with one value each",
				},
			)
		}
	}
	return sheet, wrong
}

// itemsOf returns a single value, or those of a list; nil for anything else.
func itemsOf(n *yaml.Node) (items []string) {
	nodes := n.Content
	switch n.Kind {
	case yaml.ScalarNode:
		nodes = []*yaml.Node{n}
	case yaml.SequenceNode:
	default:
		return nil
	}
	for _, node := range nodes {
		if node = target(node); node.Kind != yaml.ScalarNode || node.Tag == nullTag {
			return nil
		}
		items = append(items, node.Value)
	}
	return items
}

// pairsOf returns the names and single values of a mapping; nil for anything else.
func pairsOf(n *yaml.Node) (pairs [][2]string) {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	for _, e := range mappingEntries(n.Content) {
		if e.fault != "" {
			return nil
		}
		pairs = append(pairs, [2]string{e.key, e.text})
	}
	return pairs
}

// Key returns the key with a name, or nil if the sheet does not have it.
func (s *Sheet) Key(name string) *Key {
	i := slices.IndexFunc(s.keys, func(k *Key) bool { return k.Name == name })
	if i < 0 {
		return nil
	}
	return s.keys[i]
}

// Missing returns a mistake about a key that the sheet lacks, with an example of it.
func (s *Sheet) Missing(name, example string) error {
	return &Mistake{
		Key: name, Origin: "file " + onOneLine(s.Path), Fault: "is missing",
		Want: "for example " + example,
	}
}

// Mistake returns an error about the key's value, and what is accepted instead.
func (k *Key) Mistake(value, fault, want string) error {
	return &Mistake{Key: k.Name, Value: quote(value), Origin: k.origin, Fault: fault, Want: want}
}
