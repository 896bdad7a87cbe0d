package sim

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/origin"
	"github.com/hexarena/hexarena/server/seat/process"
)

// computer stands for the machine on which a generation of the server starts bots. It implements
// seating.System.
type computer struct {
	*generation
	plan *plan

	mu       sync.Mutex
	starts   map[string]int // of programs, by the names of their bots
	children []*child       // a child's id is 1 more than its index
	ports    int            // that were given to listeners
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
		computer: c, pid: len(c.children) + 1, name: name, bot: bot, done: make(chan struct{}),
		command: command, signals: c.scheduler.source(name + " signals"), grace: c.rand(name + " signals"),
	}
	if strings.HasPrefix(name, "missing") && c.starts[bot]%2 == 1 {
		return nil, errNoProgram
	}
	c.children = append(c.children, one)
	c.act(name, one.live)
	return &process.Process{Child: one}, nil
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
	for i, pid := range roots {
		if c.children[pid-1].name == name {
			return i, nil
		}
	}
	return origin.Unknown, nil
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

// running returns the names of the children that have not ended.
func (c *computer) running() (names []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range c.children {
		if !one.isOver() {
			names = append(names, one.name)
		}
	}
	return names
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
