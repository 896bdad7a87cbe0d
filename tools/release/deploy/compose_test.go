package deploy

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
)

// composed returns the service of compose.yaml as Compose starts it in an environment.
func composed(t *testing.T, environment types.Mapping) types.ServiceConfig {
	t.Helper()
	return project(t, "compose.yaml", environment).Services["hexarena"]
}

// project returns what is in a file, with all profiles, as Compose starts it in an environment.
func project(t *testing.T, name string, environment types.Mapping) *types.Project {
	t.Helper()
	file := filepath.Join(root, "deploy", name)
	p, err := loader.LoadWithContext(context.Background(), types.ConfigDetails{
		WorkingDir:  filepath.Dir(file),
		ConfigFiles: []types.ConfigFile{{Filename: file, Content: read(t, "deploy/"+name)}},
		Environment: environment,
	}, loader.WithProfiles([]string{"*"})) // validates against the schema
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestComposeFileFitsItsSchema(t *testing.T) {
	s := composed(t, nil)
	if !s.ReadOnly || s.Restart != "unless-stopped" || !mounts(s, "", "/recordings") {
		t.Errorf("the service is %+v, want read-only, started again, with a volume for recordings", s)
	}
}

// checkBounds checks that the log, processors, memory and processes of a service are bounded, and
// that it has no rights.
func checkBounds(t *testing.T, s types.ServiceConfig) {
	t.Helper()
	if s.Logging == nil || s.Logging.Options["max-size"] == "" || s.Logging.Options["max-file"] == "" {
		t.Errorf("%s: logging is %+v, want max-size and max-file", s.Name, s.Logging)
	}
	if s.CPUS <= 0 || s.MemLimit <= 0 || s.PidsLimit <= 0 {
		t.Errorf("%s: limits: %v processors, %v bytes, %v processes; want limits", s.Name, s.CPUS,
			s.MemLimit, s.PidsLimit)
	}
	if !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) ||
		!slices.Contains(s.SecurityOpt, "no-new-privileges:true") {
		t.Errorf("%s: read-only %v, without %v, %v", s.Name, s.ReadOnly, s.CapDrop, s.SecurityOpt)
	}
}

func TestComposeFileHasBounds(t *testing.T) {
	checkBounds(t, composed(t, nil))
	if s := composed(t, types.Mapping{"CPUS": "1.5"}); s.CPUS != 1.5 {
		t.Errorf("with CPUS=1.5 there are %v processors", s.CPUS)
	}
}

func TestComposeFileTakesTokens(t *testing.T) {
	const setting = "HEXARENA_TOKENS"
	if s := composed(t, nil); *s.Environment[setting] != "" {
		t.Errorf("without tokens, %s is %q", setting, *s.Environment[setting])
	}
	file := filepath.Join(root, "deploy", "tokens.txt")
	s := composed(t, types.Mapping{"TOKENS": "./tokens.txt"})
	if target := *s.Environment[setting]; target != "/tokens.txt" || !mounts(s, file, target) {
		t.Errorf("%s is %q, and the volumes are %v; want %s there", setting, target, s.Volumes, file)
	}
}

// The file for an event goes on with the same event, whose folder is in its volume.
func TestComposeFileOfAnEvent(t *testing.T) {
	s := project(t, "compose-event.yaml", types.Mapping{"NAME": "Friday"}).Services["hexarena"]
	checkBounds(t, s)
	if !slices.Contains(s.Command, "/recordings/event") || !slices.Contains(s.Command, "--name=Friday") ||
		!mounts(s, "", "/recordings") || s.Restart != "unless-stopped" {
		t.Errorf("the service is %+v", s)
	}
}

// mounts reports whether source, or anything if source is empty, is mounted at target.
func mounts(s types.ServiceConfig, source, target string) bool {
	for _, v := range s.Volumes {
		if v.Target == target && (source == "" || v.Source == source) {
			return true
		}
	}
	return false
}
