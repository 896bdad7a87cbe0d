package deploy

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/types"
	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	strict "sigs.k8s.io/yaml"
)

// passwords are the variables that compose-cup.yaml needs.
var passwords = types.Mapping{
	"SERVER_PASSWORD": "ps", "COORDINATOR_PASSWORD": "pc", "WORKER_PASSWORD": "pw", "KEY": "KEY",
}

// Every service of a cup is bounded, its NATS servers have volumes and are those that the program
// is built with, and each container is probed: hexarena's at the address that the image asks.
func TestComposeFileOfACup(t *testing.T) {
	p := project(t, "compose-cup.yaml", passwords)
	version, err := exec.Command("go", "list", "-C", root, "-m", "-f", "{{.Version}}",
		"github.com/nats-io/nats-server/v2").Output()
	if err != nil {
		t.Fatal(err)
	}
	image := "docker.io/library/nats:" + strings.TrimPrefix(strings.TrimSpace(string(version)),
		"v") + "-alpine"
	servers := 0
	for name, s := range p.Services {
		checkBounds(t, s)
		if strings.HasPrefix(name, "nats-") {
			servers++
			if s.Image != image || s.HealthCheck == nil || !mounts(s, name, "/data") ||
				!mounts(s, filepath.Join(root, "deploy", "nats.conf"), "/etc/nats.conf") {
				t.Errorf("%s: %s with %v and %v, want %s", name, s.Image, s.HealthCheck, s.Volumes, image)
			}
			if !slices.Contains(s.Command, "--name="+name) ||
				!slices.Contains(s.Command, "--store_dir=/data") {
				t.Errorf("%s runs %q", name, s.Command)
			}
		} else if !slices.Contains(s.Command, "--health=127.0.0.1:8081") {
			t.Errorf("%s runs %q without the address that hexarena health asks", name, s.Command)
		}
	}
	if servers != 3 ||
		!strings.Contains(string(read(t, "Dockerfile")), "HEXARENA_HEALTH=127.0.0.1:8081") {
		t.Errorf("%d NATS servers, want three, and probes where the image has them", servers)
	}
	if !strings.Contains(string(read(t, "deploy/kubernetes/nats.yaml")), "image: "+image) {
		t.Errorf("nats.yaml has another image than %s", image)
	}
	if unused := project(t, "compose-cup.yaml", types.Mapping{"SERVER_PASSWORD": "ps", "COORDINATOR_PASSWORD": "pc", "WORKER_PASSWORD": "pw"}); len(unused.Services) != len(p.Services) {
		t.Error("without a key, not all services are there")
	}
}

// played is a cup with its workers and servers, as a file of deploy/ starts them.
type played struct {
	servers, cup, worker []string // arguments
}

// inManifests returns what nats.yaml and cup.yaml start, with their variables.
func inManifests(t *testing.T) played {
	var p played
	expand := strings.NewReplacer("$(SERVER_PASSWORD)", "ps", "$(COORDINATOR_PASSWORD)", "pc",
		"$(WORKER_PASSWORD)", "pw", "$(KEY)", "KEY", "$(POD_NAME)", "nats-0")
	args := func(list []string) (expanded []string) {
		for _, one := range list {
			expanded = append(expanded, expand.Replace(one))
		}
		return expanded
	}
	for _, name := range []string{"nats.yaml", "cup.yaml"} {
		docs := yaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(read(t, "deploy/kubernetes/"+name))))
		for {
			doc, err := docs.Read()
			if err != nil {
				break
			}
			var d apps.Deployment
			if err := strict.Unmarshal(doc, &d); err != nil {
				t.Fatal(err)
			}
			switch d.Kind {
			case "StatefulSet":
				p.servers = args(d.Spec.Template.Spec.Containers[0].Args)
			case "Deployment":
				p.worker = args(d.Spec.Template.Spec.Containers[0].Args)
			case "Job":
				var j batch.Job
				if err := strict.Unmarshal(doc, &j); err != nil {
					t.Fatal(err)
				}
				p.cup = args(j.Spec.Template.Spec.Containers[0].Args)
			}
		}
	}
	return p
}

