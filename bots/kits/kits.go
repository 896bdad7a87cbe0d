// Package kits holds the kits: for each language, one file that speaks the protocol, in some
// languages another that a game's bots use, and one bot that uses them, as hexarena new writes
// them. None needs a package.
package kits

import (
	"archive/zip"
	"bytes"
	"embed"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// Kit is a language in which bots are written.
type Kit struct {
	Language  string   // as a LOGIN has it
	Folder    string   // of this package, with the kit's files
	Extension string   // of a bot's file
	Library   []string // the files beside a bot that it is run with, first the one that the bot names
	// OfGame has the files of Library that only the bots of one game use, with the game's name.
	OfGame map[string]string
	// Starters are the files of the bots to begin with, by the game's name.
	Starters map[string]string
	// LookAhead are those of them that look ahead with a simulator.
	LookAhead   map[string]string
	ClassOfFile bool   // the bot's class has the name of its file
	Vectors     string // the file of the bot for the vectors

	// Tools are programs that build or run a bot, in order of preference; Advice says how
	// to install one of them.
	Tools  []string
	Advice string
	// Build makes the program in a new folder, and Run runs a bot. Of the words, {tool} stands for the
	// one of Tools that was found, {bot} for the path of the bot's file, {dir} for its folder, {name}
	// for its name without the extension, {out} for the new folder, {program} for a program there, and
	// {files} for the sources in {dir} that make a program with the bot, as some words. Build is empty
	// where the language needs none.
	Build, Run []string
	// Debug is a command line of a shell in the bot's folder that shows where a bot fails, as with
	// Shell; empty in a language whose errors say it.
	Debug string
	// Shell is what builds and runs a bot in a shell, in its folder: with {bot} and {name} as in
	// Build.
	Shell string
	// Uses matches the source of a bot that needs Library.
	Uses *regexp.Regexp
	// Imports matches where a source names others that it is run with. Its groups hold the names, with
	// or without an extension, between commas or spaces. It is nil where all sources of a folder make
	// the program.
	Imports *regexp.Regexp

	files embed.FS // what a user gets
}

// Engine returns the command line that runs a script without Node, over standard input and output,
// in at most memory MiB; 0 stands for as many as a user's own script may use. script.Serve sets
// it; it is nil where a program has no engine.
var Engine func(file string, memory int) ([]string, error)

// All are the kits, in the order in which they are listed.
var All = []*Kit{&python, &javascript, &java, &cpp, &rust, &golang}

// Of returns the kit for a bot's file, or nil.
func Of(file string) *Kit {
	i := slices.IndexFunc(All,
		func(k *Kit) bool { return strings.EqualFold(path.Ext(file), k.Extension) })
	if i < 0 {
		return nil
	}
	return All[i]
}

// IsLibrary reports whether a file is named like one that bots are run with: it is no bot.
func IsLibrary(file string) bool {
	return slices.ContainsFunc(All,
		func(k *Kit) bool { return slices.Contains(k.Library, filepath.Base(file)) })
}

// Files returns the names of all files that a user gets, sorted.
func (k *Kit) Files() []string {
	return slices.Sorted(
		slices.Values(slices.Concat(k.Library, slices.Collect(maps.Values(k.Starters)),
			slices.Collect(maps.Values(k.LookAhead)))))
}

// WriteLibrary writes the files that a bot is run with to its folder.
func (k *Kit) WriteLibrary(dir string) error {
	for _, name := range k.Library {
		if err := os.WriteFile(filepath.Join(dir, name), k.File(name), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// LibraryOf returns the files of Library that the bots of a game use.
func (k *Kit) LibraryOf(game string) (list []string) {
	for _, name := range k.Library {
		if of, ok := k.OfGame[name]; !ok || of == game {
			list = append(list, name)
		}
	}
	return list
}

// Tool returns the first of the kit's tools that is installed, or "".
func (k *Kit) Tool() string {
	for _, name := range k.Tools {
		if _, err := exec.LookPath(name); err == nil {
			return name
		}
	}
	return ""
}

// Words returns Build or Run with everything in braces replaced. The error says that the bot's
// folder cannot be read.
func (k *Kit) Words(words []string, tool, bot, out string) (argv []string, err error) {
	program := "bot"
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	known := strings.NewReplacer("{tool}", tool, "{bot}", bot, "{dir}", filepath.Dir(bot), "{name}",
		stem(bot), "{out}", out, "{program}", filepath.Join(out, program))
	for _, word := range words {
		if word != "{files}" {
			argv = append(argv, known.Replace(word))
			continue
		}
		sources, err := k.sources(bot)
		if err != nil {
			return nil, err
		}
		argv = append(argv, sources...)
	}
	return argv, nil
}

// sources returns the bot's file and all others of its language in its folder, but for tests and
// other programs.
func (k *Kit) sources(bot string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Dir(bot))
	if err != nil {
		return nil, err
	}
	list := []string{bot}
	for _, e := range entries {
		name := e.Name()
		if name == filepath.Base(bot) || filepath.Ext(name) != k.Extension ||
			strings.HasSuffix(name, "_test"+k.Extension) {
			continue
		}
		content, err := os.ReadFile(filepath.Join(filepath.Dir(bot), name))
		if err != nil {
			return nil, err
		}
		if !hasMain.Match(content) {
			list = append(list, filepath.Join(filepath.Dir(bot), name))
		}
	}
	return list, nil
}

// hasMain matches the source of a program.
var hasMain = regexp.MustCompile(`(?m)^func main\(`)

// Compiled returns the kit that compiles a file, nil if the file runs by itself or with an
// interpreter.
func Compiled(file string) *Kit {
	k := Of(file)
	if k == nil || len(k.Build) == 0 {
		return nil
	}
	// such as a script whose first line names what runs it
	if _, err := exec.LookPath(file); err == nil {
		return nil
	}
	return k
}

// Missing returns the error for a bot that none of the kit's tools is there to build.
func (k *Kit) Missing(bot string) error {
	return fmt.Errorf("no %s was found to build %s with: %s", strings.Join(k.Tools, " or "),
		filepath.Base(bot), k.Advice)
}

// Starter returns the bot to begin with in a game, as it is in a file of that name; nil if the kit
// has none.
func (k *Kit) Starter(game, file string) []byte { return k.renamed(k.Starters[game], file) }

// LookingAhead returns the same of the bot that looks ahead.
func (k *Kit) LookingAhead(game, file string) []byte { return k.renamed(k.LookAhead[game], file) }

// renamed returns a starter as it is in a file of that name; nil if its own name is "".
func (k *Kit) renamed(name, file string) []byte {
	if name == "" {
		return nil
	}
	// a line that keeps it apart from another program in the kit's folder
	text := bytes.TrimPrefix(k.File(name), []byte("//go:build ignore\n\n"))
	if !k.ClassOfFile {
		shown := filepath.Base(file)
		if strings.Contains(shown, " ") {
			shown = `"` + shown + `"`
		}
		text = bytes.ReplaceAll(text, []byte(" "+name), []byte(" "+shown)) // in the first lines
		return bytes.ReplaceAll(text, []byte(" ./"+stem(name)+" "), []byte(" ./"+stem(file)+" "))
	}
	class := regexp.MustCompile(`\b` + regexp.QuoteMeta(stem(name)) + `\b`)
	return class.ReplaceAllLiteral(text, []byte(stem(file)))
}

// Archive returns a ZIP archive with the bot to begin with in a game, in a file of that name, and
// its kit; nil if the kit has no such bot.
func (k *Kit) Archive(game, file string) []byte {
	starter := k.Starter(game, file)
	if starter == nil {
		return nil
	}
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	add := func(name string, content []byte) {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write(content)
		}
		if err != nil {
			panic(err) // of writing to memory
		}
	}
	add(file, starter)
	for _, name := range k.LibraryOf(game) {
		add(name, k.File(name))
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return archive.Bytes()
}

// Debugging returns Debug for a bot's file; "" if there is none.
func (k *Kit) Debugging(bot string) string {
	return strings.NewReplacer("{bot}", filepath.Base(bot), "{name}", stem(bot)).Replace(k.Debug)
}

// stem returns a file's name without its folder and extension.
func stem(file string) string { return strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)) }

// In returns the kit in that folder, or nil.
func In(folder string) *Kit {
	i := slices.IndexFunc(All, func(k *Kit) bool { return k.Folder == folder })
	if i < 0 {
		return nil
	}
	return All[i]
}

// MyBot returns a name for a file with a bot that a user begins with.
func (k *Kit) MyBot() string {
	if k.ClassOfFile {
		return "MyBot" + k.Extension
	}
	return "my_bot" + k.Extension
}

// Command returns what builds and runs a bot in a shell, in its folder.
func (k *Kit) Command(bot string) string {
	return strings.NewReplacer("{bot}", bot, "{name}", stem(bot)).Replace(k.Shell)
}

// With returns the kits that have a bot to begin with in a game.
func With(game string) (list []*Kit) {
	for _, k := range All {
		if k.Starters[game] != "" {
			list = append(list, k)
		}
	}
	return list
}

// File returns one of the kit's files.
func (k *Kit) File(name string) []byte {
	content, err := k.files.ReadFile(path.Join(k.Folder, name))
	if err != nil {
		panic(err) // a test reads all files of all kits
	}
	return content
}
