package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Difference returns the values in which two plans differ, a line each: its place in the plan, such
// as "bots 2 digest", or the name of a setting, and both values. Of an element that only one has,
// such as a bot, it returns the name alone. What a comparison asks has the names of its flags, and
// is left out if the formats differ.
func Difference(a, b *Plan) []string {
	before, after := a.values(), b.values()
	keys := map[string]bool{}
	for _, values := range []map[string]string{before, after} {
		for key := range values {
			keys[key] = true
		}
	}
	var lines []string
	for key := range keys {
		if strings.HasPrefix(key, "--") && a.Format != b.Format {
			continue
		}
		name := key[:strings.LastIndexByte(key, ' ')+1] + "name"
		partial := key != name && (before[name] == "") != (after[name] == "")
		if before[key] != after[key] && !partial {
			lines = append(lines,
				fmt.Sprintf("%s was %s and is %s", key, or(before[key]), or(after[key])))
		}
	}
	slices.Sort(lines)
	return lines
}

// or returns a value, or a word for a missing one.
func or(value string) string {
	if value == "" {
		return "nothing"
	}
	return value
}

// values returns the values of a plan by their places in its JSON.
func (p *Plan) values() map[string]string {
	var tree any
	d := json.NewDecoder(bytes.NewReader(p.deciding()))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil {
		panic(err) // it is JSON
	}
	values := map[string]string{}
	var visit func(key string, node any)
	visit = func(key string, node any) {
		switch node := node.(type) {
		case map[string]any:
			for name, child := range node {
				visit(strings.TrimSpace(key+" "+name), child)
			}
		case []any:
			for i, child := range node {
				if key == "settings" {
					s := child.(map[string]any)
					values[fmt.Sprint(s["name"])] = fmt.Sprint(s["value"])
					continue
				}
				visit(fmt.Sprintf("%s %d", key, i+1), child)
			}
		default:
			values[key] = fmt.Sprint(node)
		}
	}
	visit("", tree)
	for key, flag := range map[string]string{
		"test NElo0": "--elo0", "test NElo1": "--elo1", "test Alpha": "", "test Beta": "",
	} {
		if value, ok := values[key]; ok && flag != "" {
			values[flag] = value
		}
		delete(values, key)
	}
	return values
}
