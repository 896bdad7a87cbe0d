package isolate

import (
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/machine/filelock"
)

// Sandbox is what one bot is started in.
type Sandbox struct {
	runtime *Runtime
	name    string         // of its container
	private *filelock.Temp // folder that only this user can enter; nil: there are no sockets
	dir     string         // folder in that one, which the sandbox has
	life    *net.UnixListener
	match   *net.UnixListener // nil: the bot speaks on its standard input and output
}

// The sockets in a sandbox's folder. Connections to the first are never accepted: they last as long
// as the sandbox is to.
const (
	lifeSocket  = "life"
	matchSocket = "match"
)

// Open makes a sandbox for a bot that speaks on its standard input and output, or logs in. The
// caller must call Close when the bot has ended.
func (r *Runtime) Open(stdio bool) (_ *Sandbox, err error) {
	s := &Sandbox{runtime: r, name: "hexarena-" + strings.ToLower(rand.Text())}
	// elsewhere containers are on another machine, which has no such sockets
	if runtime.GOOS != "linux" {
		return s, nil
	}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	if s.private, err = filelock.MkdirTemp(); err != nil {
		return nil, err
	}
	s.dir = filepath.Join(s.private.Dir, "s") // short: the name of a socket may have 107 bytes
	if err = os.Mkdir(s.dir, 0o755); err != nil {
		return nil, err
	}
	if err = os.Chmod(s.dir, 0o755); err != nil { // whatever the umask: the bot may be another user
		return nil, err
	}
	if s.life, err = s.listen(lifeSocket); err != nil || stdio {
		return s, err
	}
	s.match, err = s.listen(matchSocket)
	return s, err
}

// listen makes a socket in the sandbox's folder.
func (s *Sandbox) listen(name string) (*net.UnixListener, error) {
	path := filepath.Join(s.dir, name)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("%w; if the name is too long, set TMPDIR to a folder with a shorter one",
			err)
	}
	if err := os.Chmod(path, 0o666); err != nil {
		_ = l.Close()
		return nil, err
	}
	return l, nil
}

// Accept returns the bot's next connection to its match, or an error once the sandbox is closed.
func (s *Sandbox) Accept() (*net.UnixConn, error) {
	if s.match == nil {
		return nil, net.ErrClosed
	}
	return s.match.AcceptUnix()
}

// Close ends what is left in the sandbox, and removes its sockets. Connections that were accepted
// stay. A nil Sandbox has nothing to close.
func (s *Sandbox) Close() {
	if s == nil {
		return
	}
	for _, l := range []*net.UnixListener{s.life, s.match} {
		if l != nil {
			_ = l.Close()
		}
	}
	if s.private != nil {
		s.private.Close()
	}
}

// Command returns a command that runs another one in the sandbox, with no variables of our
// environment but those that Env has.
func (s *Sandbox) Command(c launch.Command) (launch.Command, error) {
	p, err := contentOf(c.Argv)
	if err != nil {
		return c, err
	}
	c.Argv, c.Cleanup, err = s.runtime.command(s, &started{content: *p, env: c.Env, stdio: c.Stdio})
	c.Whole = true // what is started is the runtime, not the bot
	return c, err
}
