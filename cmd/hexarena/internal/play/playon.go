package play

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/export"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/web"
)

// endTime is the time that the command may take to stop its bots when it is interrupted.
const endTime = 5 * time.Second

// maxOutput limits the end of the command's output that is kept, in bytes: the result of a match
// takes a few kilobytes.
const maxOutput = 1 << 20

// On returns a function that plays recordings of a folder on, by the command replay play of this
// program. The new recordings are in the folder, too.
func On(dir string) web.PlayOn {
	return func(ctx context.Context, name string, o web.PlayOnOptions) (string, error) {
		for _, seat := range o.Seats {
			if kind, _, _ := strings.Cut(seat, ":"); seat == "" || kind == "page" || kind == "open" ||
				kind == "wait" {
				return "", fmt.Errorf("seat %q: name a bot, such as painter or my_bot.py; a match that is "+
					"played on waits for no client", seat)
			}
		}
		program, err := os.Executable()
		if err != nil {
			return "", fmt.Errorf("this program is not found: %w", err)
		}
		words := []string{
			"replay", "play", "--from", export.TurnArg(match.StepOf(o.From)), "--http", "",
			"--port", "0", "--json", "--record", dir,
		}
		for player, actions := range o.Answers {
			words = append(words, "--answer", fmt.Sprintf("%d=%s", player, actions))
		}
		words = append(words, "--", filepath.Join(dir, name))
		cmd := exec.CommandContext(ctx, program, append(words, o.Seats...)...)
		cmd.Cancel = func() error { // so that it stops its bots
			if cmd.Process.Signal(os.Interrupt) != nil {
				return cmd.Process.Kill()
			}
			return nil
		}
		cmd.WaitDelay = endTime
		var out, said tail
		cmd.Stdout, cmd.Stderr = &out, &said
		if err := cmd.Run(); err != nil {
			return "", errors.Join(context.Cause(ctx), said.problem(err))
		}
		var result struct{ Recording string }
		if err := json.Unmarshal(out.Bytes(), &result); err != nil || result.Recording == "" {
			return "", said.problem(errors.New("the match was not recorded"))
		}
		return filepath.Base(result.Recording), nil
	}
}

// tail is a writer that keeps the end of its input.
type tail struct{ bytes.Buffer }

// Write implements io.Writer.
func (t *tail) Write(b []byte) (int, error) {
	n, err := t.Buffer.Write(b)
	if over := t.Len() - maxOutput; over > 0 {
		t.Next(over)
	}
	return n, err
}

// problem returns the last line of the command's messages as an error. It returns err if the
// command printed no message.
func (t *tail) problem(err error) error {
	lines := strings.Split(strings.TrimSpace(t.String()), "\n")
	if last := strings.TrimPrefix(lines[len(lines)-1], "hexarena: "); last != "" {
		return errors.New(last)
	}
	return err
}
