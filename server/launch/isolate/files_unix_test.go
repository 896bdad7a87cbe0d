//go:build unix

package isolate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Words that name files get the names of a sandbox, which has nothing but what they stand for.
func TestContent(t *testing.T) {
	dir := tree(t, "bin/python9", "venv/bin/python9", "a.py", "b.py", "one/main.py", "one/helper.py",
		"two/bot", "odd,name/main.py", "x/same.py", "y/same.py")
	if err := os.Remove("venv/bin/python9"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "bin/python9"), "venv/bin/python9"); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Join(dir, "bin"))
	for _, tt := range []struct {
		argv  string
		want  string // empty: an error
		dir   string
		files string // the sources; of an error, a part of its text
	}{
		{"python9 a.py", "python9 /bot/a.py", "/bot", "a.py"},
		{"python9 a.py b.py --fast", "python9 /bot/a.py /bot/b.py --fast", "/bot", "a.py b.py"},
		{"python9 ./a.py ../" + filepath.Base(dir) + "/a.py", "python9 /bot/a.py /bot/a.py", "/bot", "a.py"},
		{"python9 one/main.py", "python9 /bot/one/main.py", "/bot/one", "one"},
		{"two/bot --seed {seed}", "/bot/two/bot --seed {seed}", "/bot/two", "two"},
		{"./a.py", "/bot/a.py", "/bot", "a.py"},
		{"go run ./one", "go run /bot/one", "/bot/one", "one"},
		{"java one", "java one", "", ""}, // a word that is the name of a folder by chance
		{"env X=1 two/bot", "env X=1 /bot/two/bot", "/bot/two", "two"},
		{"bin/python9 a.py", "python9 /bot/a.py", "/bot", "a.py"},
		{"venv/bin/python9 a.py", "python9 /bot/a.py", "/bot", "a.py"},
		{"py -3 a.py", "python3 /bot/a.py", "/bot", "a.py"},
		{"python9 odd,name/main.py", "", "", "has a comma"},
		{"python9 x/same.py y/same.py", "", "", "have the same name"},
		{"python9 /dev/null", "", "", "no file and no folder"},
	} {
		p, err := contentOf(strings.Fields(tt.argv))
		if err != nil || tt.want == "" {
			if err == nil || tt.want != "" || !strings.Contains(err.Error(), tt.files) {
				t.Errorf("%s: error %v, want %q", tt.argv, err, tt.files)
			}
			continue
		}
		var files []string
		for _, m := range p.mounts {
			files = append(files, strings.TrimPrefix(m.source, dir+"/"))
		}
		if got := strings.Join(p.argv, " "); got != tt.want || p.dir != tt.dir ||
			strings.Join(files, " ") != tt.files {
			t.Errorf("%s: %s in %q with %q, want %s in %q with %s", tt.argv, got, p.dir, files, tt.want,
				tt.dir, tt.files)
		}
	}
}
