package rounds

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat"
)

const (
	// practiceNotice is the time that practice goes on when a round is about to begin: a match of
	// built-in bots is over by then.
	practiceNotice = 10 * time.Second
	// maxPractices bounds the practice matches that are played at once: the teams of a large room,
	// each of which has one.
	maxPractices = 50
)

// Practices are the matches that teams play on request, beside the rounds. They are not rated, and
// leave nothing behind.
type Practices struct {
	rounds  *Rounds
	life    context.Context // ends with the rounds, by end
	end     context.CancelFunc
	running sync.WaitGroup

	mu     sync.Mutex
	list   map[int]*Practice // by team
	busy   map[int]bool      // teams whose matches of a round are being played
	closed bool              // a round is about to begin, or there are none any more
	begun  int               // matches since the program was started, by which seeds differ
}

// Practice is a match that a team has requested.
type Practice struct {
	Match   string        // its ID on the page
	Against []string      // built-in bots, or versions that the team sent
	Ends    time.Time     // when a round cuts it; zero: none is about to begin
	version string        // of the bot that is connected
	sent    bool          // the team's own bot is started here
	game    started       // nil: it is about to begin
	done    chan struct{} // closed when it is over
}

// errRound is why there is no practice now.
var errRound = errors.New("a round is about to begin: practise after it")

// Start starts a match of a team at once, against built-in bots and versions that it sent; other
// seats that a board needs have built-in bots. Whatever plays rounds for the team plays.
func (l *Practices) Start(
	ctx context.Context, team int, against []string,
) (begun *Practice, err error) {
	most := l.rounds.event.Seats() - 1
	if len(against) < 1 || len(against) > most {
		return nil, fmt.Errorf("there are %d opponents: name 1 to %d", len(against), most)
	}
	var own Player
	found, waiting := false, l.rounds.arena.waiting()
	l.rounds.event.Read(func(s *state.State) { own, found = waiting.player(s, team, l.rounds.starts) })
	if !found {
		return nil, l.whyAbsent(team)
	}
	p := &Practice{
		Against: against, version: own.Version, sent: own.Sent != nil, done: make(chan struct{}),
	}
	if err := l.add(team, p); err != nil {
		return nil, err
	}
	defer func() {
		if begun == nil { // by an error, or by a panic
			l.remove(team, p)
		}
	}()
	seats, err := l.seats(ctx, team, own, against)
	if err != nil {
		return nil, err
	}
	return l.begin(team, p, seats)
}

// begin starts the match of a practice that was added, unless a round is about to
// begin, and returns a copy of the practice, which does not change.
func (l *Practices) begin(team int, p *Practice, seats []seat.Spec) (begun *Practice, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, errRound
	}
	t := l.rounds.task(l.rounds.Setup(), seats, rand.IntN(len(seats)), rand.Uint64())
	l.begun++
	t.Labels = map[string]string{"series": "practice", "match": strconv.Itoa(l.begun)}
	own := []int{team} // it has the first seat
	t.Watchers = []match.Watcher{l.rounds.Checks.watch(own)}
	t.Debug = l.rounds.Outputs.debug(own)
	if p.game, err = l.rounds.arena.start(l.life, t); err != nil {
		return nil, err
	}
	if f := p.game.Feed(); f != nil {
		p.Match = f.ID()
	}
	panics.Go(&l.running, func() {
		defer l.remove(team, p)
		ended, _ := p.game.wait()
		if err := l.rounds.remove(ended.Recording); err != nil {
			l.rounds.opts.Log.Warn().Err(err).Msg("The recording of a practice match stays")
		}
	}, panics.Logged(l.rounds.opts.Log, "A practice match failed"))
	copied := *p
	return &copied, nil
}

// seats returns the seats of a team and its opponents.
func (l *Practices) seats(
	ctx context.Context, team int, own Player, against []string,
) (seats []seat.Spec, err error) {
	one, err := l.rounds.teamSeat(ctx, team, own)
	seats = append(seats, one)
	for _, name := range against {
		if err == nil {
			one, err = l.opponent(ctx, team, name)
		}
		seats = append(seats, one)
	}
	for board := l.rounds.Setup().board; board.At == nil && len(seats) < l.rounds.event.Seats(); {
		seats = append(seats, l.rounds.filler(len(seats)))
	}
	return seats, err
}

