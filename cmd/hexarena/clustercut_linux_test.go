package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// Sizes of TestClusterIsCut.
var (
	cutMatches = flag.Int("cut", 1000, "matches in TestClusterIsCut")
	cutWorkers = flag.Int("cut-workers", 2, "workers in TestClusterIsCut")
	cutTurns   = flag.Int("cut-turns", 60, "turns of a match in TestClusterIsCut")
	cutRounds  = flag.Int("cut-rounds", 1, "how often each cut is made in TestClusterIsCut")
	// to choose a leader takes up to 9 s
	cutTime = flag.Duration("cut-time", 2*time.Second,
		"how long each cut lasts in TestClusterIsCut")
)

// network is a network of its own with nodes, each in a namespace, and two switches, between which
// there is no connection.
type network struct {
	t      *testing.T
	prefix string
}

// The namespace that has the switches, and their names: nodes that are cut off are at the second
// one.
const (
	hub    = "hub"
	whole  = "whole"
	cutOff = "cut"
)

// newNetwork returns a network of a number of nodes. It skips the test where the rights to make one
// are missing.
func newNetwork(t *testing.T, nodes int) *network {
	t.Helper()
	if _, err := exec.LookPath("ip"); err != nil {
		thorough.Lack(t, "no command ip to make networks")
	}
	n := &network{t: t, prefix: fmt.Sprintf("hexarena%d", os.Getpid())}
	if out, err := exec.Command("ip", "netns", "add", n.name(hub)).CombinedOutput(); err != nil {
		t.Skipf("no rights to make network namespaces: %v %s", err, out)
	}
	t.Cleanup(func() { n.ip("netns del " + n.name(hub)) })
	for _, bridge := range []string{whole, cutOff} {
		if out, err := exec.Command("ip", "-n", n.name(hub), "link", "add", bridge, "type", "bridge").CombinedOutput(); err != nil {
			t.Skipf("no rights to make bridges: %v %s", err, out)
		}
		n.ip(fmt.Sprintf("-n %s link set %s up", n.name(hub), bridge))
	}
	for i := range nodes {
		own := n.name(i)
		n.ip("netns add " + own)
		t.Cleanup(func() { n.ip("netns del " + own) })
		n.ip(fmt.Sprintf("-n %s link add node%d type veth peer name eth0 netns %s", n.name(hub), i, own))
		n.ip(fmt.Sprintf("-n %s link set node%d master %s up", n.name(hub), i, whole))
		n.ip(fmt.Sprintf("-n %s addr add %s/24 dev eth0", own, n.address(i)))
		n.ip(fmt.Sprintf("-n %s link set eth0 up", own))
	}
	return n
}

// name returns the name of a namespace.
func (n *network) name(of any) string { return fmt.Sprint(n.prefix, "-", of) }

// address returns the address of a node.
func (n *network) address(node int) string { return fmt.Sprintf("10.0.0.%d", 1+node) }

// ip runs the command ip.
func (n *network) ip(line string) {
	n.t.Helper()
	if out, err := exec.Command("ip", strings.Fields(line)...).CombinedOutput(); err != nil {
		n.t.Errorf("ip %s: %v %s", line, err, out)
	}
}

// inside returns a command that runs in the namespace of a node.
func (n *network) inside(cmd *exec.Cmd, node int) {
	ip, err := exec.LookPath("ip")
	if err != nil {
		n.t.Error(err)
	}
	cmd.Args = append([]string{ip, "netns", "exec", n.name(node), cmd.Path}, cmd.Args[1:]...)
	cmd.Path = ip // which becomes the command
}

// plug connects nodes with a switch.
func (n *network) plug(bridge string, nodes []int) {
	n.t.Helper()
	for _, i := range nodes {
		n.ip(fmt.Sprintf("-n %s link set node%d master %s", n.name(hub), i, bridge))
	}
}

// A cup that workers play over a cluster, whose network is cut apart and healed again and again,
// has the log of a cup that one process plays.
func TestClusterIsCut(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	servers := new(natsCluster)
	coordinator := len(servers.nodes)
	n := newNetwork(t, coordinator+1+*cutWorkers)
	for i := range servers.nodes {
		servers.nodes[i] = natsNode{host: n.address(i), client: 4222, route: 6222, monitor: 8222}
	}
	startCluster(t, servers, n.inside)
	c, want := newLeasedCup(t, *cutMatches, *cutTurns, "--nats", servers.urls())
	c.inside = func(cmd *exec.Cmd, node int) { n.inside(cmd, coordinator+node) }
	began, made := time.Now(), 0
	c.start(*cutWorkers)
	cuts := []struct {
		what  string
		nodes []int // of one side
	}{
		{"most servers", []int{1, 2}},
		{"a server", []int{0}},
		{"the coordinator", []int{coordinator}},
		{"a worker", []int{coordinator + firstWorker}},
		{"the coordinator with a server", []int{coordinator, 0}},
	}
	all := *cutRounds * len(cuts)
	for ; made < all && c.awaitRows(*cutMatches/(all+2)*(made+1)); made++ {
		cut := cuts[made%len(cuts)]
		n.plug(cutOff, cut.nodes)
		time.Sleep(*cutTime) // the length of the cut, during which others play on
		n.plug(whole, cut.nodes)
		rows := c.rows.read()
		c.awaitRows(rows + 1)
		t.Logf("%v: without %s the log came to %d rows, and goes on",
			time.Since(began).Round(time.Second), cut.what, rows)
	}
	c.finish(want)
	t.Logf("%d matches, %d workers, %d of %d cuts before the end, in %v:\n%s",
		*cutMatches, *cutWorkers, made, all, time.Since(began).Round(time.Second), c.said())
}
