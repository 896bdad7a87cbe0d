package exact

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

const contests = "github.com/hexarena/hexarena/server/contest/..."

// computing returns the packages for contests. Packages play and source compute nothing, and use
// most of the server.
func computing(t *testing.T) (packages []string) {
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if name := e.Name(); name != "play" && name != "source" {
			packages = append(packages, strings.Replace(contests, "...", name, 1))
		}
	}
	return packages
}

// The compiler fuses no product with a sum in any package for contests, on an architecture where
// it does so whenever it may.
func TestNothingIsFused(t *testing.T) {
	thorough.Long(t) // compiles what these packages use of the standard library
	build := []string{"build", "-gcflags=" + contests + "=-S"}
	cmd := exec.Command("go", append(build, computing(t)...)...)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	assembly, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, assembly)
	}
	lines := strings.Split(string(assembly), "\n")
	if !slices.ContainsFunc(lines, regexp.MustCompile(`\tFMULD\t`).MatchString) {
		t.Error("the assembly has no product at all")
	}
	fused := regexp.MustCompile(`\((\S+)\)\tFN?M(ADD|SUB)D\t`)
	for _, line := range lines {
		if m := fused.FindStringSubmatch(line); m != nil {
			t.Errorf("%s: convert the product to float64 before it is added", m[1])
		}
	}
}

// sameEverywhere lists the functions of package math that the packages may use: they are exact, or
// round once, on every machine.
var sameEverywhere = []string{
	"Abs", "Ceil", "Float64bits", "Float64frombits", "Floor", "Frexp", "Inf", "IsInf", "IsNaN", "NaN",
	"Sqrt", "Sqrt2",
}

// No package for contests uses a function of package math whose last bits depend on the machine.
func TestMathIsTheSameEverywhere(t *testing.T) {
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") ||
			strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "math" &&
					!slices.Contains(sameEverywhere, s.Sel.Name) && !strings.HasPrefix(s.Sel.Name, "Max") {
					t.Errorf("%s uses math.%s", path, s.Sel.Name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
