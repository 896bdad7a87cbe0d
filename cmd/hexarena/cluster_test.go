package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// Sizes of TestClusterIsKilled, which are flags because 100 000 matches take half an hour.
var (
	clusterMatches = flag.Int("clustered", 600, "matches in TestClusterIsKilled")
	clusterWorkers = flag.Int("clustered-workers", 2, "workers in TestClusterIsKilled")
	clusterTurns   = flag.Int("clustered-turns", 60, "turns of a match in TestClusterIsKilled")
	clusterKills   = flag.Int("clustered-kills", 3, "kills in TestClusterIsKilled")
)

// natsCluster is a cluster of three processes of nats-server.
type natsCluster struct {
	t     *testing.T
	nodes [3]natsNode
	js    jetstream.JetStream
}

// natsNode is a server of a cluster.
type natsNode struct {
	host                   string
	client, route, monitor int // ports
	start                  func() *exec.Cmd
	cmd                    *exec.Cmd
}

// buildNATS builds nats-server, of the version that is embedded.
func buildNATS(t *testing.T) (program string) {
	t.Helper()
	program = filepath.Join(t.TempDir(), "nats-server")
	if out, err := exec.Command("go", "build", "-o", program, "github.com/nats-io/nats-server/v2").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// startCluster starts a cluster, whose nodes have their addresses, and waits until its servers
// listen. inside has a server run in the network of its node; nil: in that of the test.
func startCluster(t *testing.T, c *natsCluster, inside func(cmd *exec.Cmd, node int)) {
	t.Helper()
	c.t = t
	program, dir := buildNATS(t), t.TempDir()
	log := func(i int) string { return filepath.Join(dir, fmt.Sprint(i, ".log")) }
	var routes []string
	for _, n := range c.nodes {
		routes = append(routes, fmt.Sprintf("nats://%s:%d", n.host, n.route))
	}
	for i := range c.nodes {
		n := &c.nodes[i]
		n.start = func() *exec.Cmd {
			cmd := exec.Command(program, "--name", fmt.Sprint("node", i), "--addr", n.host, "--port", strconv.Itoa(n.client), "--http_port", strconv.Itoa(n.monitor),
				"--jetstream", "--store_dir", filepath.Join(dir, strconv.Itoa(i)), "--log", log(i),
				"--cluster_name", "hexarena", "--cluster", routes[i], "--routes", strings.Join(
					slices.Delete(slices.Clone(routes), i, i+1), ","))
			if inside != nil {
				inside(cmd, i)
			}
			return cmd
		}
		c.run(i)
		t.Cleanup(func() { c.kill(i) })
	}
	for i := range c.nodes {
		await(t, func() error {
			text, err := os.ReadFile(log(i))
			if err == nil && !strings.Contains(string(text), "Server is ready") {
				err = fmt.Errorf("server %d does not listen:\n%s", i, text)
			}
			return err
		})
	}
}

// await waits until a condition returns no error.
func await(t *testing.T, condition func() error) {
	t.Helper()
	late := time.Now().Add(hangs)
	for err := condition(); err != nil; err = condition() {
		if time.Now().After(late) {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// urls returns what clients connect to.
func (c *natsCluster) urls() string {
	var list []string
	for _, n := range c.nodes {
		list = append(list, fmt.Sprintf("nats://%s:%d", n.host, n.client))
	}
	return strings.Join(list, ",")
}

// run starts a server.
func (c *natsCluster) run(i int) {
	c.t.Helper()
	n := &c.nodes[i]
	n.cmd = n.start()
	if err := n.cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
}

// kill kills a server.
func (c *natsCluster) kill(i int) {
	n := &c.nodes[i]
	_ = n.cmd.Process.Kill()
	_ = n.cmd.Wait()
}

// lacks returns what a server lacks, nil if all are current.
func (c *natsCluster) lacks() error {
	led := false
	for i := range c.nodes {
		var health struct{ Status, Error string }
		var all struct {
			Meta jetstream.ClusterInfo `json:"meta_cluster"`
		}
		if err := c.monitor(i, "healthz", &health); err != nil || health.Status != "ok" {
			return fmt.Errorf("server %d: %w, %v", i, err, health)
		}
		if err := c.monitor(i, "jsz", &all); err != nil {
			return err
		}
		led = led || complete(&all.Meta)
	}
	if !led {
		return errors.New("no server knows two others that are current")
	}
	ctx, cancel := context.WithTimeout(c.t.Context(), 5*time.Second)
	defer cancel()
	streams := c.js.ListStreams(ctx)
	for s := range streams.Info() {
		if s.Cluster == nil || !complete(s.Cluster) {
			return fmt.Errorf("stream %s: %+v", s.Config.Name, s.Cluster)
		}
	}
	return streams.Err()
}

// complete reports whether a leader has two replicas that are current.
func complete(c *jetstream.ClusterInfo) bool {
	return len(c.Replicas) == 2 && !slices.ContainsFunc(c.Replicas,
		func(p *jetstream.PeerInfo) bool { return !p.Current || p.Offline })
}

// monitor reads what a server says of itself.
func (c *natsCluster) monitor(i int, page string, answer any) error {
	client := http.Client{Timeout: 5 * time.Second}
	r, err := client.Get(fmt.Sprintf("http://%s:%d/%s", c.nodes[i].host, c.nodes[i].monitor, page))
	if err != nil {
		return err
	}
	defer r.Body.Close()
	return json.NewDecoder(r.Body).Decode(answer)
}

// localCluster starts a cluster on the loopback interface, and waits until it is whole.
func localCluster(t *testing.T) *natsCluster {
	t.Helper()
	c := new(natsCluster)
	for i := range c.nodes {
		c.nodes[i] = natsNode{
			host: "127.0.0.1", client: freePort(t), route: freePort(t), monitor: freePort(t),
		}
	}
	startCluster(t, c, nil)
	conn, err := nats.Connect(c.urls(), nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1), nats.ReconnectWait(50*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	if c.js, err = jetstream.New(conn); err != nil {
		t.Fatal(err)
	}
	await(t, c.lacks)
	return c
}

// A cup that workers play over a cluster, while one of its servers after another is killed and
// started again, as are workers and the coordinator, has the log of a cup that one process plays.
// The next server is killed when all have what the others have.
func TestClusterIsKilled(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	n := localCluster(t)
	c, want := newLeasedCup(t, *clusterMatches, *clusterTurns, "--nats", n.urls())
	began, made := time.Now(), 0
	c.start(*clusterWorkers)
	step := *clusterMatches / (*clusterKills + 2)
	for ; made < *clusterKills && c.awaitRows(step*(made+1)); made++ {
		switch server := made / 3 % len(n.nodes); made % 3 {
		case 0:
			c.killCoordinator()
		case 1:
			n.kill(server)
			c.awaitRows(step*(made+1) + step/2) // the others go on
			n.run(server)
			await(t, n.lacks)
		case 2:
			c.killWorker(made / 3)
		}
		c.awaitRows(c.rows.read() + 1)
	}
	c.finish(want)
	t.Logf("%d matches, %d workers, %d of %d harms before the end, in %v:\n%s",
		*clusterMatches, *clusterWorkers, made, *clusterKills, time.Since(began).Round(
			time.Second), c.said())
}
