package script

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/hexarena/hexarena/bots/kits"
)

// Bounds of a script with the files that it names: as those of what a team may send.
const (
	maxFiles = 1000
	maxBytes = 16 << 20
)

// kitName is the file that every bot of the kit uses.
const kitName = "hexarena.js"

// folder holds the files of a script, which are read before the script begins, and after which the
// process opens no file any more. Names are relative to the script's folder, with slashes.
type folder struct {
	dir   string // for messages
	files map[string][]byte
	bytes int
}

// readFolder reads a script and the files that it names by literals, also by way of each other. In
// place of the kit's own file there is that of this program.
func readFolder(file string) (f *folder, main string, err error) {
	f = &folder{dir: filepath.Dir(file), files: map[string][]byte{}}
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return nil, "", err
	}
	defer root.Close()
	main = filepath.Base(file)
	if err := f.read(root, main); err != nil {
		return nil, "", err
	}
	return f, main, nil
}

// read reads a file, and those that it names.
func (f *folder) read(root *os.Root, name string) error {
	content, err := f.content(root, name)
	if err != nil {
		return err
	}
	f.files[name] = content
	if f.bytes += len(content); f.bytes > maxBytes || len(f.files) > maxFiles {
		return fmt.Errorf("%s and the files that it names have more than %d MiB or are more than %d",
			name, maxBytes>>20, maxFiles)
	}
	if path.Ext(name) == ".json" {
		return nil
	}
	for _, match := range kits.Of(kitName).Imports.FindAllSubmatch(content, -1) {
		found, ok := f.find(root, path.Join(path.Dir(name), string(match[1])))
		if !ok || f.files[found] != nil {
			continue // a name that is in a comment only, or the script says so when it needs it
		}
		if err := f.read(root, found); err != nil {
			return err
		}
	}
	return nil
}

// content returns a file's content. Files of other kinds, such as devices, are refused.
func (f *folder) content(root *os.Root, name string) ([]byte, error) {
	if path.Base(name) == kitName {
		return kits.Of(kitName).File(kitName), nil
	}
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", filepath.Join(f.dir, name))
	}
	file, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, maxBytes+1))
}

// find returns the file that a name without an extension may stand for.
func (f *folder) find(root *os.Root, name string) (string, bool) {
	for _, candidate := range candidates(name) {
		if path.Base(candidate) == kitName {
			return candidate, true
		}
		if info, err := root.Stat(candidate); err == nil && info.Mode().IsRegular() {
			return candidate, true
		}
	}
	return "", false
}

// candidates returns the files that a name may stand for, as Node tries them.
func candidates(name string) []string {
	return []string{name, name + ".js", name + ".json", path.Join(name, "index.js")}
}

// errNoModule says that there is no such file beside the script.
var errNoModule = errors.New("no module")

// resolve returns the name of the file that a file names.
func (f *folder) resolve(from, specifier string) (string, error) {
	if !strings.HasPrefix(specifier, "./") && !strings.HasPrefix(specifier, "../") {
		return "", fmt.Errorf("%w %q here: hexarena's own JavaScript has the language and the files "+
			"beside the bot, none of Node's modules; with Node, hexarena join runs it on your "+
			"machine", errNoModule, specifier)
	}
	for _, name := range candidates(path.Join(path.Dir(from), specifier)) {
		if _, ok := f.files[name]; ok {
			return name, nil
		}
	}
	return "", fmt.Errorf("%w %q beside %s; a file has to be named by a literal, as in "+
		"require(\"./file.js\")",
		errNoModule, specifier, from)
}
