// Package isolate starts bots apart from this machine: without its network, its files but their
// own, its other processes and the rights of its user, and with limits on memory, processes and
// processors.
//
// A [Runtime] does that with podman or docker. A [Sandbox] is a container that holds one bot. On
// Linux this program runs in the sandbox as its first process, starts the bot there, and forwards
// the bot's connections through a Unix socket to the match, so that the bot needs no network. It
// ends when hexarena does, and all processes in the sandbox with it.
package isolate

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/launch/build"
)

// AutoImage stands for the usual image for the program that runs a bot.
const AutoImage = "auto"

// Options say what isolated bots get.
type Options struct {
	Image  string // root file system with the programs that run bots; see AutoImage
	Memory int    // MiB, with what is written to /tmp
	CPUs   int    // processors' worth of time
}

const (
	// maxTasks bounds the processes and threads of a bot. A JVM on a machine with many cores has a
	// hundred, and a fork bomb stays harmless.
	maxTasks = 256

	// maxFiles is the limit of open files, the usual one of systems.
	maxFiles = 1024

	// tmpSize is the size of /tmp in MiB: a cache or a model fits, and it counts as memory.
	tmpSize = 64

	// Port is where a bot finds its match, at 127.0.0.1: nothing else listens in its sandbox, so
	// that also bots without settings find it.
	Port = 4242

	// Host is the host of Port.
	Host = "127.0.0.1"
)

// Runtime starts sandboxes.
type Runtime struct {
	opts     Options
	program  string // podman or docker, whose command lines agree in what is used here
	version  string
	rootless bool            // it runs with its user's rights
	images   map[string]bool // those that are there
}

// started is what is started in a sandbox.
type started struct {
	content
	env   []string // all variables that it gets beside the image's, as KEY=value
	stdio bool
	// image that is only tried, without a bot; "": the bot is started from the one for its program
	tried string
}

// answerTime bounds how long a container runtime may take to answer.
const answerTime = 20 * time.Second

// Find returns the first of podman and docker that answers and can keep the limits. The error has
// the reasons why neither does. There is no third way, by control groups and namespaces alone:
// docs/decisions/0014.
func Find(ctx context.Context, o Options) (*Runtime, error) {
	var reasons []string
	for _, look := range []func(context.Context) (*Runtime, error){findPodman, findDocker} {
		r, err := look(ctx)
		if err == nil {
			r.opts, r.images = o, map[string]bool{}
			return r, nil
		}
		reasons = append(reasons, err.Error())
	}
	return nil, fmt.Errorf("bots cannot be isolated here: %s; one of them is needed, since control "+
		"groups (cgroups v2) alone hide neither files nor the network from a bot",
		strings.Join(reasons, "; "))
}

// String says what isolates bots and within which limits, such as "podman 5.4.1: 512 MiB, 1 core".
func (r *Runtime) String() string {
	cores := "cores"
	if r.opts.CPUs == 1 {
		cores = "core"
	}
	return fmt.Sprintf("%s %s: %d MiB, %d %s each, no network, no files but their own", r.program,
		r.version, r.opts.Memory, r.opts.CPUs, cores)
}

// Bot is a bot that is to be isolated.
type Bot struct {
	Argv    []string
	Stdio   bool // it speaks on its standard input and output
	Listens bool // it waits to be dialled
	// its files are copied first, apart from those of others; other users can read the copy
	Copied bool
}

// MachineError is an error for which no bot is to blame: this machine lacks what isolates it.
type MachineError struct{ Err error }

func (e MachineError) Error() string { return e.Err.Error() }
func (e MachineError) Unwrap() error { return e.Err }

// Check returns why bots cannot be isolated, nil if they can: their image or their files cannot be
// had, or one would see the files of another.
func (r *Runtime) Check(ctx context.Context, bots []Bot) error {
	var wrong []error
	var together []*content
	for i := range bots {
		b := &bots[i]
		words, err := build.Command(ctx, b.Argv, nil) // what a sandbox gets is the program
		var p *content
		if err == nil {
			p, err = contentOf(words)
		}
		switch {
		case err != nil:
		case b.Listens:
			err = errors.New(
				"a bot that listens at {port} cannot be isolated: have it dial BOT_HOST and BOT_PORT")
		case !b.Stdio && runtime.GOOS != "linux":
			err = MachineError{
				fmt.Errorf("on %s an isolated bot has to speak on its standard input and output: write stdio: "+
					"before the command", runtime.GOOS),
			}
		default:
			err = r.refuse(ctx, p, b.Copied)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", launch.Quote(b.Argv), err))
		} else if !b.Copied {
			together = append(together, p)
		}
	}
	return errors.Join(errors.Join(wrong...), apart(together))
}

// output runs a command of a container runtime and returns what it prints. The error has the last
// line that it printed about what is wrong.
func output(ctx context.Context, argv ...string) (string, error) {
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return "", fmt.Errorf("%s is not installed", argv[0])
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	var out, complaint strings.Builder
	cmd := exec.CommandContext(ctx, path, argv[1:]...)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &complaint, time.Second
	err = cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("%s does not answer within %v", argv[0], answerTime)
	case err != nil:
		lines := strings.Split(strings.TrimSpace(complaint.String()), "\n")
		if last := lines[len(lines)-1]; last != "" {
			err = errors.New(last)
		}
		return "", fmt.Errorf("%s: %w", argv[0], err)
	}
	return strings.TrimSpace(out.String()), nil
}
