// Package build makes bots that are source files ready to be started: it compiles those of
// languages that need it, and puts the kit beside a bot that lacks it. The results are kept in the
// user's cache, by a digest of their sources; nothing is written to the bot's folder.
package build

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/server/launch"
)

// noticeTime is the time that a build takes before it is reported: people wonder after a second.
const noticeTime = time.Second

// noticeAgain is the time between reports of a build that goes on.
const noticeAgain = 5 * time.Second

// shownOutput bounds what an error shows of a compiler's output, in bytes. It is more than the
// hundred errors after which compilers give up.
const shownOutput = 64 << 10

// Command returns the command line that runs words: they name a source file that is to be compiled
// first, or a bot that lacks the kit that it uses. Other words are returned as they are. If it
// takes more than a second, report is told; it may be nil. The error shows all that the compiler
// printed.
func Command(ctx context.Context, words []string, report func(what string)) ([]string, error) {
	i, k := source(words)
	if k == nil {
		return words, nil
	}
	bot, err := filepath.Abs(words[i])
	if err != nil {
		return nil, err
	}
	lone, err := lacksKit(k, bot)
	if err != nil || !lone && len(k.Build) == 0 {
		return words, err
	}
	c, err := openCache()
	if err != nil {
		return nil, err
	}
	if lone {
		if bot, err = c.beside(k, bot); err != nil {
			return nil, err
		}
	}
	if len(k.Build) == 0 {
		words = slices.Clone(words)
		words[i] = bot
		return words, nil
	}
	argv, err := c.build(ctx, k, bot, report)
	return append(argv, words[1:]...), err
}

// source returns the index and the kit of the word that is a bot's source file: the first one, if
// it is compiled, or the first that an interpreter runs.
func source(words []string) (int, *kits.Kit) {
	for i, word := range words {
		k := kits.Of(word)
		if k == nil {
			continue
		}
		if info, err := os.Stat(word); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if len(k.Build) == 0 {
			return i, k
		}
		if i == 0 {
			return 0, kits.Compiled(word)
		}
	}
	return 0, nil
}

// Language returns the language of the bot's source file among the words of its command, as a kit
// has it, or "".
func Language(words []string) string {
	if _, k := source(words); k != nil {
		return k.Language
	}
	return ""
}

// Debugging returns a command line that shows where the bot of a command fails, if its language
// does not say it; "" if it does, or is not known.
func Debugging(words []string) string {
	if i, k := source(words); k != nil {
		return k.Debugging(words[i])
	}
	return ""
}

// lacksKit reports whether a bot uses a kit that is not beside it.
func lacksKit(k *kits.Kit, bot string) (bool, error) {
	text, err := os.ReadFile(bot)
	if err != nil || !k.Uses.Match(text) {
		return false, err
	}
	_, err = os.Stat(filepath.Join(filepath.Dir(bot), k.Library[0]))
	return os.IsNotExist(err), nil
}

// beside returns the path of a copy of a bot with its kit beside it.
func (c *cache) beside(k *kits.Kit, bot string) (string, error) {
	text, err := os.ReadFile(bot)
	if err != nil {
		return "", err
	}
	used, err := k.Imported(filepath.Dir(bot), bot, text)
	if err == nil && len(used) > 0 {
		err = fmt.Errorf("%s uses %s beside it, but lacks the kit, %s: write it there with hexarena new",
			filepath.Base(bot), strings.Join(used, ", "), k.Library[0])
	}
	if err != nil {
		return "", err
	}
	d := newDigest(k.Language)
	d.add(filepath.Base(bot), text)
	for _, name := range k.Library {
		d.add(name, k.File(name))
	}
	dir, err := c.entry(d.key(), func(dir string) error {
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(bot)), text, 0o644); err != nil {
			return err
		}
		return k.WriteLibrary(dir)
	})
	return filepath.Join(dir, filepath.Base(bot)), err
}

// build returns the command line of a bot's program, which it makes unless it is in the cache.
func (c *cache) build(
	ctx context.Context, k *kits.Kit, bot string, report func(string),
) ([]string, error) {
	tool := k.Tool()
	if tool == "" {
		return nil, k.Missing(bot)
	}
	d := newDigest(k.Language, append([]string{tool, filepath.Base(bot)}, k.Build...)...)
	if err := d.addSources(filepath.Dir(bot)); err != nil {
		return nil, err
	}
	dir, err := c.entry(d.key(), func(dir string) error {
		return compile(ctx, k, tool, bot, dir, report)
	})
	if err != nil {
		return nil, err
	}
	return k.Words(k.Run, tool, bot, dir)
}

// compile makes the program of a bot in a folder.
func compile(ctx context.Context, k *kits.Kit, tool, bot, dir string, report func(string)) error {
	words, err := k.Words(k.Build, tool, bot, dir)
	if err != nil {
		return err
	}
	log, temp := dir+".log", dir+".tmp"
	defer os.Remove(log)
	if err := os.Mkdir(temp, 0o755); err != nil {
		return err
	}
	defer os.RemoveAll(temp) // a compiler that is killed leaves files there
	begun := time.Now()
	p, err := launch.Start(launch.Command{
		Argv: words, Env: []string{"TMPDIR=" + temp, "TMP=" + temp, "TEMP=" + temp}, Whole: true, Log: log,
	})
	if err != nil {
		return err
	}
	notice := time.NewTimer(noticeTime)
	defer notice.Stop()
	for noticed := false; ; {
		select {
		case <-p.Done():
			if noticed && report != nil {
				report(fmt.Sprintf("%s took %.1f s", tool, time.Since(begun).Seconds()))
			}
			return outcome(p.Exit(), tool, bot, log)
		case <-notice.C:
			if report != nil && noticed {
				report(fmt.Sprintf("building with %s for %d s", tool, int(time.Since(begun).Seconds())))
			} else if report != nil {
				report("building with " + tool)
			}
			noticed = true
			notice.Reset(noticeAgain)
		case <-ctx.Done():
			p.Stop(0)
			return context.Cause(ctx)
		}
	}
}

// outcome returns the error of a compiler that has ended.
func outcome(exit launch.Exit, tool, bot, log string) error {
	if !exit.Crashed() {
		return nil
	}
	text, err := os.ReadFile(log)
	if err != nil {
		return err
	}
	if len(text) > shownOutput {
		text = append(text[:shownOutput:shownOutput], "\n…"...)
	}
	return fmt.Errorf("%s cannot build %s: %v\n%s", tool, filepath.Base(bot), exit,
		bytes.TrimSpace(text))
}
