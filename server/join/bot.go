package join

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/launch/build"
	"github.com/hexarena/hexarena/server/machine/netconn"
	"github.com/hexarena/hexarena/server/seat/process"
	"github.com/hexarena/hexarena/server/session"
)

// readTime is the time that a bot may take to read what it is sent.
const readTime = 10 * time.Second

// bot is a process of the bot, with the connection on which it plays.
type bot struct {
	proc     *process.Process // nil until it was started
	conn     session.Conn     // nil while it has none
	stay     bool             // it plays one match after another
	loggedIn bool             // it has sent a LOGIN on its connection
	greeted  bool             // it has its LOGIN_ACK
	playing  bool             // it has the GAME_STARTS of the match
	asked    int              // number of the TURN that it is to answer; -1: none
	late     bool             // it has yet to answer the last TURN of a match that is over
	stale    bool             // its file has changed since it was started
}

// tell sends the bot a message. An error shows when the connection is read.
func (b *bot) tell(frame []byte) {
	if b.conn == nil {
		return
	}
	_ = b.conn.SetWriteDeadline(time.Now().Add(readTime))
	if _, err := b.conn.Write(frame); err != nil {
		_ = b.conn.Close()
	}
}

// forward sends the bot a message of the server.
func (b *bot) forward(content []byte) {
	frame := append(netorcai.BeginFrame(nil), content...)
	if n := len(frame); frame[n-1] == '\n' {
		frame = frame[:n-1]
	}
	if frame, err := netorcai.EndFrame(frame, 0); err == nil {
		b.tell(frame)
	}
}

// farewell tells the bot why it plays no longer.
func (b *bot) farewell(reason string) {
	b.tell(netorcai.AppendKick(nil, reason))
	if b.conn != nil {
		_ = b.conn.CloseWrite()
	}
}

// hangUp closes the bot's connection.
func (b *bot) hangUp() {
	if b.conn != nil {
		_ = b.conn.Close()
		b.conn = nil
	}
}

// listen opens the port that bots connect to: the usual one or, if that is taken, any that is free.
func listen(port int) (net.Listener, error) {
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		l, err = net.Listen("tcp", "127.0.0.1:0")
	}
	return l, err
}

// startBot starts the bot, after building it if it has to be.
func (r *relay) startBot() {
	b := &bot{asked: -1}
	r.bot = b
	r.spawn(func() {
		proc, err := r.launch()
		if err != nil {
			r.post(func() error { return r.unstartable(b, err) })
			return
		}
		started := r.post(func() error { r.started(b, proc); return nil })
		if !started {
			proc.Stop()
		}
		<-proc.Done()
		r.post(func() error { return r.ended(b) })
	})
}

// started notes that the bot's process runs. The bot may have been dismissed meanwhile.
func (r *relay) started(b *bot, proc *process.Process) {
	if b.proc = proc; r.bot != b {
		r.spawn(proc.Stop)
		return
	}
	if r.opts.Seat.Stdio {
		r.connected(session.OverStdio(proc.Stdio.Out, proc.Stdio.In, "standard input and output"))
	}
}

// launch builds the bot if it has to be, and starts it.
func (r *relay) launch() (*process.Process, error) {
	words, err := build.Command(r.ctx, r.opts.Seat.Argv, func(what string) { r.say("%s", what) })
	if err != nil {
		return nil, err
	}
	started := process.Bot{
		Words: words, Host: "127.0.0.1", Port: int(netconn.AddrPort(r.listener.Addr()).Port()),
		Nickname: r.opts.nickname(), Seed: uint64(rand.Uint32()), Stdio: r.opts.Seat.Stdio,
		Env:  r.opts.Env,
		Line: func(line string) { r.opts.Print("| " + line) },
	}
	return started.Start()
}

// nickname returns what the bot is told to call itself.
func (o *Options) nickname() string {
	if o.Nickname != "" {
		return o.Nickname
	}
	return o.Seat.Nickname()
}

// digest returns a digest of the bot's files, or an empty string if they cannot be read.
func (o *Options) digest() string {
	sum := sha256.New()
	for _, name := range o.Seat.Sources() {
		text, err := os.ReadFile(name)
		if err != nil {
			return ""
		}
		sum.Write(text)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8]) // as long as the kits have it
}

// accept takes the connections of bots in until the listener is closed.
func (r *relay) accept() {
	for {
		conn, err := r.listener.Accept()
		if err != nil {
			return
		}
		wire := session.OverTCP(conn)
		if !r.post(func() error { r.connected(wire); return nil }) {
			_ = wire.Close()
		}
	}
}

const kickBusy = "LOGIN denied: hexarena join relays the one bot that it has started, which is " +
	"connected already or has ended"

// connected takes the bot's connection in.
func (r *relay) connected(conn session.Conn) {
	b := r.bot
	if b == nil || b.conn != nil {
		_, _ = conn.Write(netorcai.AppendKick(nil, kickBusy))
		_ = conn.Close()
		return
	}
	b.conn, b.loggedIn, b.greeted, b.playing, b.asked, b.late = conn, false, false, false, -1, false
	r.spawn(func() {
		defer context.AfterFunc(r.ctx, func() { _ = conn.Close() })()
		for limit := netorcai.FirstLimit; ; limit = netorcai.Limit {
			content, err := conn.ReadMessage(nil, limit, grow)
			if err != nil {
				r.post(func() error { r.hungUp(b, conn); return nil })
				return
			}
			if !r.post(func() error { return r.heardBot(b, conn, content) }) {
				return
			}
		}
	})
}

// grow is a session.Grow without a limit: bots of this machine need none.
func grow(buf []byte,
	n int,
) ([]byte, error) {
	return append(buf, make([]byte, n)...)[:len(buf)], nil
}

// hungUp notes that the bot has closed its connection. It may connect again.
func (r *relay) hungUp(b *bot, conn session.Conn) {
	if b.conn == conn {
		b.hangUp()
	}
}

// dismiss ends the bot, which reads the reason first and has a moment to end by itself, and then
// starts it again.
func (r *relay) dismiss(reason string) {
	b := r.bot
	r.bot = nil
	if b.proc == nil { // see started
		r.startBot()
		return
	}
	r.dismissing = true
	r.letGo(b, reason, func() {
		r.dismissing = false
		r.startBot()
	})
}

// letGo ends a bot that plays no longer, and has next called afterwards.
func (r *relay) letGo(b *bot, reason string, next func()) {
	b.farewell(reason)
	r.leaving.Add(1)
	r.spawn(func() {
		func() {
			defer r.leaving.Done()
			b.proc.Dismiss(r.parent)
		}()
		r.post(func() error {
			b.hangUp()
			next()
			return nil
		})
	})
}
