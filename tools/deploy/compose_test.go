package deploy

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
)

func TestComposeFileFitsItsSchema(t *testing.T) {
	name := filepath.Join(root, "deploy", "compose.yaml")
	project, err := loader.LoadWithContext(context.Background(), types.ConfigDetails{
		WorkingDir:  filepath.Dir(name),
		ConfigFiles: []types.ConfigFile{{Filename: name, Content: read(t, "deploy/compose.yaml")}},
	}) // judges by the schema
	if err != nil {
		t.Fatal(err)
	}
	s := project.Services["hexarena"]
	if !s.ReadOnly || s.Restart != "unless-stopped" || len(s.Volumes) != 1 || s.Volumes[0].Target != "/recordings" {
		t.Errorf("the service is %+v, want read-only, started again, with a volume for recordings", s)
	}
}
