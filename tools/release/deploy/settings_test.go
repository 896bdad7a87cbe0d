package deploy

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/types"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	strict "sigs.k8s.io/yaml"
)

// deployed holds how a file runs the server, and how long it waits for it to stop.
type deployed struct {
	args, env []string
	grace     time.Duration
}

func inCompose(t *testing.T) deployed {
	s := composed(t, nil)
	return deployed{
		args: s.Command, env: settingsOf(s.Environment), grace: time.Duration(*s.StopGracePeriod),
	}
}

func settingsOf(m types.MappingWithEquals) (env []string) {
	for name, value := range m {
		if value != nil && *value != "" {
			env = append(env, name+"="+*value)
		}
	}
	return env
}

func inUnit(t *testing.T) deployed {
	unit := string(read(t, "deploy/hexarena.service"))
	var d deployed
	for _, m := range regexp.MustCompile(`(?m)^Environment=(.*)$`).FindAllStringSubmatch(unit, -1) {
		d.env = append(d.env, strings.Fields(m[1])...)
	}
	d.args = unitArgs(t, "hexarena.service")
	_, stop, _ := strings.Cut(unit, "TimeoutStopSec=")
	stop, _, _ = strings.Cut(stop, "\n")
	var err error
	if d.grace, err = time.ParseDuration(stop + "s"); err != nil {
		t.Fatal(err)
	}
	return d
}

// unitArgs returns the arguments that a unit starts hexarena with.
func unitArgs(t *testing.T, name string) []string {
	_, command, _ := strings.Cut(string(read(t, "deploy/"+name)), "ExecStart=/usr/local/bin/hexarena ")
	command, _, _ = strings.Cut(command, "\n")
	return strings.Fields(command)
}

func inPod(p core.PodSpec) deployed {
	c := p.Containers[0]
	d := deployed{args: c.Args, grace: time.Duration(*p.TerminationGracePeriodSeconds) * time.Second}
	for _, e := range c.Env {
		d.env = append(d.env, e.Name+"="+e.Value)
	}
	return d
}

// built returns a program that is built from a package of the main module, or of what it depends
// on.
func built(t *testing.T, pkg string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	build := exec.Command("go", "build", "-o", program, pkg)
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return program
}

// The program accepts the settings in the files, and each file waits long enough for a
// running match to drain.
func TestSettingsAreAccepted(t *testing.T) {
	program := built(t, "./cmd/hexarena")
	var f fleet
	var d apps.Deployment
	first, _, _ := bytes.Cut(read(t, "deploy/kubernetes/hexarena.yaml"), []byte("\n---\n"))
	if err := strict.Unmarshal(first, &d); err != nil {
		t.Fatal(err)
	}
	if err := strict.Unmarshal(read(t, "deploy/kubernetes/fleet.yaml"), &f); err != nil {
		t.Fatal(err)
	}
	worker := unitArgs(t, "hexarena-worker.service")
	if len(worker) < 2 || worker[0] != "worker" {
		t.Errorf("hexarena-worker.service runs %q, want worker", worker)
	}
	if out, err := exec.Command(program, append(worker, "--help")...).CombinedOutput(); err != nil {
		t.Errorf("hexarena-worker.service: %v\n%s", err, out)
	}
	for name, how := range map[string]deployed{
		"compose.yaml":     inCompose(t),
		"hexarena.service": inUnit(t),
		"hexarena.yaml":    inPod(d.Spec.Template.Spec),
		"fleet.yaml":       inPod(f.Spec.Template.Spec.Template.Spec),
	} {
		if len(how.args) == 0 || how.args[0] != "serve" {
			t.Errorf("%s runs %q, want serve", name, how.args)
			continue
		}
		cmd := exec.Command(program, append([]string{"config"}, how.args[1:]...)...)
		cmd.Env = append(os.Environ(), how.env...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
			continue
		}
		drain := regexp.MustCompile(`(?m)^drain-timeout: (\S+)`).FindSubmatch(out)
		if drain == nil {
			t.Fatalf("no drain-timeout in\n%s", out)
		}
		if most, err := time.ParseDuration(string(drain[1])); err != nil || most <= 0 ||
			most+time.Second > how.grace {
			t.Errorf("%s: drain-timeout is %s, but the server is killed after %v", name, drain[1], how.grace)
		}
	}
}
