// Package rerun lets a bot play a recorded match again: it is shown every board
// that the player in one seat was shown, as a server would show it, whatever it
// answers, and its answers are held against the recorded ones. That makes of a
// recording a regression test for a bot.
//
// [Run] starts the bot's process, and returns when that is gone.
package rerun

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"slices"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/seat/process"
	"github.com/hexarena/hexarena/server/session"
)

// Options say what to run and how.
type Options struct {
	Path         string // the recording
	Games        recording.Games
	Seat         int      // the id of the player
	Argv         []string // the bot, in which {host}, {port}, {nickname} and {seed} are replaced
	Stdio        bool     // the bot speaks on its standard input and output
	Log          string   // file for what it prints; empty: none
	StartTimeout time.Duration
	TurnTimeout  time.Duration         // 0: none
	Progress     func(step, turns int) // may be nil
}

// Report is what came of it.
type Report struct {
	Answers     int          // that the bot gave
	Compared    int          // of these, to a recorded one
	Differences []Difference // the first MaxDifferences
	Differing   int          // all of them
	Took        []time.Duration
	Elapsed     time.Duration // for all turns
}

// MaxDifferences is how many differences a report holds.
const MaxDifferences = 100

// Difference is an answer that is not the recorded one.
type Difference struct {
	Turn     int    // the number of the TURN
	Recorded string // JSON
	Answered string
}

// BotError is a bot that did not hold out.
type BotError struct {
	Err  error
	Tail []string // what it printed last
}

func (e *BotError) Error() string { return e.Err.Error() }
func (e *BotError) Unwrap() error { return e.Err }

// hangUpTime is how long the bot has to hang up after the last message.
const hangUpTime = time.Second

// run is one bot playing one recording.
type run struct {
	Options
	recorded map[int][]byte // the answers, by TURN
	conn     session.Conn
	content  []byte // of the last message received
	out      []byte
	report   Report
}

// Run plays the recording to its end, be it cut. The error is the recording's,
// the context's, or a [*BotError].
func Run(ctx context.Context, o Options) (*Report, error) {
	r := &run{Options: o}
	file, err := recording.Open(o.Path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if err := CheckSeat(file.Header(), o.Seat); err != nil {
		return nil, fmt.Errorf("seat: %w", err)
	}
	if r.recorded, err = recordedAnswers(ctx, o); err != nil {
		return nil, err
	}
	p, err := recording.NewReplay(file, o.Games)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Path, err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("cannot listen: %w", err)
	}
	defer listener.Close()
	bot, err := r.start(listener.Addr().(*net.TCPAddr), &file.Header().Seats[o.Seat])
	if err != nil {
		return nil, err
	}
	err = r.play(ctx, p, listener.(*net.TCPListener), bot)
	r.dismiss(ctx, bot, err)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, errBot):
		if e := bot.Exit(); !e.Stopped {
			err = fmt.Errorf("%w; it ended with %s", err, e)
		}
		return nil, &BotError{err, bot.Tail()}
	case err != nil:
		return nil, fmt.Errorf("%s: %w", o.Path, err)
	}
	return &r.report, nil
}

// errBot is in the errors that are the bot's.
var errBot = errors.New("the bot failed")

// recordedAnswers reads what the player answered to each TURN, as far as the recording
// has it whole.
func recordedAnswers(ctx context.Context, o Options) (map[int][]byte, error) {
	file, err := recording.Open(o.Path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	answers := map[int][]byte{}
	for t, err := range file.Turns() {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.Path, err)
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		for i := range t.Inputs {
			if in := &t.Inputs[i]; in.Player == engine.PlayerID(o.Seat) && in.Lapse == engine.Answered && in.Abridged.Bytes == 0 {
				answers[in.Input.Turn] = plainJSON(in.Actions)
			}
		}
	}
	return answers, nil
}

// plainJSON is a copy of a JSON text without white space; what is no JSON stays
// as it is.
func plainJSON(text []byte) []byte {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return bytes.Clone(text)
	}
	return b.Bytes()
}

func (r *run) start(addr *net.TCPAddr, seat *recording.Seat) (*process.Process, error) {
	bot := process.Bot{
		Words: r.Argv, Stdio: r.Stdio, Host: addr.IP.String(), Port: addr.Port, Nickname: seat.Nickname, Seed: seat.Seed, Log: r.Log,
	}
	return bot.Start()
}

// dismiss waits for the bot to end; after an error of the recording it is stopped at once.
func (r *run) dismiss(ctx context.Context, bot *process.Process, err error) {
	if r.conn != nil {
		_ = r.conn.Close()
	}
	if err == nil || errors.Is(err, net.ErrClosed) || errors.Is(err, io.EOF) {
		bot.Dismiss(ctx)
		return
	}
	bot.Stop()
}

