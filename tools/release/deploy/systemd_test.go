package deploy

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// worstExposure is the highest allowed exposure of the unit in systemd-analyze security,
// from 0 (confined) to 100. A listening service needs the network.
const worstExposure = "20"

func TestUnit(t *testing.T) {
	unit := string(read(t, "deploy/hexarena.service"))
	// The commented lines for tokens are checked too.
	var tokens string
	for _, m := range regexp.MustCompile(
		`(?m)^#   (\w+=.*%d/tokens|LoadCredential=.*)$`).FindAllStringSubmatch(unit, -1) {
		tokens += m[1] + "\n"
	}
	if strings.Count(tokens, "\n") != 2 {
		t.Errorf("the lines for tokens are %q, want two", tokens)
	}
	analyze(t, "hexarena.service", strings.Replace(unit, "\n[Service]\n", "\n[Service]\n"+tokens, 1))
}

func TestWorkerUnit(t *testing.T) {
	analyze(t, "hexarena-worker.service", string(read(t, "deploy/hexarena-worker.service")))
}

func TestEventUnit(t *testing.T) {
	analyze(t, "hexarena-event.service", string(read(t, "deploy/hexarena-event.service")))
}

// analyze reports what systemd-analyze finds wrong with a unit.
func analyze(t *testing.T, name, unit string) {
	t.Helper()
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed")
	}
	// The unit is checked on a machine where hexarena is not installed.
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(unit, "/usr/local/bin/hexarena", self)), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"verify", "--man=no", "--recursive-errors=no", file},
		{"security", "--offline=yes", "--no-pager", "--threshold=" + worstExposure, file},
	} {
		out, err := exec.Command(analyze, args...).CombinedOutput()
		if err != nil || args[0] == "verify" && len(out) > 0 {
			t.Errorf("systemd-analyze %s: %v\n%s", strings.Join(args[:len(args)-1], " "), err, out)
		}
	}
}