// Three NATS servers with nats.conf, a cup and a worker play with the arguments of the Compose
// file, and with those of the manifests. The workers' user may do nothing that the coordinator
// does.
func TestClusterPlaysACup(t *testing.T) {
	hexarena, nats := built(t, "./cmd/hexarena"), built(t, "github.com/nats-io/nats-server/v2")
	compose := project(t, "compose-cup.yaml", passwords).Services
	for name, p := range map[string]played{
		"compose-cup.yaml": {servers: compose["nats-0"].Command, cup: compose["cup"].Command, worker: compose["worker"].Command},
		"cup.yaml":         inManifests(t),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &runningCluster{T: t, dir: t.TempDir(), nats: nats, hexarena: hexarena}
			c.start(p.servers)
			c.play(p.cup, p.worker)
		})
	}
}

// runningCluster is three NATS servers on this machine.
type runningCluster struct {
	*testing.T
	dir, nats, hexarena string
	clients, probes     []string // addresses
}

// free returns an address of this machine that no process listens on.
func (c *runningCluster) free() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		c.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func portOf(address string) string {
	_, port, _ := net.SplitHostPort(address)
	return port
}

// start starts the servers by the arguments of one, and returns when all are healthy.
func (c *runningCluster) start(args []string) {
	routes := [3]string{c.free(), c.free(), c.free()}
	for i := range routes {
		client, probe := c.free(), c.free()
		c.clients, c.probes = append(c.clients, client), append(c.probes, probe)
		own := slices.Clone(args)
		for k, arg := range own {
			switch flag, value, _ := strings.Cut(arg, "="); flag {
			case "--config":
				own[k] = "--config=" + filepath.Join(root, "deploy", "nats.conf")
			case "--name":
				own[k] = fmt.Sprintf("--name=nats-%d", i)
			case "--http_port":
				own[k] = "--http_port=" + portOf(probe)
			case "--store_dir":
				own[k] = "--store_dir=" + filepath.Join(c.dir, fmt.Sprint(i))
			case "--routes":
				for other, at := range routes {
					value = regexp.MustCompile(
						fmt.Sprintf(`@nats-%d(\.nats)?:6222`, other)).ReplaceAllString(value, "@"+at)
				}
				own[k] = "--routes=" + value
			default:
				c.Errorf("NATS is started with %q", arg)
			}
		}
		cmd := exec.Command(c.nats,
			append(own, "--addr=127.0.0.1", "--port="+portOf(client), "--cluster=nats://"+routes[i])...)
		for _, name := range []string{"SERVER_PASSWORD", "COORDINATOR_PASSWORD", "WORKER_PASSWORD"} {
			cmd.Env = append(cmd.Env, name+"="+passwords[name])
		}
		log, err := os.Create(filepath.Join(c.dir, fmt.Sprint(i, ".log")))
		if err != nil {
			c.Fatal(err)
		}
		cmd.Stderr = log
		if err := cmd.Start(); err != nil {
			c.Fatal(err)
		}
		c.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait(); _ = log.Close() })
	}
	ctx, cancel := context.WithTimeout(c.Context(), time.Minute)
	defer cancel()
	for _, probe := range c.probes {
		for !answers(ctx, "http://"+probe+"/healthz", "ok") {
			if ctx.Err() != nil {
				text, _ := os.ReadFile(filepath.Join(c.dir, "0.log"))
				c.Fatalf("the servers are not healthy:\n%s", text)
			}
			time.Sleep(50 * time.Millisecond) // between two questions
		}
	}
}

// answers reports whether an address answers with 200 and a text.
func answers(ctx context.Context, url, text string) bool {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	return err == nil && answer.StatusCode == http.StatusOK && strings.Contains(string(body), text)
}

