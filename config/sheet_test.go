package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// A sheet has settings, between those of the file and those of flags, and its own keys.
func TestSheet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sheet.yaml")
	const text = "port: 4000\nturns: 7\nrecord: [a, b]\nlist: [1, two]\none: 3\npairs: {a: 1, b: 2}\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	scope.Flags(fs)
	if err := fs.Parse([]string{"--turns", "9"}); err != nil {
		t.Fatal(err)
	}
	v, sheet, err := scope.LoadSheet(path, []string{"list", "one", "pairs", "none"}, fs,
		[]string{"HEXARENA_PORT=5000"})
	if err != nil {
		t.Fatal(err)
	}
	if v.Int("port") != 5000 || v.Int("turns") != 9 || v.Text("record") != "a,b" ||
		v.Origin("record") != "file "+path+":3" {
		t.Errorf("port %d, turns %d, record %q from %s", v.Int("port"), v.Int("turns"), v.Text("record"),
			v.Origin("record"))
	}
	if k := sheet.Key("list"); k == nil || strings.Join(k.Items, " ") != "1 two" || k.Pairs != nil {
		t.Errorf("the list is %+v", k)
	}
	if k := sheet.Key("one"); k == nil || strings.Join(k.Items, " ") != "3" {
		t.Errorf("the value is %+v", k)
	}
	if k := sheet.Key("pairs"); k == nil || len(k.Pairs) != 2 || k.Pairs[1] != [2]string{"b", "2"} ||
		k.Items != nil {
		t.Errorf("the pairs are %+v", k)
	}
	if sheet.Key("none") != nil {
		t.Error("a key that is not there is found")
	}
	// of a file without keys nothing is known, and other mistakes are told as well
	if err := os.WriteFile(path, []byte("- no mapping\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{path, path + ".none"} {
		_, sheet, err := scope.LoadSheet(path, nil, fs, []string{"HEXARENA_PORT=x"})
		if wrong, _ := err.(Mistakes); sheet != nil || len(wrong) != 2 {
			t.Errorf("%s: the sheet %+v, %v", path, sheet, err)
		}
	}
}
