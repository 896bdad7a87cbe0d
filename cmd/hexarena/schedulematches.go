package main

import (
	"context"
	"time"

	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
)

// next starts a match.
func (s *schedule) next(settings match.Settings) error {
	room, err := s.host.Start(s.ctx, s.spec(settings))
	if err == nil {
		s.room.Store(room)
	}
	return err
}

// play waits for the match that was started, and plays those that follow it, each with the
// settings that the operator left. It returns how the last one ended. A host that is being drained
// starts no other match, which is not an error.
func (s *schedule) play() error {
	for pause := firstPause; ; {
		r := s.room.Load().Wait()
		if n := s.config.Matches; n.Given && s.number >= n.Value || s.ctx.Err() != nil {
			return r.Err
		}
		if pause = s.failed(&r, pause); s.ctx.Err() != nil {
			return context.Cause(s.ctx)
		}
		switch err := s.next(r.Settings); err {
		case nil:
		case host.ErrDraining:
			return r.Err
		default:
			return err
		}
	}
}

// The pause after a match that ended before its first turn, which doubles with each such match: a game logic that cannot start
// costs the server little, and the log a line in half a minute.
const (
	firstPause = time.Second
	maxPause   = 30 * time.Second
)

// failed logs why a match was aborted, and waits for a pause if the match ended before its first turn. It returns the pause after the
// next match.
func (s *schedule) failed(r *host.Result, pause time.Duration) time.Duration {
	if r.Err != nil {
		logAborted(s.log, r.Err)
	}
	if r.Err == nil || r.Steps > 0 {
		return firstPause
	}
	select {
	case <-time.After(pause):
	case <-s.ctx.Done():
	}
	return min(2*pause, maxPause)
}
