package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// podman returns an environment in which podman runs containers of an image with a shell and
// hexarena. It skips the test where podman cannot, and says why.
func (s *isolated) podman() (image string) {
	s.t.Helper()
	image = fmt.Sprintf("localhost/hexarena-test-%d", os.Getpid())
	root := filepath.Join(s.dir, "image")
	program, _ := staticProgram()
	for _, script := range []string{
		"mkdir -p " + root + "/bin " + root + "/tmp && chmod 1777 " + root + "/tmp",
		"cp $(command -v busybox) " + program + "/hexarena " + root + "/bin",
		"for tool in sh id sed tr sleep; do ln -s busybox " + root + "/bin/$tool; done",
		"tar -C " + root + " -c . | podman import - " + image,
	} {
		cmd := exec.Command("sh", "-c", script)
		cmd.Env = s.env
		if out, err := cmd.CombinedOutput(); err != nil {
			s.t.Skipf("podman has no image: %v\n%s", err, out)
		}
	}
	s.t.Cleanup(func() {
		cmd := exec.Command("podman", "rmi", "--force", image)
		cmd.Env = s.env
		_ = cmd.Run()
	})
	s.write("containers.conf", "[engine]\nruntime = \"runc\"\n")
	var reasons []string
	for _, more := range []string{"", "CONTAINERS_CONF=" + filepath.Join(s.dir, "containers.conf")} {
		env := s.env
		if more != "" {
			env = append(env, more)
		}
		cmd := exec.Command("podman", "run", "--rm", "--network=none", "--memory=64m", "--pids-limit=64", "--cpus=1",
			"--ulimit=nofile=1024:1024", "--ulimit=nproc=4096:4096", "--entrypoint=sh", image, "-c", "exit 0")
		cmd.Env = env
		out, err := cmd.CombinedOutput()
		if err == nil {
			s.env = env
			return image
		}
		reasons = append(reasons, strings.TrimSpace(string(out)))
	}
	s.t.Skipf("podman runs no containers with limits here: %s", strings.Join(reasons, "; "))
	return ""
}

// With podman itself a bot has its file and no others, no network, and is not this user. It can look
// ahead.
func TestIsolatedByPodman(t *testing.T) {
	thorough.Full(t)
	s := newIsolated(t)
	image := "--isolate-image=" + s.podman()
	out, code := s.play(image, "./dials.sh", "stdio:./speaks.sh")
	if code != 0 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	t.Logf("played with podman: %s", strings.SplitN(out, "\n", 2)[0])
	if got := s.read("bot-logs/2-speaks.sh.log"); !regexp.MustCompile(`^looks ahead: {"turn":0, uid (0|65534|[0-9]+), files: /bot/speaks\.sh, devices: lo \n$`).MatchString(got) ||
		os.Getuid() == 0 && !strings.Contains(got, " uid 65534,") {
		t.Errorf("the bot printed %q", got)
	}
}

// Containers end with hexarena, also when it is killed, whatever their bots do.
func TestPodmanIsCleanedUp(t *testing.T) {
	thorough.Full(t)
	s := newIsolated(t)
	image := "--isolate-image=" + s.podman()
	s.write("stays.sh", "#!/bin/sh\ntrap '' TERM\necho up\nwhile :; do sleep 1; done\n")
	cmd := s.command("play", "--isolate", image, "--record=", "--http=", "--port=0",
		"--start-timeout=60s", "./stays.sh", "painter")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(s.dir, "bot-logs", "1-stays.sh.log")
	s.until("the bot is up", func() bool { text, _ := os.ReadFile(log); return len(text) > 0 })
	name := strings.TrimSpace(
		s.podmanSays("ps", "--filter", "ancestor="+strings.TrimPrefix(image, "--isolate-image="),
			"--format", "{{.Names}}"),
	)
	if name == "" {
		t.Fatal("there is no container")
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	s.until("the container is gone", func() bool {
		return !strings.Contains(s.podmanSays("ps", "--all", "--format", "{{.Names}}"), name)
	})
}

func (s *isolated) podmanSays(args ...string) string {
	s.t.Helper()
	cmd := exec.Command("podman", args...)
	cmd.Env = s.env
	out, err := cmd.Output()
	if err != nil {
		s.t.Fatal(err)
	}
	return string(out)
}

// until waits until a condition holds.
func (s *isolated) until(what string, holds func() bool) {
	s.t.Helper()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for range 600 {
		if holds() {
			return
		}
		<-tick.C
	}
	s.t.Fatal("it never happened that " + what)
}
