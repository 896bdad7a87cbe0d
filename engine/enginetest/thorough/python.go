package thorough

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// DirectPython makes python3 the interpreter itself where it is a script that looks for one, as
// that of pyenv is: it starts a dozen processes each time, which cost more than most bots. TestMain
// calls it where tests start bots in Python.
func DirectPython() {
	script, err := exec.LookPath("python3")
	if err != nil || !isScript(script) {
		return
	}
	out, err := exec.Command(script, "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		return // tests that need Python say why they fail
	}
	folder := filepath.Dir(string(bytes.TrimSpace(out)))
	if err := os.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH")); err != nil {
		panic(err)
	}
}

func isScript(name string) bool {
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	var start [2]byte
	_, err = io.ReadFull(file, start[:])
	return err == nil && string(start[:]) == "#!"
}