// local returns arguments with the addresses of this cluster in place of those of a file.
func (c *runningCluster) local(args []string) []string {
	list := slices.Clone(args)
	for i, arg := range list {
		for k, at := range c.clients {
			arg = strings.ReplaceAll(arg, fmt.Sprintf("@nats-%d:4222", k), "@"+at)
		}
		arg = strings.ReplaceAll(arg, "@nats:4222", "@"+c.clients[0])
		switch flag, _, _ := strings.Cut(arg, "="); flag {
		case "--http", "--health":
			arg = flag + "=" + c.free()
		case "--out":
			arg = "--out=" + filepath.Join(c.dir, "cup")
		case "--count":
			arg = "--count=200"
		}
		list[i] = arg
	}
	return list
}

// forge starts the cup with the workers' password, until a server has refused what a coordinator
// does.
func (c *runningCluster) forge(cup []string) {
	args := slices.Clone(cup)
	for i, arg := range args {
		args[i] = strings.NewReplacer("coordinator:pc@", "worker:pw@", filepath.Join(c.dir, "cup"),
			filepath.Join(c.dir, "forged")).Replace(arg)
	}
	forged := exec.CommandContext(c.Context(), c.hexarena, args...)
	if err := forged.Start(); err != nil {
		c.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- forged.Wait() }()
	refused := regexp.MustCompile(`user:worker.*Publish Violation.*STREAM\.UPDATE`)
	for {
		for i := range c.clients {
			if text, err := os.ReadFile(filepath.Join(c.dir, fmt.Sprint(i, ".log"))); err == nil &&
				refused.Match(text) {
				_ = forged.Process.Kill()
				<-ended
				return
			}
		}
		select {
		case err := <-ended:
			text, _ := os.ReadFile(filepath.Join(c.dir, "0.log"))
			c.Fatalf(
				"with the workers' password a cup ends with %v, and no server has refused a stream:\n%s", err,
				text)
		case <-time.After(50 * time.Millisecond): // between two looks at the logs
		}
	}
}

// play plays a short cup with a worker, which leaves nothing in the cluster, and checks that the
// worker's password does not make a coordinator.
func (c *runningCluster) play(cup, worker []string) {
	cup = append(c.local(cup), "--turns=5", "--maps=pebble", "--seats=2")
	c.forge(cup)
	coordinator := exec.Command(c.hexarena, cup...)
	said, err := coordinator.StderrPipe()
	if err != nil {
		c.Fatal(err)
	}
	if err := coordinator.Start(); err != nil {
		c.Fatal(err)
	}
	c.Cleanup(func() { _ = coordinator.Process.Kill() })
	var text strings.Builder
	var key string
	for lines := bufio.NewScanner(said); key == "" && lines.Scan(); {
		text.WriteString(lines.Text() + "\n")
		if m := regexp.MustCompile(`hexarena worker '?\S+#([\w-]+)`).FindStringSubmatch(lines.Text()); m != nil {
			key = m[1]
		}
	}
	if key == "" {
		c.Fatalf("the cup names no key:\n%s", text.String())
	}
	args := c.local(worker)
	for i, arg := range args {
		args[i] = strings.Replace(arg, "#KEY", "#"+key, 1)
	}
	working := exec.Command(c.hexarena, args...)
	var out bytes.Buffer
	working.Stderr = &out
	if err := working.Start(); err != nil {
		c.Fatal(err)
	}
	c.Cleanup(func() { _ = working.Process.Kill(); _ = working.Wait() })
	rest, _ := io.ReadAll(said)
	if err := coordinator.Wait(); err != nil {
		c.Errorf("the cup ended with %v\n%s%s", err, text.String(), rest)
	}
	log, err := os.ReadFile(filepath.Join(c.dir, "cup", "log.ndjson"))
	if rows := strings.Count(string(log), "\n"); err != nil || rows < 200 {
		c.Errorf("the log has %d rows, %v", rows, err)
	}
	if url := "http://" + c.probes[0] + "/jsz"; !answers(c.Context(), url, `"streams": 0,`) ||
		!answers(c.Context(), url, `"reserved_storage": 0,`) {
		c.Error("the cup is over, and its streams keep space")
	}
}
