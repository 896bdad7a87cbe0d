package launch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/hexarena/hexarena/bots/kits"
)

// Runner says how a file is run.
type Runner struct {
	Argv []string // the whole command line
	// what runs or builds it, such as "python3 (Python 3.12.4)"; empty: it runs by itself
	Note string
	// Stdio says that it speaks on its standard input and output.
	Stdio  bool
	Script JavaScript // what runs it, if it is a script; else JSAuto
}

// JavaScript says what runs scripts.
type JavaScript uint8

// What runs scripts.
const (
	JSAuto    JavaScript = iota // Node, and where there is none, this program
	JSBuiltin                   // this program
	JSNode                      // Node
)

// JavaScripts are the names of what runs scripts, as flags and plans have them.
var JavaScripts = map[string]JavaScript{"auto": JSAuto, "builtin": JSBuiltin, "node": JSNode}

func (js JavaScript) String() string { return [...]string{"auto", "builtin", "node"}[js] }

// SentMemory bounds a script that another person has sent, in MiB, unless an option says otherwise:
// the matches of an event that are played at once fit small machines.
const SentMemory = 64

// interpreter is a way to run files of a kind.
type interpreter struct {
	program []string // with what chooses among its versions
	flags   []string // that come before the file
	probe   string   // the argument that makes it print its version
	wants   string   // what the version begins with
}

var (
	pythons = []interpreter{
		{program: []string{"py", "-3"}, probe: "--version", wants: "Python 3"},
		{program: []string{"python3"}, probe: "--version", wants: "Python 3"},
		{program: []string{"python"}, probe: "--version", wants: "Python 3"},
	}
	nodes = []interpreter{{program: []string{"node"}, probe: "--version", wants: "v"}}
	javas = []interpreter{{program: []string{"java"}, flags: []string{"-jar"}, probe: "-version"}}

	// interpreters are tried in order. Each has to print its version, because python3
	// may be a stub on Windows that only opens a store.
	interpreters = map[string][]interpreter{
		".py": pythons, ".js": nodes, ".mjs": nodes, ".cjs": nodes, ".jar": javas,
	}
)

// sources says how source files become a command line, by extension; FILE stands for its name.
var sources = map[string]string{
	".c":     `compile it, as with "cc -O2 -o bot FILE", and name the program: ./bot`,
	".cc":    `compile it, as with "c++ -O2 -o bot FILE", and name the program: ./bot`,
	".cs":    `name its project in a command line: "dotnet run --project FOLDER"`,
	".kt":    `compile it, as with "kotlinc FILE -include-runtime -d bot.jar", and name the program: bot.jar`,
	".ts":    `give a command line: "node FILE" with Node 22.18 or newer, else "npx tsx FILE"`,
	".class": `give a command line: "java -cp FOLDER CLASS"`,
}

// probeTime is the time that an interpreter may take to print its version. Where pyenv starts it,
// that takes more than five seconds while others use the processors.
const probeTime = 20 * time.Second

// Finder finds out how to run files, and remembers the interpreters that it found.
type Finder struct {
	JS     JavaScript // what runs scripts
	Memory int        // that a script may use which this program runs, in MiB; 0: the engine's default

	found map[string]found // by extension
}

type found struct {
	interpreter
	version string
}

// Find returns how to run the file at path, which must exist.
func (f *Finder) Find(ctx context.Context, path string) (Runner, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return Runner{}, err
	case info.IsDir():
		return Runner{}, fmt.Errorf("%s is a folder", path)
	case !info.Mode().IsRegular(): // a named pipe would block whoever reads it
		return Runner{}, fmt.Errorf("%s is no regular file, so that it is no bot", path)
	case kits.IsLibrary(path):
		return Runner{}, fmt.Errorf("%s is a kit, which bots use; name the file of a bot", path)
	}
	ext := strings.ToLower(filepath.Ext(path))
	if k := kits.Compiled(path); k != nil {
		return compiled(k, path)
	}
	if len(interpreters[ext]) == 0 {
		return executable(path)
	}
	script := IsScript(path) && kits.Engine != nil
	if script && f.JS == JSBuiltin {
		return f.builtin(path)
	}
	i, ok := f.found[ext]
	if !ok {
		i, err = search(ctx, ext)
		switch {
		case err != nil && script && f.JS == JSAuto:
			return f.builtin(path)
		case err != nil:
			return Runner{}, fmt.Errorf("cannot run %s: %w", path, err)
		}
		if f.found == nil {
			f.found = map[string]found{}
		}
		f.found[ext] = i
	}
	run := Runner{
		Argv: slices.Concat(i.program, i.flags, []string{path}),
		Note: fmt.Sprintf("%s (%s)", strings.Join(i.program, " "), i.version),
	}
	if IsScript(path) {
		run.Script = JSNode
	}
	return run, nil
}