// opponent returns the seat of a built-in bot, or of a version that the team sent.
func (l *Practices) opponent(ctx context.Context, team int, name string) (seat.Spec, error) {
	digest, isSent := strings.CutPrefix(name, state.UploadPrefix)
	if !isSent {
		if slices.Contains(l.rounds.event.Builtins(), name) {
			return seat.Spec{Kind: seat.Builtin, Builtin: name, Label: name}, nil
		}
		return seat.Spec{}, fmt.Errorf(
			"%.40q is no built-in bot, and no version that the team sent", name)
	}
	v := event.Ask(l.rounds.event,
		func(s *state.State) *state.Version { return s.Versions.Find(team, digest) })
	if v == nil || !v.Good || !l.rounds.starts(v) {
		return seat.Spec{}, fmt.Errorf("version %.40q was not sent by the team, or may play no "+
			"rounds: choose one of those that its page lists", name)
	}
	one, err := l.rounds.opts.Store.Seat(ctx, v.Upload)
	one.Label, one.OneMatch = digest[:8], true
	return one, err
}

// Of returns the match that a team practises in, or nil.
func (l *Practices) Of(team int) *Practice {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.list[team]; p != nil {
		copied := *p
		return &copied
	}
	return nil
}

// Stop ends a team's practice with the turn that is being played.
func (l *Practices) Stop(team int) {
	if p := l.Of(team); p != nil && p.game != nil {
		p.game.cut()
	}
}

// bots returns the versions of the connected bots that practise, by their keys.
func (l *Practices) bots() map[string]string {
	l.mu.Lock()
	defer l.mu.Unlock()
	versions := map[string]string{}
	for team, p := range l.list {
		if !p.sent {
			versions[event.Key(team)] = p.version
		}
	}
	return versions
}

// whyAbsent returns why no bot of a team waits for a match.
func (l *Practices) whyAbsent(team int) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.occupied(team); err != nil {
		return err
	}
	return errors.New("no bot of the team is connected, and it has sent none that plays: connect one " +
		"or send one")
}

// occupied returns why a team does not practise now, nil if it may. The caller holds mu.
func (l *Practices) occupied(team int) error {
	switch {
	case l.closed:
		return errRound
	case l.busy[team]:
		return errors.New("the team plays a round: practise after it")
	case l.list[team] != nil:
		return errors.New("the team practises already: wait for the end, or end it")
	}
	return nil
}

func (l *Practices) add(team int, p *Practice) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.occupied(team); err != nil {
		return err
	}
	if len(l.list) >= maxPractices {
		return fmt.Errorf("%d teams practise, which is the most: try again in a moment", maxPractices)
	}
	if l.list == nil {
		l.list = map[int]*Practice{}
	}
	l.list[team] = p
	return nil
}

// remove removes a practice that is over.
func (l *Practices) remove(team int, p *Practice) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.list[team] == p {
		delete(l.list, team)
	}
	close(p.done)
}

// close refuses new practice matches, and returns those that are played.
func (l *Practices) close() (list []*Practice) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	for _, p := range l.list {
		p.Ends = time.Now().Add(practiceNotice)
		list = append(list, p)
	}
	return list
}

// stop ends all practice for good.
func (l *Practices) stop() {
	l.close()
	l.end()
}

// open allows practice again to teams that are not in matches of a round.
func (l *Practices) open(matches [][]int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed, l.busy = false, map[int]bool{}
	for _, team := range slices.Concat(matches...) {
		l.busy[team] = true
	}
}

// free marks the teams of a finished match as free to practise.
func (l *Practices) free(teams []int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, team := range teams {
		delete(l.busy, team)
	}
}

// endAll tells all that practise that a round is about to begin, cuts their matches after
// practiceNotice, and waits until their bots are there again. The caller must then call open.
func (l *Practices) endAll(ctx context.Context) {
	teams := l.bots()
	if list := l.close(); len(list) > 0 {
		l.await(ctx, list, teams)
	}
}

// await waits until practices are over, which it cuts when their time is, and their bots wait for a
// seat again.
func (l *Practices) await(ctx context.Context, list []*Practice, teams map[string]string) {
	notice := time.NewTimer(practiceNotice)
	defer notice.Stop()
	for _, p := range list {
		select {
		case <-p.done:
			continue
		case <-ctx.Done():
			return
		case <-notice.C:
		}
		for _, late := range list {
			if late.game != nil {
				late.game.cut()
			}
		}
		// one that does not end by then is not waited for
		notice.Reset(l.rounds.Setup().TurnTimeout + seatPatience)
		select {
		case <-p.done:
		case <-ctx.Done():
			return
		case <-notice.C:
		}
	}
	back := time.After(seatPatience)
	for waiting := l.rounds.arena.waiting(); ; waiting = l.rounds.arena.waiting() {
		isAway := func(key string) bool { _, there := waiting[key]; return !there }
		if !slices.ContainsFunc(slices.Collect(maps.Keys(teams)), isAway) {
			return
		}
		select {
		case <-l.rounds.news:
		case <-back:
			return
		case <-ctx.Done():
			return
		}
	}
}
