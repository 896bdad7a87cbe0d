package deploy

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
)

// composed returns the service as Compose starts it in an environment.
func composed(t *testing.T, environment types.Mapping) types.ServiceConfig {
	t.Helper()
	name := filepath.Join(root, "deploy", "compose.yaml")
	project, err := loader.LoadWithContext(context.Background(), types.ConfigDetails{
		WorkingDir:  filepath.Dir(name),
		ConfigFiles: []types.ConfigFile{{Filename: name, Content: read(t, "deploy/compose.yaml")}},
		Environment: environment,
	}) // validates against the schema
	if err != nil {
		t.Fatal(err)
	}
	return project.Services["hexarena"]
}

func TestComposeFileFitsItsSchema(t *testing.T) {
	s := composed(t, nil)
	if !s.ReadOnly || s.Restart != "unless-stopped" || !mounts(s, "", "/recordings") {
		t.Errorf("the service is %+v, want read-only, started again, with a volume for recordings", s)
	}
}

// The log, processors, memory and processes are bounded.
func TestComposeFileHasBounds(t *testing.T) {
	s := composed(t, nil)
	if s.Logging == nil || s.Logging.Options["max-size"] == "" || s.Logging.Options["max-file"] == "" {
		t.Errorf("logging is %+v, want max-size and max-file", s.Logging)
	}
	if s.CPUS <= 0 || s.MemLimit <= 0 || s.PidsLimit <= 0 {
		t.Errorf("limits: %v processors, %v bytes, %v processes; want limits", s.CPUS, s.MemLimit, s.PidsLimit)
	}
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

// mounts reports whether source, or anything if source is empty, is mounted at target.
func mounts(s types.ServiceConfig, source, target string) bool {
	for _, v := range s.Volumes {
		if v.Target == target && (source == "" || v.Source == source) {
			return true
		}
	}
	return false
}
