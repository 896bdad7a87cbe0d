package join

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/machine/wsconn"
	"github.com/hexarena/hexarena/server/session"
)

const (
	// reconnectTime is the time that a connection that broke is opened again: twice the time for which
	// servers keep a player's seat unless told otherwise, so that a server that is restarted is found
	// again.
	reconnectTime = time.Minute
	// comebackTime is the same for a bot with a token, by which a server knows it after hours: a
	// laptop sleeps, and the host of an event starts again. An event's day is not much longer.
	comebackTime = 12 * time.Hour
	// reconnectPause is the shortest time between two attempts, which grows with the absence.
	reconnectPause = time.Second
	longestPause   = 15 * time.Second
	// waitNotice is the time that a bot waits for a match before its user is told for what.
	waitNotice = 2 * time.Second
)

// Errors that say what to do have one of these as their cause.
var (
	// ErrUnreachable is why there is no connection to the server.
	ErrUnreachable = errors.New("the server cannot be reached")
	// ErrDenied is why the server does not let the bot in: its token is missing or wrong.
	ErrDenied = errors.New("the server does not accept the token")
	// ErrNoSeat is why the bot has played no match.
	ErrNoSeat = errors.New("no seat is free")
)

// errOver says that the server has no more matches.
var errOver = errors.New("the server has no more matches")

// connect opens a connection to the server and logs in. If one broke, it tries for a while.
func (r *relay) connect() {
	if r.connecting {
		return
	}
	r.connecting = true
	lost := r.lost
	if lost.IsZero() && r.admittedOnce {
		lost = time.Now() // the server was there a moment ago
	}
	patience := r.patience()
	r.spawn(func() {
		l, err := dialUntil(r.ctx, r.opts.Address, lost, patience)
		posted := r.post(func() error {
			r.connecting = false
			if err != nil {
				return err
			}
			r.logIn(l)
			return nil
		})
		if !posted && l != nil {
			_ = l.Close()
		}
	})
}

// patience returns how long a connection that broke is opened again.
func (r *relay) patience() time.Duration {
	if r.login.Token != "" {
		return comebackTime
	}
	return reconnectTime
}

// dialUntil opens a connection, within patience since the last one was lost; zero stands for one
// attempt.
func dialUntil(
	ctx context.Context, at Address, lost time.Time, patience time.Duration,
) (*link, error) {
	for {
		l, err := dial(ctx, at)
		switch {
		case err == nil:
			return l, nil
		case lost.IsZero():
			return nil, unreachable(at, err)
		case time.Since(lost) > patience:
			return nil, fmt.Errorf("%w any more: no connection to %s for %v (%v); join again when it is "+
				"back",
				ErrUnreachable, at, patience, err)
		}
		if pause(ctx, pauseSince(lost)) != nil {
			return nil, context.Cause(ctx)
		}
	}
}

// pauseSince returns the time until the next attempt to reconnect after a connection was lost.
func pauseSince(lost time.Time) time.Duration {
	return min(max(reconnectPause, time.Since(lost)/8), longestPause)
}

// unreachable returns the error of a server that does not answer, or that opens no connection.
func unreachable(at Address, err error) error {
	if errors.Is(err, wsconn.ErrAnswers) {
		return fmt.Errorf("no match to join at %s: %w; copy the address from the page of a match", at, err)
	}
	return fmt.Errorf(
		"%w: %v; look whether a browser on this machine shows %s, and copy the address from there",
		ErrUnreachable, err, at)
}

// pause waits for a while, or returns why ctx has ended.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// logIn sends the LOGIN over a new connection and reads from it until it ends.
func (r *relay) logIn(l *link) {
	r.link = l
	frame, err := netorcai.AppendLogin(nil, r.login)
	if err != nil { // the bot's fields fit a first message, and a token of the command line does
		_ = l.Close()
		return
	}
	reading, stop := context.WithCancel(r.ctx)
	r.spawn(func() { l.ping(reading) })
	r.spawn(func() {
		defer stop()
		defer l.Close()
		err := l.read(func(content []byte) {
			r.post(func() error {
				if r.link != l {
					return nil
				}
				return r.received(content)
			})
		})
		r.post(func() error { r.broken(l, err); return nil })
	})
	l.send(frame[frameHead:])
}