// scripts are the extensions of scripts.
var scripts = []string{".js", ".mjs", ".cjs"}

// IsScript reports whether a file is in JavaScript, by its name.
func IsScript(path string) bool {
	return slices.Contains(scripts, strings.ToLower(filepath.Ext(path)))
}

// builtin returns how this program runs a script.
func (f *Finder) builtin(path string) (Runner, error) {
	argv, err := kits.Engine(path, f.Memory)
	return Runner{Argv: argv, Note: OwnScript, Stdio: true, Script: JSBuiltin}, err
}

// search tries the interpreters for an extension.
func search(ctx context.Context, ext string) (found, error) {
	var tried []string
	for _, i := range interpreters[ext] {
		version, err := i.version(ctx)
		if err == nil {
			return found{i, version}, nil
		}
		tried = append(tried, fmt.Sprintf("%s: %v", strings.Join(i.program, " "), err))
	}
	return found{}, fmt.Errorf("no program that runs %s files was found (%s)", ext,
		strings.Join(tried, "; "))
}

// version runs the interpreter to print its version, and returns the first line.
func (i interpreter) version(ctx context.Context) (string, error) {
	program, err := exec.LookPath(i.program[0])
	if err != nil {
		return "", errors.New("not found")
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, append(slices.Clone(i.program[1:]), i.probe)...)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("no version within %v", probeTime)
	case err != nil:
		return "", err
	}
	line, _, _ := bytes.Cut(out, []byte{'\n'})
	version := Printable(line)
	if !strings.HasPrefix(version, i.wants) {
		return "", fmt.Errorf("its version is %q", version)
	}
	return version, nil
}

// compiled returns how to run a source file, which package build turns into a program when it is
// started.
func compiled(k *kits.Kit, path string) (Runner, error) {
	tool := k.Tool()
	if tool == "" {
		return Runner{}, k.Missing(path)
	}
	return Runner{Argv: []string{inThisFolder(path)}, Note: tool}, nil
}

// inThisFolder returns a path that does not stand for a program of that name in PATH.
func inThisFolder(path string) string {
	if filepath.Base(path) == path {
		path = "." + string(filepath.Separator) + path
	}
	return path
}

// executable returns how to run a file that needs no interpreter.
func executable(path string) (Runner, error) {
	path = inThisFolder(path)
	_, err := exec.LookPath(path)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return Runner{}, notExecutable(path)
	case err != nil:
		return Runner{}, fmt.Errorf("%s cannot be run: %w", path, err)
	case filepath.Ext(path) != "" && runtime.GOOS != "windows" && !beginsAsProgram(path):
		// Windows goes by the extension.
		return Runner{}, fmt.Errorf("%s is no program: hexarena runs sources with the extensions %s, "+
			".jar files, and files that the system can start", path, extensions())
	}
	return Runner{Argv: []string{path}}, nil
}

// beginsAsProgram reports whether a file begins as one that a system can start: ELF, a script,
// Mach-O or PE. One that cannot be read may be a program.
func beginsAsProgram(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return true
	}
	defer f.Close()
	head := make([]byte, 4)
	n, err := io.ReadFull(f, head)
	if err != nil && n == 0 {
		return false
	}
	for _, magic := range []string{"\x7fELF", "#!", "MZ", "\xcf\xfa\xed\xfe", "\xce\xfa\xed\xfe"} {
		if strings.HasPrefix(string(head[:n]), magic) {
			return true
		}
	}
	// elsewhere it is a class of Java
	return runtime.GOOS == "darwin" && string(head[:n]) == "\xca\xfe\xba\xbe"
}

// extensions lists the extensions of sources, such as ".js, .py".
func extensions() string {
	var list []string
	for ext := range interpreters {
		list = append(list, ext)
	}
	for _, k := range kits.All {
		list = append(list, k.Extension)
	}
	slices.Sort(list)
	return strings.Join(
		slices.DeleteFunc(slices.Compact(list), func(ext string) bool { return ext == ".jar" }), ", ")
}

// notExecutable returns the error for a file that is there and cannot be run by itself.
func notExecutable(path string) error {
	if advice := sources[strings.ToLower(filepath.Ext(path))]; advice != "" {
		return fmt.Errorf("%s cannot be run by itself; %s", path,
			strings.ReplaceAll(advice, "FILE", path))
	}
	return fmt.Errorf("%s is not executable; make it so, or give a command line such as %q", path,
		"sh "+path)
}
