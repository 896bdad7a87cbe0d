package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// unguarded lists the goroutines and timers of each file that are not started by
// package panics, and the reasons why no panic in them ends the process.
var unguarded = map[string]struct {
	starts int
	why    string
}{
	"server/host/connections.go":       {3, "each catches, and a timer is set"},
	"server/host/dialin.go":            {1, "cancels a context"},
	"server/host/host.go":              {1, "cancels contexts"},
	"server/host/page.go":              {1, "the page catches"},
	"server/host/accept.go":            {1, "accept starts what may panic with panics.Go"},
	"server/host/room.go":              {2, "match.Run catches, and a timer is stopped"},
	"server/seat/seating/dismiss.go":   {2, "wait for processes and a conversation"},
	"server/seat/seating/processes.go": {1, "waits for a process"},
	"server/botapi/accept.go":          {1, "closes a connection"},
	"server/botapi/socket.go":          {3, "receiveSafely catches, and a connection is closed"},
	"server/botapi/stateless.go":       {1, "receiveSafely catches"},
	"server/hivemaker/routes.go":       {1, "cancels a context"},
	"server/launch/launch.go": {2, "waits for a process, and reads what it prints, any " +
		"bytes at all"},
	"server/launch/supervisor_unix.go": {2, "a separate process, and what it supervises ends " +
		"with it"},
	"server/launch/isolate/inside_linux.go":  {6, "a separate process, and its sandbox ends with it"},
	"server/prompt/terminal.go":              {1, "writes a constant"},
	"server/recording/file.go":               {1, "syncs a file"},
	"server/session/outbox.go":               {1, "drain catches"},
	"server/join/bot.go":                     {1, "closes a connection"},
	"server/web/server.go":                   {3, "run, entry, net/http and serve catch"},
	"cmd/hexarena/operatorconsole.go":        {2, "catch"},
	"cmd/hexarena/eventcommands.go":          {1, "catches"},
	"cmd/hexarena/internal/logs/console.go":  {1, "drain catches"},
	"cmd/hexarena/internal/cli/interrupt.go": {2, "cancel contexts"},
	"cmd/hexarena/main.go":                   {1, "gives signals back"},
	"cmd/hexarena/mcp.go":                    {1, "cancels a context"},
	"server/host/agones.go":                  {1, "Run catches"},
	// Of commands that serve no clients: a panic ends them, with a stack.
	"server/games/hextictactoe/judge.go":       {1, ""},
	"cmd/hexarena/internal/cli/browser.go":     {1, ""},
	"cmd/hexarena/internal/cupcli/progress.go": {1, ""},
	"cmd/hexarena/internal/play/round.go":      {2, ""},
	"cmd/hexarena/internal/tui/live.go":        {2, ""},
	"cmd/hexarena/internal/tui/view.go":        {1, ""},
}

// testHelpers lists packages that test the server and are not part of it.
var testHelpers = []string{"server/servertest", "server/web/pagetest"}

// Panics in all goroutines and timers of the server are recovered.
func TestGoroutinesAreGuarded(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	starts := map[string]int{}
	for _, root := range []string{"server", "cmd/hexarena"} {
		err := filepath.WalkDir(filepath.Join("../..",
			root), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name, err := filepath.Rel("../..", path)
			name = filepath.ToSlash(name)
			switch {
			case err != nil:
				return err
			case slices.Contains(testHelpers, name):
				return filepath.SkipDir
			case !strings.HasSuffix(name, ".go"), strings.HasSuffix(name, "_test.go"),
				strings.HasPrefix(name, "server/machine/panics/"):
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if startsUnguarded(n) {
					starts[name]++
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	left := maps.Clone(unguarded)
	for _, name := range slices.Sorted(maps.Keys(starts)) {
		if got, want := starts[name], unguarded[name].starts; got != want {
			t.Errorf("%s starts %d goroutines and timers without package panics, want %d: use panics.Go or "+
				"panics.AfterFunc, or add the reason why no panic ends the process", name, got, want)
		}
		delete(left, name)
	}
	for name := range left {
		t.Errorf("%s starts no unguarded goroutine any more: remove it from the list", name)
	}
}

// startsUnguarded reports whether a node starts a goroutine or a timer without package
// panics.
func startsUnguarded(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GoStmt:
		return true
	case *ast.CallExpr:
		f, ok := n.Fun.(*ast.SelectorExpr)
		if !ok || f.Sel.Name != "Go" && f.Sel.Name != "AfterFunc" {
			return false
		}
		from, ok := f.X.(*ast.Ident)
		return !ok || from.Name != "panics"
	}
	return false
}
