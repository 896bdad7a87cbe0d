package sim

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/seat/process"
)

// child stands for a process that the server has started: a bot that logs in and plays, which may
// end early, with an error or not, never log in, ignore that it is to end, or print a lot. It
// implements process.Child.
type child struct {
	*computer
	pid     int
	name    string // of its actor, which begins with its conduct
	bot     string // of all that is started for the same seat
	command launch.Command
	done    chan struct{}
	signals *emitter
	grace   *rand.Rand // draws when it ends that is told to

	mu      sync.Mutex // guards all below
	stopped bool
	over    bool
	exit    launch.Exit
	printed []string
	left    int   // answers before it crashes
	conn    *Conn // nil: none so far
	stays   bool  // it asks to stay between matches
}

// String implements fmt.Stringer.
func (c *child) String() string { return c.name }

// live is what the process does.
func (c *child) live(a *actor) {
	conduct, _, _ := strings.Cut(c.command.Argv[0], " ")
	if conduct == "unsteady" { // it is another one at each start
		conduct = []string{"early", "never", "honest", "honest"}[a.rng.IntN(4)]
	}
	a.sleep(between(a.rng, 0, time.Second))
	c.print(a, a.rng.IntN(4))
	switch conduct {
	case "early":
		c.print(a, 300)
		c.die(launch.Exit{Code: a.rng.IntN(3)})
		return
	case "never":
		for range 100 {
			if a.sleep(between(a.rng, 0, time.Second)); c.isOver() {
				return
			}
			c.print(a, 10)
		}
	default:
		if c.play(a, conduct) {
			return
		}
	}
	c.die(launch.Exit{Code: 0})
}

// play takes part in the match for which the process was started. It returns true if the process
// has ended.
func (c *child) play(a *actor, conduct string) (over bool) {
	env := environment(&c.command)
	g := c.plan.guest("player", conduct, "10.0.11."+c.command.Argv[1], c.rand(a.name+" link"))
	g.actor, g.nickname, g.web = a, env["BOT_NICKNAME"], false
	g.stays = c.plan.staying > 0 && !chance(a.rng, 4)
	// on the same machine
	g.quality = quality{least: 10 * time.Microsecond, most: 100 * time.Microsecond, window: 64 << 10}
	if c.left = 1000; conduct == "crashing" {
		c.left = a.rng.IntN(8)
	}
	g.process = c
	c.mu.Lock()
	c.stays = g.stays
	c.mu.Unlock()
	if c.command.Stdio {
		g.visit(&client{actor: a, conn: c.conn, in: bufio.NewReader(c.conn)}, c.generation)
		_ = c.conn.Close()
	} else {
		c.connect(a, g, address(env["BOT_HOST"]+":"+env["BOT_PORT"]))
	}
	if conduct == "stubborn" {
		a.sleep(between(a.rng, 0, time.Minute))
	}
	return c.isOver()
}

// connect plays over connections of the process, one after another if it is one that leaves.
func (c *child) connect(a *actor, g *guest, to address) {
	for range 3 {
		conn, err := a.connectTo(g.host, to, g.quality)
		if err != nil || !c.use(conn.conn) {
			return
		}
		g.visit(conn, c.generation)
		_ = conn.conn.Close()
		if g.over || g.conduct != "leaving" || c.isOver() {
			return
		}
	}
}

// pipe gives the process a standard input and output, and returns the server's ends, nil if the
// server has crashed.
func (c *child) pipe() *process.Stdio {
	at := address(fmt.Sprintf("process %d (stdio)", c.pid))
	rng := c.rand(c.name + " pipes")
	q := quality{
		least: 10 * time.Microsecond, most: 100 * time.Microsecond, window: 256 << rng.IntN(9),
		split: rng.IntN(5),
	}
	near, far := newLink(c.World, c.name+" pipes", at, serverAddress, q)
	near.pipes, far.dead = true, c.listener.dead
	c.conn = near
	c.meet(string(at), c.name)
	if !c.listener.adopt(far) {
		return nil
	}
	return &process.Stdio{In: standardInput{far}, Out: far}
}

// standardInput is the server's end of the standard input of a process, which can be closed alone.
type standardInput struct{ *Conn }

// Close implements session.PipeWriter.
func (p standardInput) Close() error { return p.CloseWrite() }

// mayStay reports whether the process has asked to stay between matches.
func (c *child) mayStay() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stays
}

// hungUp reports whether the server could know that the process has closed its connection.
func (c *child) hungUp() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.conn.wasGone()
}

// goesOn reports whether the process goes on before it answers a TURN.
func (c *child) goesOn(a *actor) bool {
	c.print(a, a.rng.IntN(3))
	if c.left--; c.left < 0 {
		a.note("crashes")
		c.die(launch.Exit{Code: -1, Signal: "SIGSEGV"})
	}
	return !c.isOver()
}

// use notes the connection of the process. It returns false if the process has ended.
func (c *child) use(conn *Conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conn = conn
	if c.over {
		_ = conn.Close()
	}
	return !c.over
}

// print prints lines.
func (c *child) print(a *actor, lines int) {
	for i := range lines {
		line := fmt.Sprintf("line %d at %v", i, time.Since(a.history.start))
		c.mu.Lock()
		c.printed = append(c.printed, line)
		c.mu.Unlock()
		if c.command.Line != nil && !c.isOver() {
			c.command.Line(line)
		}
	}
}

// die ends the process, once.
func (c *child) die(exit launch.Exit) {
	c.mu.Lock()
	conn, again := c.conn, c.over
	exit.Stopped = c.stopped
	if !again {
		c.over, c.exit = true, exit
	}
	c.mu.Unlock()
	if again {
		return
	}
	if conn != nil {
		_ = conn.Close()
	}
	if c.command.Ended != nil {
		c.command.Ended(exit)
	}
	close(c.done)
}

func (c *child) isOver() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.over
}

// PID implements process.Child.
func (c *child) PID() int { return c.pid }

// Done implements process.Child.
func (c *child) Done() <-chan struct{} { return c.done }

// Exit implements process.Child.
func (c *child) Exit() launch.Exit {
	<-c.done
	return c.exit
}

// CPU implements process.Child.
func (c *child) CPU() time.Duration { return 0 }

// Pin implements process.Child.
func (c *child) Pin([]int) {}

// Tail implements process.Child.
func (c *child) Tail() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.printed[max(0, len(c.printed)-10):]
}

// Stop implements process.Child.
func (c *child) Stop(grace time.Duration) {
	c.mu.Lock()
	c.stopped = true
	if !c.over {
		exit, after := launch.Exit{Code: -1, Signal: "SIGKILL"}, grace
		if grace > 0 && !strings.HasPrefix(c.name, "stubborn") {
			exit, after = launch.Exit{Code: 1}, between(c.grace, 0, grace)
		}
		c.signals.at(time.Now().Add(after), func() { c.die(exit) })
	}
	c.mu.Unlock()
	<-c.done
}
