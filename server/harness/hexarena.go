package harness

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// Build builds hexarena as the given file. A file named hexarena.exe runs on every system.
func Build(ctx context.Context, file string, flags ...string) error {
	args := append(append([]string{"build", "-o", file}, flags...), "github.com/hexarena/hexarena/cmd/hexarena")
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // as in releases
	return run(cmd)
}

// run runs a command. The error says what the command printed.
func run(cmd *exec.Cmd) error {
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w: %s", filepath.Base(cmd.Path), cmd.Args[1], err, text)
	}
	return nil
}

// Workspace makes a temporary folder, which remove deletes, and returns the hexarena to
// run: the given one, or, if that is empty, one that it builds in the folder.
func Workspace(ctx context.Context, name, given string) (dir, hexarena string, remove func(), err error) {
	if dir, err = os.MkdirTemp("", "hexarena-"+name+"-"); err != nil {
		return "", "", nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	if given != "" {
		return dir, given, remove, nil
	}
	hexarena = filepath.Join(dir, "hexarena.exe")
	if err := Build(ctx, hexarena); err != nil {
		remove()
		return "", "", nil, err
	}
	return dir, hexarena, remove, nil
}

// NewMap has hexarena write a map for the given number of players, with one character
// each, and returns its path.
func NewMap(ctx context.Context, hexarena, dir string, players int) (path string, err error) {
	path = filepath.Join(dir, "board.json")
	return path, run(exec.CommandContext(ctx, hexarena, "maps", "new", "--players", strconv.Itoa(players), "--characters", "1", "-o", path))
}

// Record has hexarena play a match with seed 1 and returns the path of its recording, the
// only one in the folder.
func Record(ctx context.Context, hexarena, dir string, flags ...string) (path string, err error) {
	args := append([]string{"play", "--headless", "--seed", "1", "--record", dir}, flags...)
	if err := run(exec.CommandContext(ctx, hexarena, args...)); err != nil {
		return "", err
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.hexarena"))
	if err != nil || len(files) != 1 {
		return "", fmt.Errorf("hexarena play left %d recordings in %s, %v", len(files), dir, err)
	}
	return files[0], nil
}
