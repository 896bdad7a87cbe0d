package isolate

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/bots/kits"
)

// botDir is the folder of a sandbox that has the bot's files.
const botDir = "/bot"

// content is a command with its files in a sandbox.
type content struct {
	argv   []string // with the names that the files have there
	dir    string   // where it runs; empty: the root
	mounts []mount
	named  []string // the files and folders that the command names, absolute
}

// mount is a file or folder that a sandbox has.
type mount struct {
	source string // here, absolute
	target string // in the sandbox
}

// contentOf returns a command as it runs in a sandbox. Words that name files here are replaced: a
// file main.* or bot.* brings its folder, any other file only the kit that it uses, and a folder
// that is written as a path comes whole. Programs that are found in PATH are the sandbox's own.
func contentOf(argv []string) (*content, error) {
	p := &content{argv: slices.Clone(argv)}
	for i, word := range argv {
		info, err := os.Stat(word)
		switch {
		case i == 0 && isInstalled(word):
			p.argv[i] = programName(word)
			continue
		case err != nil || info.IsDir() && !strings.ContainsAny(word, `/\`):
			continue
		case !info.IsDir() && !info.Mode().IsRegular():
			return nil, fmt.Errorf("%s is no file and no folder, so that a sandbox cannot have it", word)
		}
		full, err := resolved(word)
		if err != nil {
			return nil, err
		}
		if p.argv[i], err = p.bring(full, info.IsDir()); err == nil && !info.IsDir() &&
			!bringsFolder(full) {
			err = p.bringKit(full)
		}
		if err != nil {
			return nil, err
		}
		p.named = append(p.named, full)
	}
	if p.argv[0] == "py" { // which only Windows has
		p.argv = append([]string{"python3"},
			slices.DeleteFunc(p.argv[1:], func(w string) bool { return w == "-3" })...)
	}
	return p, nil
}

// resolved returns the absolute name of a file without links, of which a sandbox would have only
// one end.
func resolved(name string) (string, error) {
	full, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(full)
}

// isInstalled reports whether a program is one of the system's: a name, or a path that is or leads
// to one in PATH, as in a virtual environment of Python.
func isInstalled(program string) bool {
	if !strings.ContainsAny(program, `/\`) {
		return true
	}
	full, err := resolved(program)
	for _, name := range []string{program, full} {
		if found, missing := exec.LookPath(filepath.Base(name)); err == nil && missing == nil &&
			sameFile(found, full) {
			return true
		}
	}
	return false
}

func sameFile(name, full string) bool {
	other, err := resolved(name)
	return err == nil && other == full
}

// programName returns the name of a program of the system, as other systems have it.
func programName(program string) string {
	return strings.TrimSuffix(filepath.Base(program), ".exe")
}

// bring adds a file or folder, and returns its name in the sandbox. The first decides where the bot
// runs.
func (p *content) bring(full string, isDir bool) (string, error) {
	source, rest := full, ""
	if !isDir && bringsFolder(full) {
		source, rest = filepath.Dir(full), filepath.Base(full)
	}
	if strings.ContainsAny(source, ",\"\n") {
		return "", fmt.Errorf("%s has a comma, a quote or a line feed in its name, which container "+
			"runtimes do not take: rename it", source)
	}
	target := path.Join(botDir, filepath.Base(source))
	if source == filepath.Dir(source) {
		return "", errors.New(
			"the bot's folder is the root of this machine's files: move the bot to a folder of its own")
	}
	known := slices.IndexFunc(p.mounts, func(m mount) bool { return m.target == target })
	switch {
	case known < 0:
		p.mounts = append(p.mounts, mount{source, target})
	case p.mounts[known].source != source:
		return "", fmt.Errorf(
			"%s and %s have the same name: move them to one folder, with a file main.* or bot.*",
			p.mounts[known].source, source)
	}
	if p.dir == "" {
		p.dir = botDir
		if isDir || rest != "" {
			p.dir = target
		}
	}
	return path.Join(target, rest), nil
}

// bringKit adds the files of the kit beside a bot that uses it.
func (p *content) bringKit(bot string) error {
	k := kits.Of(bot)
	if k == nil {
		return nil
	}
	text, err := os.ReadFile(bot)
	if err != nil || !k.Uses.Match(text) {
		return err
	}
	for _, name := range k.Library {
		library := filepath.Join(filepath.Dir(bot), name)
		if _, err := os.Stat(library); err != nil {
			continue // the library of a game that the bot does not play
		}
		if _, err := p.bring(library, false); err != nil {
			return err
		}
	}
	return nil
}

// bringsFolder reports whether a file stands for a bot of several files: those in its folder.
func bringsFolder(name string) bool {
	base := filepath.Base(name)
	stem := strings.TrimSuffix(base, filepath.Ext(base))
	return stem == "main" || stem == "bot"
}

// apart returns an error if a bot would have a file of another in its folder.
func apart(list []*content) error {
	for _, p := range list {
		for _, m := range p.mounts {
			for _, other := range list {
				for _, name := range other.named {
					if strings.HasPrefix(name, m.source+string(filepath.Separator)) &&
						!slices.Contains(p.named, name) {
						return fmt.Errorf(
							"the bot in %s would see %s, which is another bot's: give each a folder of its own",
							m.source, name)
					}
				}
			}
		}
	}
	return nil
}
