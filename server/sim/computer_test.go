package sim

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/machine/origin"
	"github.com/hexarena/hexarena/server/seat/process"
)

// computer stands for the machine on which a generation of the server starts bots. It implements
// seating.System.
type computer struct {
	*generation
	plan *plan

	mu       sync.Mutex
	starts   map[string]int // of programs, by the names of their bots
	children []*child
	ports    int // that were given to listeners
}

// bot returns the name of the bot that a command starts: that of its actors, without a number.
func (c *computer) bot(words []string) string { return words[0] + words[1] + c.name }

var errNoProgram = errors.New("there is no such program")

// Launch implements seating.System.
func (c *computer) Launch(command launch.Command) (*process.Process, error) {
	if c.gone() {
		return nil, errCrashed
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.starts == nil {
		c.starts = map[string]int{}
	}
	bot := c.bot(command.Argv)
	c.starts[bot]++
	name := fmt.Sprintf("%s#%d", bot, c.starts[bot])
	one := &child{
		computer: c, pid: c.pidOf(command.Argv, c.starts[bot]), name: name, bot: bot,
		done:    make(chan struct{}),
		command: command, signals: c.scheduler.source(name + " signals"),
		grace: c.rand(name + " signals"),
	}
	if strings.HasPrefix(name, "missing") && c.starts[bot]%2 == 1 {
		return nil, errNoProgram
	}
	for _, other := range c.children {
		if other.bot == bot && !other.isOver() {
			c.violate("%s is started although %s runs", name, other)
		}
	}
	p := &process.Process{Child: one}
	if command.Stdio {
		if p.Stdio = one.pipe(); p.Stdio == nil {
			return nil, errCrashed
		}
	}
	c.children = append(c.children, one)
	c.act(name, one.live)
	return p, nil
}

// mostStarts is more than a bot is started in a generation.
const mostStarts = 100

// pidOf returns the id of a process, which no other one in the world has. It does not depend on the
// order in which bots are started at the same instant.
func (c *computer) pidOf(words []string, start int) int {
	i, err := strconv.Atoi(words[1])
	if err != nil {
		panic(err)
	}
	return (c.number*len(c.plan.started)+i)*mostStarts + start
}

// firstPort is the first port that is given to a listener.
const firstPort = 20000

// Listen implements seating.System.
func (c *computer) Listen(string) (net.Listener, error) {
	port, _ := c.FreePort("")
	return c.listener.beside(c.net.open(address(fmt.Sprintf("10.0.0.1:%d", port)), quality{})), nil
}

// FreePort implements seating.System.
func (c *computer) FreePort(string) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ports++
	return firstPort + c.ports, nil
}

// Traces implements seating.System.
func (c *computer) Traces(uint16) bool { return c.plan.traced }

// Find implements seating.System.
func (c *computer) Find(peer netip.AddrPort, _ uint16, roots []int) (int, error) {
	name := c.guestAt(peer.String())
	c.mu.Lock()
	defer c.mu.Unlock()
	at := slices.IndexFunc(c.children, func(one *child) bool { return one.name == name })
	if at < 0 {
		return origin.Unknown, nil
	}
	return slices.Index(roots, c.children[at].pid), nil // -1 is origin.Unknown
}

// crash ends all children, since their supervisor has ended or the power has failed.
func (c *computer) crash() {
	c.mu.Lock()
	children := slices.Clone(c.children)
	c.mu.Unlock()
	for _, one := range children {
		one.die(launch.Exit{Code: -1, Signal: "SIGKILL"})
	}
}

// running returns the children that have not ended.
func (c *computer) running() (list []*child) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range c.children {
		if !one.isOver() {
			list = append(list, one)
		}
	}
	return list
}

// processOf returns the newest process of a bot, or nil.
func (c *computer) processOf(bot string) *child {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range slices.Backward(c.children) {
		if one.bot == bot {
			return one
		}
	}
	return nil
}

// botAt returns the name of the started bot whose process has a connection from an address, or "".
func (c *computer) botAt(remote string) string {
	name := c.guestAt(remote)
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range c.children {
		if one.name == name {
			return one.bot
		}
	}
	return ""
}

// environment returns the variables of a command.
func environment(command *launch.Command) map[string]string {
	return maps.Collect(func(yield func(string, string) bool) {
		for _, entry := range slices.Backward(command.Env) {
			if name, value, _ := strings.Cut(entry, "="); !yield(name, value) {
				return
			}
		}
	})
}
