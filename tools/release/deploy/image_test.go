//go:build image

package deploy

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// builder runs buildah without a daemon, with its own store.
type builder struct {
	*testing.T
	store string
}

func newBuilder(t *testing.T) *builder {
	if _, err := exec.LookPath("buildah"); err != nil {
		t.Fatalf(
			"%v: this test needs buildah and busybox (apt-get install buildah busybox-static), and root",
			err)
	}
	dir, err := os.MkdirTemp("", "hexarena-image")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return &builder{t, dir}
}

func (b *builder) command(args ...string) *exec.Cmd {
	store := []string{
		"--root", filepath.Join(b.store, "root"), "--runroot", filepath.Join(b.store, "run"),
		"--storage-driver", "vfs",
	}
	cmd := exec.Command("buildah", append(store, args...)...)
	cmd.Env = append(os.Environ(), "BUILDAH_ISOLATION=chroot", "TMPDIR="+b.store)
	return cmd
}

// buildah runs a command, which has to succeed, and returns its output.
func (b *builder) buildah(args ...string) string {
	b.Helper()
	out, err := b.command(args...).CombinedOutput()
	if err != nil {
		b.Fatalf("buildah %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// Where this machine's modules, and what it has compiled, are in the base image while it builds.
const (
	modules  = "/go/pkg/mod"
	compiled = "/go/build"
)

// standIn builds a base image that replaces the official one in the Dockerfile. It holds
// only this machine's Go and a shell.
func (b *builder) standIn() string {
	b.Helper()
	const name = "localhost/go-stand-in"
	ctr := b.buildah("from", "scratch")
	busybox, err := exec.LookPath("busybox")
	if err != nil {
		b.Fatal(err)
	}
	b.buildah("copy", ctr, busybox, "/bin/busybox")
	b.buildah("copy", ctr, runtime.GOROOT(), "/usr/local/go")
	for _, tool := range []string{"sh", "mkdir", "tar", "gzip"} {
		b.buildah("run", ctr, "--", "/bin/busybox", "ln", "-s", "/bin/busybox", "/bin/"+tool)
	}
	b.buildah("run", ctr, "--", "/bin/mkdir", "/tmp")
	b.buildah("config", "--env", "PATH=/usr/local/go/bin:/bin", "--env", "HOME=/", "--env", "GOTOOLCHAIN=local", "--env", "GOPROXY=off",
		"--env", "GOMODCACHE="+modules, "--env", "GOCACHE="+compiled, ctr)
	b.buildah("commit", "--rm", "--format", "docker", ctr, name)
	return name
}

func goEnv(t *testing.T, name string) string {
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// The image for events, which is that of the server with one folder more, plays a match, serves and
// passes its health check, and offers the program of another system.
func TestImagePlaysAMatch(t *testing.T) {
	b := newBuilder(t)
	download := exec.Command("go", "mod", "download")
	download.Dir = root
	if out, err := download.CombinedOutput(); err != nil {
		t.Fatalf("go mod download: %v\n%s", err, out)
	}
	const image = "localhost/hexarena-event"
	b.buildah("bud", "--format", "docker", "--target", "event", "--build-arg", "GO_IMAGE="+b.standIn(), "--build-arg", "VERSION=test", "--build-arg", "SYSTEMS=windows/amd64",
		"--volume", goEnv(t,
			"GOMODCACHE")+":"+modules, "--volume", goEnv(t, "GOCACHE")+":"+compiled, "--tag", image, root)
	b.plays(image, "test")
	b.hostsAnEvent(image)
}

// The image of a release, which is packed without running the Dockerfile, does the same.
func TestReleasedImagePlaysAMatch(t *testing.T) {
	b := newBuilder(t)
	const version = "v1.2.3"
	dist := filepath.Join(b.store, "dist")
	release := exec.Command("go", "run", "..", "-root", root, "-out", dist, "-version", version,
		"-targets", "linux/"+runtime.GOARCH)
	if out, err := release.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", release, err, out)
	}
	b.plays("oci-archive:"+filepath.Join(dist, "hexarena-"+version+"-image.tar"), version)
}

// plays plays a match in a container, and serves there.
func (b *builder) plays(image, version string) {
	b.Helper()
	ctr := b.buildah("from", "--quiet", image)
	run := func(args ...string) string {
		b.Helper()
		return b.buildah(append([]string{"run", ctr, "--", "/hexarena"}, args...)...)
	}
	if got, _, _ := strings.Cut(run("version"), "\n"); got != version {
		b.Errorf("the first line of version is %q, want %s", got, version)
	}
	if out := run("play", "--map", "pebble", "--record", "/recordings", "--http", "", "--logs", ""); !strings.Contains(out, "Recorded in /recordings/") {
		b.Errorf("play in the image: %s", out)
	}
	b.serve(ctr)
}

// serve runs the image's default command until its health check succeeds.
func (b *builder) serve(ctr string) {
	b.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	const address, probes = "127.0.0.1:18431", "127.0.0.1:18433"
	server := b.command("run", "--env", "HEXARENA_HTTP="+address, "--env", "HEXARENA_HEALTH="+probes,
		ctr, "--", "/hexarena", "serve", "--port", "18432")
	var out bytes.Buffer
	server.Stdout, server.Stderr = &out, &out
	if err := server.Start(); err != nil {
		b.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }()
	for {
		err := b.command("run", "--env", "HEXARENA_HTTP="+address, "--env", "HEXARENA_HEALTH="+probes,
			ctr, "--", "/hexarena", "health").Run()
		if err == nil {
			break
		}
		select {
		case err := <-ended:
			b.Fatalf("serve ended: %v\n%s", err, out.String())
		case <-ctx.Done():
			b.Fatalf("the server is not well: %v\n%s", err, out.String())
		case <-time.After(200 * time.Millisecond):
		}
	}
	_ = server.Process.Signal(os.Interrupt)
	select {
	case <-ended:
	case <-ctx.Done():
		_ = server.Process.Kill()
		b.Fatal(fmt.Errorf("serve does not end\n%s", out.String()))
	}
}