// admitted handles that the server has accepted the LOGIN.
func (r *relay) admitted() {
	l := r.link
	l.loggedIn = true
	switch {
	case !r.lost.IsZero():
		r.say("The connection is back.")
		r.lost = time.Time{}
	case !r.admittedOnce:
		r.say("Logged in at %s as %s.", r.opts.Address, r.login.Nickname)
	}
	r.admittedOnce = true
	r.greet(r.bot)
	r.spawn(func() {
		if pause(r.ctx, waitNotice) != nil {
			return
		}
		r.post(func() error {
			if r.link == l && r.match == nil && !l.seated {
				r.spawn(func() { r.explainWait() })
			}
			return nil
		})
	})
}

// leave ends the connection, because another one is to be opened.
func (r *relay) leave() {
	if r.link != nil {
		_ = r.link.Close()
		r.link = nil
	}
}

// leaveReported closes the connection to the server once the results of matches that are over have
// been printed.
func (r *relay) leaveReported() {
	l := r.link
	r.link = nil
	r.spawn(func() {
		r.reports.Wait()
		_ = l.Close()
	})
}

// broken handles that a connection has ended without a KICK. The bot does not notice.
func (r *relay) broken(l *link, err error) {
	if r.link != l {
		return
	}
	r.link = nil
	if r.lost.IsZero() {
		r.lost = time.Now()
		r.say("The connection broke (%v); trying again for %v.", err, r.patience())
	}
	r.connect()
}

// stopped handles that the server is stopped, and may be started again.
func (r *relay) stopped() {
	if r.lost.IsZero() {
		r.lost = time.Now()
		r.say("The server was stopped; trying again for %v.", r.patience())
	}
	r.connectLater()
}

// connectLater connects after a pause.
func (r *relay) connectLater() {
	lost := r.lost
	r.spawn(func() {
		if pause(r.ctx, pauseSince(lost)) == nil {
			r.post(func() error { r.connect(); return nil })
		}
	})
}

// kicked handles a KICK.
func (r *relay) kicked(content []byte) error {
	reason, err := netorcai.ParseKick(content)
	if err != nil {
		return fmt.Errorf("the server sent a KICK that cannot be read: %w", err)
	}
	r.leaveReported()
	switch {
	case reason == netorcai.KickStarted && !r.lost.IsZero() && time.Since(r.lost) < reconnectTime:
		r.connectLater() // the server may not have noticed yet that the old connection broke
		return nil
	case reason == netorcai.KickAbort && r.login.Token != "" && r.admittedOnce:
		r.stopped()
		return nil
	}
	r.reason = reason
	if r.match != nil && faulty(reason) {
		r.say(
			"The server kicked the bot: %s. It is started again; hexarena check says what it does wrong.",
			reason)
		r.match = nil
		if b := r.bot; b != nil && b.proc != nil {
			r.bot, r.dismissing = nil, true
			r.letGo(b, reason, func() {
				r.dismissing = false
				r.restartLater()
			})
		}
		return nil
	}
	return r.outcome(reason)
}

// faulty reports whether a KICK is for a mistake in the bot's answers.
func faulty(reason string) bool {
	return reason == netorcai.KickNotThinking || strings.Contains(reason, "TURN_ACK")
}

// outcome returns the error for a KICK that ends the session.
func (r *relay) outcome(reason string) error {
	switch {
	case reason == netorcai.KickFinished && r.played:
		return errOver
	case reason == netorcai.KickFinished, reason == netorcai.KickStarted,
		reason == netorcai.KickPlayersFull:
		return fmt.Errorf(
			"%w at %s: its last match is played without this bot (%s); join again when there is another one",
			ErrNoSeat, r.opts.Address, reason)
	case strings.Contains(reason, "token"):
		return fmt.Errorf("%w: %s; copy the address with the token again, or give it by --token",
			ErrDenied, reason)
	case reason == session.KickReplaced:
		return errors.New(
			"another program or browser plays with this token now; join again to take its place")
	case reason == netorcai.KickAbort:
		return fmt.Errorf("%w any more: it was stopped; join again when it is back", ErrUnreachable)
	}
	return fmt.Errorf("the server disconnected the bot: %s", reason)
}
