package emit

import (
	"flag"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai/model"
)

var update = flag.Bool("update", false, "write the golden files of kits in testdata")

// sample returns the types of testdata/model.json, which has every kind of type, and those of
// the metaprotocol.
func sample(t *testing.T) *Types {
	t.Helper()
	game, err := model.Read(os.DirFS("testdata"), "model.json")
	if err != nil {
		t.Fatal(err)
	}
	protocol, err := model.Read(root(t), model.Protocol)
	if err != nil {
		t.Fatal(err)
	}
	return typesOf(map[string]*model.Model{"netorcai": protocol, "sample": game}, []string{"sample"},
		nil)
}

// The files in testdata have the output of each emitter for each kind of type.
func TestEmitters(t *testing.T) {
	emitters := map[string]Emitter{
		"cpp.txt": Cpp, "go.txt": Go, "java.txt": Java, "python.txt": Python, "rust.txt": Rust,
		"typescript.txt": TypeScript,
	}
	for file, emit := range emitters {
		got := emit(sample(t))
		path := filepath.Join("testdata", file)
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(path); err != nil || got != string(want) {
			t.Errorf("%s: %v; -update writes it; got\n%s", path, err, got)
		}
	}
}

func TestGoIsCompiled(t *testing.T) {
	thorough.Long(t)
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "kit.go", "package main\nimport \"encoding/json\"\n"+Go(sample(t)), 0)
	if err != nil {
		t.Fatal(err)
	}
	config := types.Config{Importer: importer.Default()}
	if _, err := config.Check("main", set, []*ast.File{file}, nil); err != nil {
		t.Error(err)
	}
}

func TestPythonIsRead(t *testing.T) {
	thorough.Long(t)
	program, err := exec.LookPath("python3")
	if err != nil {
		thorough.Lack(t, err)
	}
	source := "from typing import Any, Dict, List, Literal, Optional, TypedDict, " +
		"Union\n" + Python(sample(t))
	if out, err := exec.Command(program, "-W", "error", "-c", source).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
