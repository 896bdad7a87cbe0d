package kits_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// folder holds the kits' files and what was built of them.
var folder string

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "env" {
		os.Exit(playEnv())
	}
	thorough.Overlap()
	thorough.DirectPython()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if folder, err = os.MkdirTemp("", "hexarena-kits"); err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	return m.Run()
}

// program is a bot that was built, once for all tests.
type program struct {
	once sync.Once
	argv []string
	err  error
}

var programs sync.Map // of *program, by the bot's path

// build returns the command that runs one of a kit's bots. It skips the test if the
// language's tools are missing, which CI does not allow.
func build(t *testing.T, k *kits.Kit, file string) []string {
	t.Helper()
	thorough.Long(t)
	tool := k.Tool()
	if tool == "" {
		thorough.Lack(t, fmt.Sprintf("no %s on this machine: %s", k.Tools[0], k.Advice))
	}
	bot := filepath.Join(folder, k.Folder, file)
	value, _ := programs.LoadOrStore(bot, &program{})
	p := value.(*program)
	p.once.Do(func() { p.argv, p.err = buildIn(k, tool, bot) })
	if p.err != nil {
		t.Fatal(p.err)
	}
	return p.argv
}

// copied holds, for each kit, the function that copies its files to the folder once.
var copied sync.Map // of func() error, by the kit's folder

func buildIn(k *kits.Kit, tool, bot string) ([]string, error) {
	copyKit, _ := copied.LoadOrStore(k.Folder, sync.OnceValue(func() error {
		return os.CopyFS(filepath.Join(folder, k.Folder), os.DirFS(k.Folder))
	}))
	if err := copyKit.(func() error)(); err != nil {
		return nil, err
	}
	out := bot + ".built"
	if err := os.Mkdir(out, 0o755); err != nil {
		return nil, err
	}
	words, err := k.Words(k.Build, tool, bot, out)
	if err == nil && len(words) > 0 {
		var printed []byte
		if printed, err = exec.CommandContext(context.Background(), words[0], words[1:]...).CombinedOutput(); err != nil {
			err = fmt.Errorf("%q: %w\n%s", words, err, printed)
		} else if len(printed) > 0 {
			err = fmt.Errorf("%q warns:\n%s", words, printed)
		}
	}
	if err != nil {
		return nil, err
	}
	return k.Words(k.Run, tool, bot, out)
}
