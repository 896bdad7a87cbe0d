package deploy

import (
	"bytes"
	"context"
	"os/exec"
	"regexp"
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

func (anyImage) ResolveImageConfig(
	_ context.Context, ref string, _ sourceresolver.Opt,
) (string, digest.Digest, []byte, error) {
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

// stages returns the instructions of each stage of the Dockerfile, the first of which is ARG
// GO_IMAGE.
func stages(t *testing.T) (list [][]string) {
	t.Helper()
	result, err := parser.Parse(bytes.NewReader(read(t, "Dockerfile")))
	if err != nil {
		t.Fatal(err)
	}
	list = [][]string{nil}
	for _, node := range result.AST.Children {
		if strings.EqualFold(node.Value, "FROM") {
			list = append(list, nil)
		}
		list[len(list)-1] = append(list[len(list)-1], node.Original)
	}
	return list
}

// TestDockerfileEndsInABareImage checks the image: one file, run by an unprivileged user,
// with a health check. That for events adds one folder.
func TestDockerfileEndsInABareImage(t *testing.T) {
	all := stages(t)
	server, event, last := all[len(all)-3], all[len(all)-2], all[len(all)-1]
	for _, want := range []string{
		"FROM scratch AS server", "USER 65532:65532", `ENTRYPOINT ["/hexarena"]`,
		"COPY --from=build --chown=65532:0 /out/recordings /recordings", "WORKDIR /recordings",
	} {
		if !slices.Contains(server, want) {
			t.Errorf("the server's stage is %q, want %s in it", server, want)
		}
	}
	if !slices.ContainsFunc(server, func(s string) bool { return strings.HasPrefix(s, "HEALTHCHECK") }) {
		t.Errorf("the server's stage is %q, want a HEALTHCHECK in it", server)
	}
	if !strings.Contains(strings.Join(server, "\n"), "HEXARENA_HEALTH=127.0.0.1:") {
		t.Errorf("the server's stage is %q, want probes at a separate address", server)
	}
	if want := []string{"FROM server AS event", "COPY --from=programs /out/binaries /binaries"}; !slices.Equal(event, want) {
		t.Errorf("the stage for events is %q, want %q", event, want)
	}
	if want := []string{"FROM server"}; !slices.Equal(last, want) {
		t.Errorf("the last stage is %q, want %q", last, want)
	}
	if first := all[0]; len(first) != 1 || !strings.HasPrefix(first[0], "ARG GO_IMAGE=") {
		t.Errorf("the Dockerfile begins with %q, want ARG GO_IMAGE", first)
	}
}

// The image for events has the program of each system that is released.
func TestDockerfileBuildsAllSystems(t *testing.T) {
	systems := regexp.MustCompile(`(?m)^ARG SYSTEMS="(.*)"$`).FindSubmatch(read(t, "Dockerfile"))
	released := regexp.MustCompile(`(?m)^TARGETS := (.*)$`).FindSubmatch(read(t, "Makefile"))
	if systems == nil || released == nil {
		t.Fatal("the Dockerfile has no ARG SYSTEMS, or the Makefile no TARGETS")
	}
	got, want := strings.Fields(string(systems[1])), strings.Fields(string(released[1]))
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the Dockerfile builds %q, and a release has %q", got, want)
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
