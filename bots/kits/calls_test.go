package kits_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"hash/fnv"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
)

// compareCalls compares the calls that a bot printed with those of its vector.
func compareCalls(t *testing.T, printed []byte, want []map[string]any) {
	t.Helper()
	got := callsIn(printed)
	draws := map[string]any{}
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			t.Errorf("it lacks the call %v", want[i])
			continue
		case i >= len(want):
			t.Errorf("it has one call too many: %v", got[i])
			continue
		}
		w := maps.Clone(want[i])
		if state, ok := w["state"]; ok {
			full, err := generate(state)
			if err != nil {
				t.Fatal(err)
			}
			delete(w, "state")
			w["digest"] = digest(full)
		}
		if name, ok := w["draw"].(string); ok {
			compareDraw(t, draws, name, got[i]["draw"])
			delete(w, "draw")
		}
		if where := differs(got[i], w); where != "" {
			t.Errorf("call %d is %v, want %v: it differs at %s", i, got[i], w, where)
		}
	}
}

// compareDraw checks that equal names stand for equal numbers, and different ones for
// different numbers.
func compareDraw(t *testing.T, draws map[string]any, name string, got any) {
	t.Helper()
	for other, number := range draws {
		if (other == name) != (number == got) {
			t.Errorf("the first random numbers of %s and %s are %v and %v", other, name, number, got)
		}
	}
	draws[name] = got
}

// callsIn returns the calls among the lines that a bot printed.
func callsIn(printed []byte) (calls []map[string]any) {
	for line := range bytes.Lines(printed) {
		var call map[string]any
		if json.Unmarshal(line, &call) == nil && call["call"] != nil {
			calls = append(calls, call)
		}
	}
	return calls
}

// differs returns where a value lacks what is wanted, or "". Objects may have more fields.
func differs(got, want any) string {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			return "an object"
		}
		for _, key := range slices.Sorted(maps.Keys(want)) {
			value, ok := object[key]
			if !ok {
				return key
			}
			if where := differs(value, want[key]); where != "" {
				return key + "/" + where
			}
		}
	case []any:
		array, ok := got.([]any)
		if !ok || len(array) != len(want) {
			return fmt.Sprintf("an array of %d", len(want))
		}
		for i, value := range want {
			if where := differs(array[i], value); where != "" {
				return fmt.Sprintf("%d/%s", i, where)
			}
		}
	default:
		if got != want {
			return fmt.Sprintf("%v (want %v)", got, want)
		}
	}
	return ""
}

// inFull returns a message with its generators replaced. Without any it is as written.
func inFull(message json.RawMessage) ([]byte, error) {
	if !bytes.Contains(message, []byte(`"$`)) {
		var line bytes.Buffer
		err := json.Compact(&line, message)
		return line.Bytes(), err
	}
	var value any
	if err := json.Unmarshal(message, &value); err != nil {
		return nil, err
	}
	full, err := generate(value)
	if err != nil {
		return nil, err
	}
	return json.Marshal(full)
}

// generate returns a value with what it describes by generators.
func generate(value any) (any, error) {
	switch value := value.(type) {
	case []any:
		full := make([]any, len(value))
		for i := range value {
			var err error
			if full[i], err = generate(value[i]); err != nil {
				return nil, err
			}
		}
		return full, nil
	case map[string]any:
		for key, parameter := range value {
			if strings.HasPrefix(key, "$") {
				if n, ok := parameter.(float64); ok {
					return generated(key, int(n), value["of"])
				}
				return nil, errors.New(key + " has no number")
			}
		}
		full := map[string]any{}
		for key := range value {
			var err error
			if full[key], err = generate(value[key]); err != nil {
				return nil, err
			}
		}
		return full, nil
	}
	return value, nil
}

func generated(kind string, n int, of any) (any, error) {
	switch kind {
	case "$deep":
		deep := []any{}
		for range n - 1 {
			deep = []any{deep}
		}
		return deep, nil
	case "$cells":
		cells := make([]any, n)
		for i := range cells {
			cells[i] = map[string]any{"q": float64(i), "r": float64(-i), "color": float64(i % 5)}
		}
		return cells, nil
	case "$text":
		return strings.Repeat("x", n), nil
	case "$repeat":
		return slices.Repeat([]any{of}, n), nil
	}
	return nil, fmt.Errorf("there is no generator %q", kind)
}

// digest returns the hash of a state, as README.md defines it.
func digest(state any) string {
	h := fnv.New32a()
	addTo(h, state)
	return fmt.Sprintf("%08x", h.Sum32())
}

func addTo(h hash.Hash32, value any) {
	switch value := value.(type) {
	case nil:
		h.Write([]byte("n"))
	case bool:
		h.Write([]byte(map[bool]string{true: "t", false: "f"}[value]))
	case float64:
		h.Write(binary.BigEndian.AppendUint64([]byte("d"), math.Float64bits(value)))
	case string:
		h.Write([]byte("s" + value + "\xff"))
	case []any:
		h.Write([]byte("["))
		for _, element := range value {
			addTo(h, element)
		}
		h.Write([]byte("]"))
	case map[string]any:
		h.Write([]byte("{"))
		for _, key := range slices.Sorted(maps.Keys(value)) {
			addTo(h, key)
			addTo(h, value[key])
		}
		h.Write([]byte("}"))
	}
}
