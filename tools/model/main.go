// Command model writes everything that follows from the models of what is sent: the JSON
// Schemas in docs/schemas, the tables of SPEC.md and docs/protocol.md, and the types of the
// kits. It is run anywhere in the repository, as one of
//
//	go generate github.com/hexarena/hexarena/protocol/netorcai/model
//	go run github.com/hexarena/hexarena/tools/model
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/hexarena/hexarena/protocol/netorcai/model"
	"github.com/hexarena/hexarena/tools/model/emit"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "model:", err)
		os.Exit(1)
	}
}

// run rewrites the files that have changed, and removes schemas that are no longer generated.
func run() error {
	folder, err := model.Root()
	if err != nil {
		return err
	}
	root := os.DirFS(folder)
	files, err := emit.Files(root)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(folder, emit.SchemaFolder), 0o755); err != nil {
		return err
	}
	stale, err := emit.Stale(root, files)
	if err != nil {
		return err
	}
	for _, name := range stale {
		path := filepath.Join(folder, filepath.FromSlash(name))
		text, generated := files[name]
		if !generated {
			fmt.Println("removed", name)
			if err := os.Remove(path); err != nil {
				return err
			}
			continue
		}
		fmt.Println("wrote", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
