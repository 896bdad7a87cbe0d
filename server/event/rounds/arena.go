package rounds

import (
	"context"
	"errors"

	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
)

// arena plays the matches of rounds and of practice, and holds the bots that wait for one. Tests
// replace it.
type arena interface {
	// waiting returns the bots that wait for a seat, by their keys.
	waiting() waitingBots
	// kick disconnects the bots of a key.
	kick(key string)
	// play plays a match to its end, and completes its row. began is called when it has begun. The
	// recording is the path of a file, "" if the match was not recorded.
	play(ctx context.Context, t *task, began func(*feed.Feed)) (recording string, err error)
	// practise starts a match of practice, which is aborted when ctx ends.
	practise(ctx context.Context, spec host.Spec) (practiceMatch, error)
}

// practiceMatch is a match of practice that is played.
type practiceMatch interface {
	// id returns its ID on the page, "" if it is not shown there.
	id() string
	// cut ends the match with the turn that is being played.
	cut()
	// wait waits until the match is over, and removes its recording.
	wait() error
}

// task is a match of a round.
type task struct {
	spec host.Spec
	pace *cup.Waiting
	row  *results.Row // has the seed, the map and the bots
	// versions returns the versions of the row by the seats at the end of the match.
	versions func([]match.SeatInfo) []string
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

func (r hostArena) play(
	ctx context.Context, t *task, began func(*feed.Feed),
) (recording string, err error) {
	room, err := r.host.Load().Start(ctx, t.spec)
	if err != nil {
		return "", err
	}
	began(room.Feed())
	ended := room.Wait()
	if ended.Err != nil {
		return "", errors.Join(ended.Err, r.remove(ended.Recording))
	}
	cup.Fill(t.row, ended.Report(), t.pace)
	t.row.Versions = t.versions(ended.Seats)
	return ended.Recording, nil
}

func (r hostArena) practise(ctx context.Context, spec host.Spec) (practiceMatch, error) {
	room, err := r.host.Load().Start(ctx, spec)
	if err != nil {
		return nil, err
	}
	return practiceRoom{room, r.Rounds}, nil
}

// practiceRoom is the practiceMatch of a host.
type practiceRoom struct {
	*host.Room
	rounds *Rounds
}

func (r practiceRoom) id() string {
	if f := r.Feed(); f != nil {
		return f.ID()
	}
	return ""
}

func (r practiceRoom) cut()        { r.Match().Cut() }
func (r practiceRoom) wait() error { return r.rounds.remove(r.Wait().Recording) }