// play seats the bot and shows it the boards.
func (r *run) play(ctx context.Context, p *recording.Replay, listener *net.TCPListener, bot *process.Process) error {
	header := p.Reader().Header()
	if r.Stdio {
		r.conn = session.OverStdio(bot.Stdio.Out, bot.Stdio.In, "bot")
	} else if err := r.accept(ctx, listener, bot); err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = r.conn.Close() })()
	if err := r.login(header.Seats[r.Seat].Special); err != nil {
		return err
	}
	begun := time.Now()
	ended := false
	for t, err := range p.Turns() {
		if err != nil {
			return err
		}
		ended = t.Step > 0 && isLast(p, t)
		if r.out, err = AppendMessage(r.out[:0], p, t, engine.PlayerID(r.Seat)); err != nil {
			return err
		}
		if err := r.send(); err != nil {
			return err
		}
		if t.Step == 0 || ended {
			continue
		}
		if err := r.answer(t.Step - 1); err != nil {
			return err
		}
		if r.Progress != nil {
			r.Progress(t.Step, header.Turns)
		}
	}
	r.report.Elapsed = time.Since(begun)
	return r.farewell(p, ended)
}

// accept waits for the bot to connect.
func (r *run) accept(ctx context.Context, listener *net.TCPListener, bot *process.Process) error {
	accepted := make(chan struct{})
	defer close(accepted)
	go func() {
		select {
		case <-bot.Done():
		case <-ctx.Done():
		case <-accepted:
			return
		}
		_ = listener.Close()
	}()
	_ = listener.SetDeadline(time.Now().Add(r.StartTimeout))
	conn, err := listener.Accept()
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("%w: no login within %v", errBot, r.StartTimeout)
	case err != nil:
		return fmt.Errorf("%w before it had logged in", errBot)
	}
	r.conn = session.OverTCP(conn)
	return nil
}

// login waits for the bot's LOGIN, and answers it.
func (r *run) login(special bool) error {
	r.setDeadline(r.StartTimeout)
	if err := r.read(netorcai.FirstLimit); err != nil {
		return fmt.Errorf("%w: no LOGIN: %w", errBot, err)
	}
	login, err := netorcai.ParseLogin(r.content)
	if err != nil {
		return fmt.Errorf("%w: %w", errBot, err)
	}
	want := netorcai.RolePlayer
	if special {
		want = netorcai.RoleSpecialPlayer
	}
	if login.Role != want {
		return fmt.Errorf("%w: it logs in as %s, and the seat was that of a %s", errBot, login.Role, want)
	}
	r.out = netorcai.AppendLoginAck(r.out[:0])
	return r.send()
}

func (r *run) send() error {
	r.setDeadline(r.TurnTimeout)
	if _, err := r.conn.Write(r.out); err != nil {
		return fmt.Errorf("%w: it does not read: %w", errBot, err)
	}
	return nil
}

// setDeadline limits the time for what is written and read next; 0: no limit.
func (r *run) setDeadline(limit time.Duration) {
	deadline := time.Time{}
	if limit > 0 {
		deadline = time.Now().Add(limit)
	}
	_ = r.conn.SetReadDeadline(deadline)
	_ = r.conn.SetWriteDeadline(deadline)
}

// read reads a message of at most limit bytes.
func (r *run) read(limit int) (err error) {
	r.content, err = r.conn.ReadMessage(r.content, limit, func(buf []byte, n int) ([]byte, error) { return slices.Grow(buf, n), nil })
	return err
}

// answer waits for the answer to a TURN that was sent, and compares it.
func (r *run) answer(turn int) error {
	asked := time.Now()
	if err := r.read(netorcai.Limit); err != nil {
		return fmt.Errorf("%w: no answer to TURN %d: %w", errBot, turn, err)
	}
	r.report.Took = append(r.report.Took, time.Since(asked))
	ack, err := netorcai.ParseTurnAck(r.content, turn)
	if err != nil {
		return fmt.Errorf("%w: its answer to TURN %d: %s", errBot, turn, netorcai.TurnAckReason(err))
	}
	r.report.Answers++
	recorded, there := r.recorded[turn]
	if !there {
		return nil
	}
	r.report.Compared++
	answered := plainJSON(ack.Actions)
	if bytes.Equal(recorded, answered) {
		return nil
	}
	r.report.Differing++
	if len(r.report.Differences) < MaxDifferences {
		r.report.Differences = append(r.report.Differences, Difference{turn, string(recorded), string(answered)})
	}
	return nil
}

// farewell tells the bot that the match is over, also where the recording was
// cut, and waits for it to hang up: who closes first resets the connection under
// the last words.
func (r *run) farewell(p *recording.Replay, ended bool) error {
	var err error
	r.out = r.out[:0]
	if !ended {
		if r.out, err = netorcai.AppendGameEnds(r.out, int(p.Result().Winner), p.State()); err != nil {
			return err
		}
	}
	r.out = netorcai.AppendKick(r.out, "Game is finished")
	if _, err := r.conn.Write(r.out); err != nil {
		return nil // it has left already
	}
	_ = r.conn.CloseWrite()
	_ = r.conn.SetReadDeadline(time.Now().Add(hangUpTime))
	_, _ = r.conn.Discard(math.MaxInt64)
	return nil
}
