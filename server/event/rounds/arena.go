package rounds

import (
	"context"

	"github.com/hexarena/hexarena/server/contest/play"
	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/result"
)

// arena plays the matches of rounds and of practice, and holds the bots that wait for one. Tests
// replace it.
type arena interface {
	// waiting returns the bots that wait for a seat, by their keys.
	waiting() waitingBots
	// kick disconnects the bots of a key.
	kick(key string)
	// start starts a match, which is aborted when ctx ends.
	start(ctx context.Context, t *play.Task) (started, error)
}

// started is a match that is being played.
type started interface {
	// Feed returns the feed for the page, or nil without a page.
	Feed() *feed.Feed
	// cut ends it with the turn that is being played.
	cut()
	// wait waits until it is over.
	wait() (host.Result, *result.Report)
}

// hostArena is the arena of a host.
type hostArena struct{ *Rounds }

func (r hostArena) waiting() waitingBots {
	waiting := waitingBots{}
	if h := r.host.Load(); h != nil {
		for _, c := range h.Waiting() {
			if !r.attendance.rests(c.Key, c.Remote) {
				waiting[c.Key] = c.Version
			}
		}
	}
	return waiting
}

func (r hostArena) kick(key string) {
	if h := r.host.Load(); h != nil {
		h.Kick(key)
	}
}

func (r hostArena) start(ctx context.Context, t *play.Task) (started, error) {
	room, err := r.host.Load().Start(ctx, t.Spec)
	if err != nil {
		return nil, err
	}
	return startedRoom{room}, nil
}

// startedRoom is the match in a room of a host.
type startedRoom struct{ *host.Room }

func (r startedRoom) cut() { r.Match().Cut() }

func (r startedRoom) wait() (host.Result, *result.Report) {
	ended := r.Wait()
	return ended, ended.Report()
}
