package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzLoad loads any file, variable and flag. Load returns mistakes that have a key and
// an origin and fit on a line each, or settings that can be printed and read back.
func FuzzLoad(f *testing.F) {
	f.Add(string(Defaults(games)), "HEXARENA_PORT=1", "--fast")
	f.Add("port: [1]\nport: 2\nmap: ~\n", "HEXARENA_prot=", "--nb-p=3")
	f.Add("a: &a 1\n? *a\n: *a\n<<: {}\n", "HEXARENA_SEED=0xff", "--delay-turns=NaN")
	f.Add("{", "HEXARENA_BIND=fe80::1%\x1b", "--map=\xff")
	f.Add("quiet: true\ndebug: 1", "HEXARENA_VERBOSE=false", "--quiet=false")
	f.Add("---\n...\n---", "HEXARENA_RECORD=\u2028\u200b", "--turn-timeout=9h")
	path := filepath.Join(f.TempDir(), "arena.yaml")
	read := func(t *testing.T, file, variable, arg string) (Values, error) {
		if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		fs := newFlags()
		if err := fs.Parse([]string{"--config", path, arg}); err != nil {
			return Values{}, FlagError(fs, err)
		}
		return scope.Load(fs, []string{variable})
	}
	f.Fuzz(func(t *testing.T, file, variable, arg string) {
		if strings.HasPrefix(arg, "--c") {
			return // reads other files
		}
		e, err := read(t, file, variable, arg)
		var ms Mistakes
		if errors.As(err, &ms) {
			for _, m := range ms {
				if m.Key == "" && m.Value == "" || m.Origin == "" ||
					strings.ContainsAny(m.Error(), "\n\r\x1b") {
					t.Errorf("Load(%q, %q, %q): mistake %q", file, variable, arg, m)
				}
			}
		}
		if err != nil {
			return
		}
		var b strings.Builder
		if err := e.Print(&b); err != nil {
			t.Fatal(err)
		}
		again, err := read(t, b.String(), "", "")
		if err != nil {
			t.Fatalf("Load(what Print wrote) = %v, want no error:\n%s", err, b.String())
		}
		if diff := cmp.Diff(e.Config(), again.Config()); diff != "" {
			t.Errorf("Load(what Print wrote) (-want +got):\n%s", diff)
		}
	})
}

// Any command line of netorcai yields settings, or mistakes that fit on a line each.
func FuzzNetorcai(f *testing.F) {
	for _, line := range []string{
		"--port=4242\n--nb-players-max=4\n--autostart", "-h", "--version", "--fast=true",
		"--port\n70000\n--port\n1", "--\nx", "--delay-turns=NaN\n--delay-first-turn=\x1b",
		"--no-such=1\n--help", "-p", "--nb-turns-max=0x10\n-hx",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		args := strings.Split(line, "\n")
		c, err := ParseNetorcai(args)
		var ms Mistakes
		if errors.As(err, &ms) {
			for _, m := range ms {
				if m.Origin == "" || strings.ContainsAny(m.Error(), "\n\r\x1b") {
					t.Errorf("ParseNetorcai(%q): mistake %q", args, m)
				}
			}
		}
		if asked := c.Help || c.Version; err == nil && asked == (c.Config != Config{}) {
			t.Errorf("ParseNetorcai(%q) = %+v", args, c)
		}
	})
}
