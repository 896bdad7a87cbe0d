package isolate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tree makes files in an empty folder, changes to it, and returns it without links.
func tree(t *testing.T, names ...string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	return dir
}

// A bot whose folder has another's file is refused, unless the files are copied apart.
func TestApart(t *testing.T) {
	tree(t, "main.py", "a.py", "one/main.py", "one/bot.py")
	for _, tt := range []struct {
		bots  string
		apart bool
	}{
		{"a.py a.py", true},
		{"a.py one/main.py", true},
		{"one/main.py one/main.py", true},
		{"one/main.py one/bot.py", false},
		{"main.py a.py", false},
		{"one/main.py main.py", false},
	} {
		var list []*content
		for name := range strings.FieldsSeq(tt.bots) {
			p, err := contentOf([]string{"python3", name})
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, p)
		}
		if err := apart(list); (err == nil) != tt.apart {
			t.Errorf("%s: %v", tt.bots, err)
		}
	}
}

// A bot of one file has the kit that it uses, and nothing else that is beside it.
func TestKitComesWithItsBot(t *testing.T) {
	dir := tree(t, "hexarena.py", "hexarena_htttx.py", "hexarena.js", "secret.py", "plain.py")
	if err := os.WriteFile("my_bot.py", []byte("import hexarena\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for bot, want := range map[string]string{
		"my_bot.py": "my_bot.py hexarena.py hexarena_htttx.py",
		"plain.py":  "plain.py",
	} {
		p, err := contentOf([]string{"python3", bot})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range p.mounts {
			if m.target != botDir+"/"+filepath.Base(m.source) || filepath.Dir(m.source) != dir {
				t.Errorf("%s: %+v", bot, m)
			}
			got = append(got, filepath.Base(m.source))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s comes with %q, want %q", bot, got, want)
		}
	}
}
