package schemas

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// repository is the root of the repository.
var repository = os.DirFS("../..")

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := fs.ReadFile(repository, name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// schema returns a schema of docs/schemas, which is itself checked against the draft's schema.
func schema(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(read(t, "docs/schemas/"+name+".json")))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	const url = "https://raw.githubusercontent.com/hexarena/hexarena/main/docs/schemas/"
	if id := doc.(map[string]any)["$id"]; id != url+name+".json" {
		t.Errorf("%s has the $id %v", name, id)
	}
	if err := c.AddResource(url+name+".json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(url + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// validate returns why a text is not of a schema.
func validate(s *jsonschema.Schema, text []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

func TestSchemasAreValid(t *testing.T) {
	files, err := fs.Glob(repository, "docs/schemas/*/*.json")
	if err != nil || len(files) < 15 {
		t.Fatalf("%q, %v, want 11 messages, and states and actions of two games", files, err)
	}
	for _, file := range files {
		schema(t, strings.TrimSuffix(strings.TrimPrefix(file, "docs/schemas/"), ".json"))
	}
}

// lenient matches contents that receivers accept although they are not what is to be sent:
// integers with a fraction.
var lenient = regexp.MustCompile(`\d\.9`)

// beyond matches contents and results that no schema can tell from valid ones: numbers that
// depend on other messages, or have no float64.
var beyond = regexp.MustCompile(`expecting 3|Not in \[-1, 4\[|1e999`)

// The golden messages of package netorcai that are valid are of their schemas, and the others are
// not.
func TestGoldenMessages(t *testing.T) {
	files, err := fs.Glob(repository, "protocol/netorcai/testdata/messages/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	schemas, err := fs.Glob(repository, "docs/schemas/netorcai/*.json")
	if err != nil || len(files) == 0 || len(files) != len(schemas) {
		t.Fatalf("%q and %q, %v, want a file for each message", files, schemas, err)
	}
	for _, file := range files {
		s := schema(t, "netorcai/"+strings.TrimSuffix(path.Base(file), ".txt"))
		for content, result := range goldens(t, file) {
			err := validate(s, []byte(content))
			switch good := strings.HasPrefix(result, "="); {
			case good && err != nil && !lenient.MatchString(content):
				t.Errorf("%s: %q is valid, and not of the schema: %v", file, content, err)
			case !good && err == nil && !beyond.MatchString(content+result):
				t.Errorf("%s: %q is of the schema, and not valid: %s", file, content, result)
			}
		}
	}
}

// goldens returns the results of the contents in a file of golden messages.
func goldens(t *testing.T, file string) map[string]string {
	t.Helper()
	results, content := map[string]string{}, ""
	for line := range strings.Lines(string(read(t, file))) {
		line = strings.TrimSuffix(line, "\n")
		literal, quoted := strings.CutPrefix(line, "go:")
		switch {
		case content != "":
			results[content] = line
			content = ""
		case quoted:
			var err error
			if content, err = strconv.Unquote(literal); err != nil {
				t.Fatal(err)
			}
		case line != "" && line[0] != '#':
			content = line
		}
	}
	return results
}

// The states of the recorded games are of hexabomb's schema.
func TestRecordedStates(t *testing.T) {
	files, err := fs.Glob(repository, "engine/hexabomb/testdata/vectors/*/*.jsonl.gz")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	s, states := schema(t, "hexabomb/state"), 0
	for _, file := range files {
		z, err := gzip.NewReader(bytes.NewReader(read(t, file)))
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(z)
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			var turn struct {
				Initial json.RawMessage `json:"initial_game_state"`
				State   json.RawMessage `json:"game_state"`
			}
			if err := json.Unmarshal(lines.Bytes(), &turn); err != nil {
				t.Fatal(err)
			}
			for _, state := range []json.RawMessage{turn.Initial, turn.State} {
				if !bytes.Contains(state, []byte(`"cells":`)) { // most states have the changes only
					continue
				}
				states++
				if err := validate(s, state); err != nil {
					t.Errorf("%s: %v", file, err)
				}
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(file, err)
		}
	}
	if states < 500 {
		t.Errorf("%d states, want many", states)
	}
}

// The golden states of hextictactoe are of its schema.
func TestGoldenStates(t *testing.T) {
	s := schema(t, "hextictactoe/state")
	for state := range bytes.Lines(read(t, "engine/hextictactoe/testdata/states.jsonl")) {
		if err := validate(s, state); err != nil {
			t.Errorf("%s: %v", state, err)
		}
	}
}

// The examples of the documentation are of the schemas.
func TestDocumentedExamples(t *testing.T) {
	messages := 0
	for _, block := range blocks(t, "docs/protocol.md") {
		for line := range strings.Lines(block) {
			var m struct {
				Type string `json:"message_type"`
			}
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				t.Fatal(err)
			}
			messages++
			if err := validate(schema(t, "netorcai/"+m.Type), []byte(line)); err != nil {
				t.Errorf("%s: %v", line, err)
			}
		}
	}
	if messages < 7 {
		t.Errorf("docs/protocol.md has %d messages", messages)
	}
	examples := blocks(t, "docs/hextictactoe.md")
	for name, begin := range map[string]string{"state": `{"board"`, "actions": `[{"pieces"`} {
		at := slices.IndexFunc(examples, func(b string) bool { return strings.HasPrefix(b, begin) })
		if at < 0 {
			t.Errorf("docs/hextictactoe.md has no example of the %s", name)
			continue
		}
		if err := validate(schema(t, "hextictactoe/"+name), []byte(examples[at])); err != nil {
			t.Errorf("%s: %v", examples[at], err)
		}
	}
	actions := regexp.MustCompile("`(\\{\"id\": 3, .*?\\})`").FindAllStringSubmatch(
		string(read(t, "docs/player.md")), -1)
	if len(actions) != 3 {
		t.Errorf("docs/player.md has %d actions", len(actions))
	}
	for _, a := range actions {
		if err := validate(schema(t, "hexabomb/actions"), []byte("["+a[1]+"]")); err != nil {
			t.Errorf("%s: %v", a[1], err)
		}
	}
}

// blocks returns the blocks of JSON in a page.
func blocks(t *testing.T, page string) (list []string) {
	t.Helper()
	for _, m := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(string(read(t, page)), -1) {
		list = append(list, m[1])
	}
	return list
}

// Wrong values are found.
func TestWrongValues(t *testing.T) {
	for text, name := range map[string]string{
		`[{"id":0,"movement":"move","direction":"w+"}]`:                                        "hexabomb/actions",
		`[{"id":0,"movement":"bomb","bomb_range":1,"bomb_delay":2}]`:                           "hexabomb/actions",
		`[{"id":0,"movement":"bomb","bomb_range":2}]`:                                          "hexabomb/actions",
		`[{"id":0.5,"movement":"revive"}]`:                                                     "hexabomb/actions",
		`{"id":0,"movement":"revive"}`:                                                         "hexabomb/actions",
		`{"cells":[]}`:                                                                         "hexabomb/state",
		`[{"pieces":[]}]`:                                                                      "hextictactoe/actions",
		`[{"pieces":[{"q":0,"r":0},{"q":0,"r":0},{"q":0,"r":0}]}]`:                             "hextictactoe/actions",
		`{"message_type":"TURN_ACK","turn_number":-2,"actions":[]}`:                            "netorcai/TURN_ACK",
		`{"message_type":"TURN_ACK","turn_number":0,"actions":[],"debug":{"cells":[{"q":0}]}}`: "netorcai/TURN_ACK",
		`{"message_type":"LOGIN","nickname":"a","role":"player","metaprotocol_version":"2.0.0","debugger":1}`: "netorcai/LOGIN",
	} {
		if err := validate(schema(t, name), []byte(text)); err == nil {
			t.Errorf("%s accepts %s", name, text)
		}
	}
}
