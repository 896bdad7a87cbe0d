package check

import (
	"context"
	"errors"
	"io"
	"strconv"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// moment says where in a match the bot is.
func (t *talk) moment() string {
	switch {
	case t.table == nil:
		return "before it had logged in"
	case t.match == 0:
		return "before the match started"
	case t.asked < 0:
		return "after GAME_STARTS"
	}
	return "after TURN " + strconv.Itoa(t.asked)
}

// next returns the next message of the bot, or errSilent if none comes within a time.
func (t *talk) next(limit time.Duration) (message, error) {
	select {
	case m := <-t.peer.incoming:
		if m.err != nil {
			return m, t.lost(m.err)
		}
		t.used = m.used
		return m, nil
	case <-time.After(limit):
		return message{}, errSilent
	case <-t.ctx.Done():
		return message{}, context.Cause(t.ctx)
	}
}

// lost returns what a bot did wrong from which no message can be read any more.
func (t *talk) lost(err error) error {
	var size *netorcai.SizeError
	var broken *netorcai.ReadError
	switch {
	case errors.As(err, &size):
		return failed("answer-size", "It announced a message of %d bytes %s; the limit is %d.", size.Size,
			t.moment(), size.Limit)
	case !errors.As(err, &broken):
		return failed("answer-unreadable", "%s: %v.", t.moment(), err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return t.ended(t.moment() + ", in the middle of a message")
	}
	return t.ended(t.moment())
}

// quiet returns a failure with that key if the bot sends something within a time.
func (t *talk) quiet(d time.Duration, key, when string) error {
	m, err := t.next(d)
	switch {
	case err == nil:
		return failed(key, "It sent %s %s.", shown(m.content), when)
	case err == errSilent:
		return nil
	}
	return err
}
