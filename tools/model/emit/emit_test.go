package emit

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

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
		t.Errorf("not what the models say: %s\nto write them: go generate ./protocol/netorcai/model",
			strings.Join(stale, ", "))
	}
}

// Every file below bots/kits with a place for types is in the table of kits.
func TestEveryKitIsInTheTable(t *testing.T) {
	err := fs.WalkDir(root(t), "bots/kits", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(root(t), name)
		if err == nil && strings.Contains(string(text), beginTypes) &&
			!slices.ContainsFunc(kits, func(k kit) bool { return k.file == name }) {
			t.Errorf("%s has a place for types, and is not in the table in kits.go", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestSections(t *testing.T) {
	s := section{"f", "types: here", "end of types", "\nnew\n\n"}
	for text, want := range map[string]string{
		"a\n  // types: here --\nold\n  // end of types --\nz\n": "a\n  // types: here --\n\nnew\n\n  " +
			"// end of types --\nz\n",
		"# types: here\n# end of types":   "# types: here\n\nnew\n\n# end of types",
		"# end of types\n# types: here\n": "",
		"# types: here\n":                 "",
		"":                                "",
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
