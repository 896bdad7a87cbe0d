package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"time"

	"github.com/hexarena/hexarena/server/harness"
)

// The match that is played.
const (
	board      = "archipelago"
	players    = 4
	characters = 7                      // of each player
	tick       = 100 * time.Millisecond // of a turn

	// The first and the last turns are not measured: clients start and end in them.
	early = 5
	late  = 5
)

// figures are the measurements of one match.
type figures struct {
	turns    harness.Series // from TURN to TURN, of all players, in ms
	answers  harness.Series // from TURN to answer by the server's clock, in ms
	resident float64        // memory of the server near the end, in bytes
	cpu      float64        // processor time of the server per turn, in ms
	viewers  summary
}

// match plays one match with the given number of viewers, who connect before it begins. Its
// server stays after the match and still answers requests for its events.
func (c *comparison) match(ctx context.Context, viewers int, what string) (f figures, err error) {
	interval := strconv.FormatInt(tick.Milliseconds(), 10)
	srv, err := harness.Serve(ctx, c.Hexarena,
		"--http", "127.0.0.1:0", "--record", c.Dir, "--autostart", "--matches", "endless",
		"--map", board, "--players", strconv.Itoa(players), "--visualizations", "0",
		"--turns", strconv.Itoa(c.turns), "--delay-first-turn", interval, "--delay-turns", interval)
	if err != nil {
		return f, err
	}
	defer srv.Stop()
	var shown struct{ ID string }
	text, err := harness.Get(ctx, srv.Page+"api/match")
	if err == nil {
		err = json.Unmarshal(text, &shown)
	}
	if err != nil {
		return f, err
	}
	var a audience
	defer a.Disconnect()
	if err := a.Connect(ctx, srv.Live, viewers, a.read); err != nil {
		return f, err
	}
	a.measure()
	before := harness.CPUTime(srv.ID())
	p, err := harness.Start(ctx, c.Self, playersCommand, srv.Addr)
	if err != nil {
		return f, err
	}
	defer p.Stop()
	if err := c.awaitLastTurns(p, what); err != nil {
		return f, err
	}
	a.measuring.Store(false)
	f.resident = float64(harness.Memory(srv.ID()))
	f.cpu = harness.Milliseconds(harness.CPUTime(srv.ID())-before) / float64(c.turns-late)
	if f.turns, err = intervals(p); err != nil {
		return f, err
	}
	if f.answers, err = answers(ctx, fmt.Sprintf("%sapi/match/events?match=%s&from=%d", srv.Page, shown.ID, early)); err != nil {
		return f, err
	}
	if viewers > 0 {
		f.viewers, err = a.summarize(viewers)
	}
	return f, err
}

// playersCommand is the argument that makes this program the players of a match, in a
// process of its own so that they do not compete with the viewers' goroutines.
const playersCommand = "players"

// runPlayers plays a match on the server whose address is the argument. It prints the
// number of each TURN when it arrives and, when the match is over, a JSON list with the
// list of each player's times of arrival.
func runPlayers(args []string, _ io.Reader, out io.Writer) error {
	if len(args) != 1 {
		return errors.New("give the address of a server")
	}
	crowd := harness.Crowd{
		Players: players, Characters: characters, Arrivals: maxTurns,
		Turn: func(turn int) { fmt.Fprintln(out, turn) },
	}
	o, err := crowd.Play(context.Background(), args[0])
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(o.Arrivals)
}

// awaitLastTurns waits for the last turns of a match.
func (c *comparison) awaitLastTurns(p *harness.Process, what string) error {
	for {
		text, err := p.Line()
		if err != nil {
			return err
		}
		turn, err := strconv.Atoi(string(text))
		if err != nil {
			return fmt.Errorf("the players printed %s", text)
		}
		if turn >= c.turns-late {
			return nil
		}
		if turn > 0 && turn%50 == 0 {
			c.Report("%s: turn %d of %d", what, turn, c.turns)
		}
	}
}

// intervals returns the times from TURN to TURN that the players measured, when the match
// is over.
func intervals(p *harness.Process) (all harness.Series, err error) {
	text, err := p.Line()
	for err == nil && text[0] != '[' {
		text, err = p.Line()
	}
	var arrivals [][]time.Time
	if err == nil {
		err = json.Unmarshal(text, &arrivals)
	}
	for _, one := range arrivals {
		all = append(all, harness.Intervals(one[early-1:len(one)-late])...)
	}
	return all, err
}

// answerTime matches the time of an answer in a turn's event.
var answerTime = regexp.MustCompile(`"ms":([\d.]+)`)

// answers returns the players' answer times in the events at an address, by the server's
// clock, in ms.
func answers(ctx context.Context, events string) (all harness.Series, err error) {
	text, err := harness.Get(ctx, events)
	if err != nil {
		return nil, err
	}
	for _, found := range answerTime.FindAllSubmatch(text, -1) {
		ms, err := strconv.ParseFloat(string(found[1]), 64)
		if err != nil {
			return nil, err
		}
		all = append(all, ms)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no answers in it", events)
	}
	return all, nil
}
