// Command sized prints the arguments of go test for the tests that the build tag thorough changes:
// a pattern of their names, and their packages. All others would only repeat what go test ./... has
// run.
//
// A test counts if a file has it only with the tag, or if it uses package thorough's Size, Full or
// Enabled, itself or by what it uses of its package. Names are compared without their types, so
// that some tests may be listed needlessly, and none is left out.
package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// sizes are the names by which a test has another size with the tag. botstest.Kits uses Enabled.
var sizes = []string{"thorough.Size", "thorough.Full", "thorough.Enabled", "botstest.Kits"}

func main() {
	tests, packages, err := find(".")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("-run ^(%s)$ %s\n", strings.Join(tests, "|"), strings.Join(packages, " "))
}

// find returns the names of the tests below a folder, and the folders of their packages as go test
// takes them.
func find(root string) (tests, packages []string, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil && path != root ||
			slices.Contains([]string{"testdata", "node_modules", ".git"}, d.Name()) {
			return filepath.SkipDir
		}
		found, err := inPackage(path)
		if len(found) > 0 {
			name, _ := filepath.Rel(root, path)
			tests, packages = append(tests, found...), append(packages, "./"+filepath.ToSlash(name))
		}
		return err
	})
	slices.Sort(tests)
	return slices.Compact(tests), packages, err
}

// inPackage returns the names of the tests of a package.
func inPackage(dir string) ([]string, error) {
	// by a name that the package declares: all names in the declaration
	uses := map[string]map[string]bool{}
	marked := map[string]bool{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	with, without := build.Default, build.Default
	with.BuildTags = []string{"thorough"}
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		built, err := with.MatchFile(dir, name)
		always, err2 := without.MatchFile(dir, name)
		if err := cmp.Or(err, err2); err != nil || !built {
			if err != nil {
				return nil, err
			}
			continue
		}
		path := filepath.Join(dir, name)
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			for _, declared := range namesOf(d) {
				if uses[declared] == nil {
					uses[declared] = map[string]bool{}
				}
				maps.Copy(uses[declared], namesIn(d))
				marked[declared] = marked[declared] || !always
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for declared, names := range uses {
			if !marked[declared] &&
				(slices.ContainsFunc(sizes, func(s string) bool { return names[s] }) || anyOf(names, marked)) {
				marked[declared], changed = true, true
			}
		}
	}
	var tests []string
	for declared, is := range marked {
		if is && strings.HasPrefix(declared, "Test") && declared != "TestMain" {
			tests = append(tests, declared)
		}
	}
	return tests, nil
}

func anyOf(names, marked map[string]bool) bool {
	for name := range names {
		if marked[name] {
			return true
		}
	}
	return false
}

// namesOf returns the names that a declaration declares, of a method without its type.
func namesOf(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return []string{d.Name.Name}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if v, ok := spec.(*ast.ValueSpec); ok {
				for _, name := range v.Names {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

// namesIn returns the names that a declaration uses, those of other packages both with and without
// the package.
func namesIn(d ast.Decl) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			names[n.Name] = true
		case *ast.SelectorExpr:
			if from, ok := n.X.(*ast.Ident); ok {
				names[from.Name+"."+n.Sel.Name] = true
			}
		}
		return true
	})
	return names
}
