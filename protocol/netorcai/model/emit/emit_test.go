package emit

import (
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hexarena/hexarena/protocol/netorcai/model"
)

// root returns the root of the repository.
func root(t testing.TB) fs.FS {
	t.Helper()
	folder, err := model.Root()
	if err != nil {
		t.Fatal(err)
	}
	return os.DirFS(folder)
}

// All that is generated is what the models say.
func TestGeneratedFiles(t *testing.T) {
	files, err := Files(root(t))
	if err != nil {
		t.Fatal(err)
	}
	stale, err := Stale(root(t), files)
	if err != nil {
		t.Fatal(err)
	}
	if len(stale) > 0 {
		t.Errorf("not what the models say: %s\nto write them: go generate ./protocol/netorcai/model", strings.Join(stale, ", "))
	}
}

func TestSections(t *testing.T) {
	s := section{"f", "types: here", "end of types", "\nnew\n\n"}
	for text, want := range map[string]string{
		"a\n  // types: here --\nold\n  // end of types --\nz\n": "a\n  // types: here --\n\nnew\n\n  // end of types --\nz\n",
		"# types: here\n# end of types":                          "# types: here\n\nnew\n\n# end of types",
		"# end of types\n# types: here\n":                        "",
		"# types: here\n":                                        "",
		"":                                                       "",
	} {
		got, err := s.replace(text)
		if got != want || (err != nil) != (want == "") {
			t.Errorf("replace(%q) = %q, %v, want %q", text, got, err, want)
		}
		if want == "" {
			continue
		}
		if again, err := s.replace(got); err != nil || again != got {
			t.Errorf("replacing twice = %q, %v, want %q", again, err, got)
		}
	}
}

// Mistakes in a model are reported with their place.
func TestMistakesInModels(t *testing.T) {
	for text, want := range map[string]string{
		`{"name":"x","colour":1}`:                                                                                    `unknown field "colour"`,
		`{"types":[{"name":"A","fields":[{"name":"b","type":"B"}]}]}`:                                                "A.b: type B is not defined before it",
		`{"types":[{"name":"A","fields":[{"name":"b","type":{"array":{"map":"B"}}}]}]}`:                              "A.b: type B is not defined before it",
		`{"types":[{"name":"A","values":["x"]},{"name":"A","values":["x"]}]}`:                                        "type A is defined twice",
		`{"types":[{"name":"A"}]}`:                                                                                   "type A needs one of",
		`{"types":[{"name":"A","values":["x"],"one_of":["A"]}]}`:                                                     "type A needs one of",
		`{"types":[{"name":"A","one_of":["B"]}]}`:                                                                    "type A: type B is not defined",
		`{"types":[{"name":"A","fields":[{"name":"b","type":{"list":"any"}}]}]}`:                                     "neither a name nor an array",
		`{"messages":[{"name":"M","fields":[{"name":"a","type":"any"},{"name":"a","type":"any"}]}]}`:                 `field "a" has no name of its own`,
		`{"messages":[{"name":"M","fields":[{"name":"a","type":"any","optional":true},{"name":"b","type":"any"}]}]}`: "M.b: optional fields come last",
		`{"state":"S"}`: "type S is not defined",
		`{"states":[{"name":"S","sends":[{"message":"M","next":"S"}]}]}`:                                           "message M is not defined",
		`{"messages":[{"name":"M","from":"server"}],"states":[{"name":"S","sends":[{"message":"M","next":"S"}]}]}`: "message M goes from server",
		`{"messages":[{"name":"M","from":"server"}],"states":[{"name":"S","gets":[{"message":"M","next":"T"}]}]}`:  "leads to T",
	} {
		_, err := model.Read(fstest.MapFS{"m.json": {Data: []byte(text)}}, "m.json")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Read(%s) = %v, want %q", text, err, want)
		}
	}
}
