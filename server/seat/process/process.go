// Package process starts bots as child processes and tells them where their match is:
// in placeholders of the command, and in the environment.
//
//	{host}      BOT_HOST      host of the server
//	            BOT_PORT      port of the server, where the bot logs in
//	{port}                    the same or, if Bot.Listen is set, a port where the bot
//	                          may listen to be dialled
//	{nickname}  BOT_NICKNAME  name that the bot should give
//	{seed}      BOT_SEED      seed of its random choices
//
// A bot that speaks on its standard input and output gets the last two, and BOT_STDIO=1.
package process

import (
	"cmp"
	"context"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/launch/isolate"
	"github.com/hexarena/hexarena/server/session"
)

// Bot describes a bot that is to be started.
type Bot struct {
	// the command, with placeholders
	Words []string
	// address of this machine, without a port
	Host string
	// where the bot logs in
	Port int
	// where the bot may listen instead; 0: it can only log in
	Listen int
	// at most 10 characters
	Nickname string
	// of its random choices
	Seed uint64
	// of its hash functions; 0: the low half of Seed
	HashSeed uint32
	// the bot logs in on its standard output, and gets no host and port
	Stdio bool
	// additions, as KEY=value, to what bots get of our environment
	Env []string
	// processors that it may use; empty: all
	Cores []int
	// that it runs in, without our environment, closed when it has ended; nil: none
	Sandbox *isolate.Sandbox
	// file for all that it prints, overwritten; empty: none
	Log string
	// is handed each line that it prints, in a goroutine of the process's; may be nil
	Line func(string)
	// is told how it ended, after the last line; may be nil
	Ended func(launch.Exit)
	// starts the program; nil: on this machine
	Launch func(launch.Command) (*Process, error)
	// how Listens connects; nil: by the system's network
	Connect func(ctx context.Context, network, address string) (net.Conn, error)
}

// Child is a program that was started, as a [launch.Process] is.
type Child interface {
	PID() int
	Done() <-chan struct{} // closed when the child has ended and nothing is left of it
	Exit() launch.Exit
	CPU() time.Duration // processor time that it has used so far; 0: that cannot be told
	Pin(cores []int)    // has it use only these processors from now on
	Tail() []string
	Stop(grace time.Duration)
}

// Stack makes the bot print where it is, as [launch.Process.Stack] does. It returns nil for a bot
// that is not a process of this machine.
func (p *Process) Stack(language string, last bool) []string {
	if child, ok := p.Child.(*launch.Process); ok {
		return child.Stack(language, last)
	}
	return nil
}

// Note adds a line about the bot to what it prints.
func (p *Process) Note(line string) {
	if child, ok := p.Child.(*launch.Process); ok {
		child.Note(line)
	}
}

// Argv returns the command with its placeholders replaced.
func (b *Bot) Argv() []string {
	port := b.Port
	if b.Listen != 0 {
		port = b.Listen
	}
	placeholders := strings.NewReplacer(
		"{host}", b.Host, "{port}", strconv.Itoa(port), "{nickname}", b.Nickname, "{seed}",
		strconv.FormatUint(b.Seed, 10),
	)
	argv := make([]string, len(b.Words))
	for i, word := range b.Words {
		argv[i] = placeholders.Replace(word)
	}
	return argv
}

// Start starts the bot. The error says that there is no such program, or that its log
// cannot be written.
func (b *Bot) Start() (*Process, error) {
	c, err := b.command()
	start := b.Launch
	if start == nil {
		start = Launch
	}
	if err == nil {
		var p *Process
		if p, err = start(c); err == nil {
			return p, nil
		}
	}
	b.Sandbox.Close()
	return nil, err
}

// command returns what is started.
func (b *Bot) command() (launch.Command, error) {
	env := append([]string{
		"PYTHONUNBUFFERED=1", // else a Python bot that is killed loses its last lines
		// Else Python draws the order of a set of strings in each process, and a bot that iterates over
		// one plays another match.
		"PYTHONHASHSEED=" + strconv.FormatUint(uint64(cmp.Or(b.HashSeed, uint32(b.Seed))), 10),
		"PYTHONFAULTHANDLER=1", // else one that hangs or crashes in a library prints no stack
	}, b.Env...)
	env = append(env, "BOT_NICKNAME="+b.Nickname, "BOT_SEED="+strconv.FormatUint(b.Seed, 10))
	if b.Stdio {
		env = append(env, "BOT_STDIO=1")
	} else {
		env = append(env, "BOT_HOST="+b.Host, "BOT_PORT="+strconv.Itoa(b.Port))
	}
	c := launch.Command{
		Argv: b.Argv(), Env: env, Log: b.Log, Line: b.Line, Ended: b.Ended, Stdio: b.Stdio,
		Cores: b.Cores,
	}
	if b.Sandbox == nil {
		return c, nil
	}
	c.Ended = func(e launch.Exit) {
		b.Sandbox.Close()
		if b.Ended != nil {
			b.Ended(e)
		}
	}
	return b.Sandbox.Command(c)
}

// Launch starts a program on this machine.
func Launch(c launch.Command) (*Process, error) {
	p, err := launch.Start(c)
	if err != nil {
		return nil, err
	}
	one := &Process{Child: p}
	if p.Stdio != nil {
		one.Stdio = &Stdio{In: p.Stdio.In, Out: p.Stdio.Out}
	}
	return one, nil
}

// How long a bot has to end by itself when its match is over, and how long once it was
// told to.
const (
	LeaveTime = 2 * time.Second
	stopTime  = 300 * time.Millisecond
)

// Process is a bot that was started.
type Process struct {
	Child
	Stdio *Stdio // of a bot that speaks there
}

// Stdio holds our ends of a bot's standard input and output, as [launch.Stdio] does.
type Stdio struct {
	In  session.PipeWriter
	Out session.PipeReader
}

// Ended reports whether the process and all that it started are gone.
func (p *Process) Ended() bool {
	select {
	case <-p.Done():
		return true
	default:
		return false
	}
}

// Stop tells the bot to end, kills it if it does not, and returns when it is gone.
func (p *Process) Stop() { p.Child.Stop(stopTime) }

// Dismiss waits until the bot has ended by itself, for 2 s at most and no longer than
// ctx, and then stops it.
func (p *Process) Dismiss(ctx context.Context) {
	timer := time.NewTimer(LeaveTime)
	defer timer.Stop()
	select {
	case <-p.Done():
	case <-timer.C:
	case <-ctx.Done():
	}
	p.Stop()
}
