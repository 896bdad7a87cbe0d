package deploy

import (
	"bytes"
	"context"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/moby/buildkit/client/llb"
	"github.com/moby/buildkit/client/llb/sourceresolver"
	"github.com/moby/buildkit/frontend/dockerfile/dockerfile2llb"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
	"github.com/moby/patternmatcher/ignorefile"
	"github.com/opencontainers/go-digest"
)

// anyImage resolves every base image of a Dockerfile without a registry.
type anyImage struct{}

func (anyImage) ResolveImageConfig(_ context.Context, ref string, _ sourceresolver.Opt) (string, digest.Digest, []byte, error) {
	config := []byte(`{"architecture":"amd64","os":"linux","config":{}}`)
	return ref, digest.FromBytes(config), config, nil
}

func TestDockerfileIsCleanOfWarnings(t *testing.T) {
	source := read(t, "Dockerfile")
	sources := llb.NewSourceMap(nil, "Dockerfile", "Dockerfile", source)
	sources.Definition = &llb.Definition{}
	result, err := dockerfile2llb.DockerfileLint(context.Background(), source, dockerfile2llb.ConvertOpt{
		SourceMap: sources, MetaResolver: anyImage{},
	})
	if err != nil {
		t.Fatal(err)
	}
	if result.Error != nil {
		t.Error(result.Error.Message)
	}
	for _, w := range result.Warnings {
		t.Errorf("Dockerfile: %s: %s", w.RuleName, w.Detail)
	}
}

// TestDockerfileEndsInABareImage checks the image: one file, run by an unprivileged user,
// with a health check.
func TestDockerfileEndsInABareImage(t *testing.T) {
	result, err := parser.Parse(bytes.NewReader(read(t, "Dockerfile")))
	if err != nil {
		t.Fatal(err)
	}
	var last []string // instructions of the last stage
	for _, node := range result.AST.Children {
		if strings.EqualFold(node.Value, "FROM") {
			last = nil
		}
		last = append(last, node.Original)
	}
	for _, want := range []string{"FROM scratch", "USER 65532:65532", `ENTRYPOINT ["/hexarena"]`} {
		if !slices.Contains(last, want) {
			t.Errorf("the last stage is %q, want %s in it", last, want)
		}
	}
	if !slices.ContainsFunc(last, func(s string) bool { return strings.HasPrefix(s, "HEALTHCHECK") }) {
		t.Errorf("the last stage is %q, want a HEALTHCHECK in it", last)
	}
	if !strings.Contains(strings.Join(last, "\n"), "HEXARENA_HEALTH=127.0.0.1:") {
		t.Errorf("the last stage is %q, want probes at a separate address", last)
	}
	if first := result.AST.Children[0].Original; !strings.HasPrefix(first, "ARG GO_IMAGE=") {
		t.Errorf("the Dockerfile begins with %q, want ARG GO_IMAGE", first)
	}
}

// TestDockerignoreNamesTheSources checks that the build of the image sees every package
// of this module that the program consists of.
func TestDockerignoreNamesTheSources(t *testing.T) {
	patterns, err := ignorefile.ReadAll(bytes.NewReader(read(t, ".dockerignore")))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "list", "-deps", "./cmd/hexarena")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	found := 0
	for pkg := range strings.Lines(string(out)) {
		name, ours := strings.CutPrefix(strings.TrimSpace(pkg), "github.com/hexarena/hexarena/")
		if !ours {
			continue
		}
		found++
		if folder, _, _ := strings.Cut(name, "/"); !slices.Contains(patterns, "!"+folder) {
			t.Errorf(".dockerignore leaves out %s, which the program imports", name)
		}
	}
	if found == 0 {
		t.Error("go list finds no package of this module")
	}
}
