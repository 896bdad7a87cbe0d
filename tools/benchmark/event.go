package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/tools/harness"
)

// The round of an event that is measured: each bot waits in each turn as long as a small program in
// Python thinks.
const (
	eventTeams  = 40
	eventTurns  = 100
	eventThink  = 20 * time.Millisecond
	eventMap    = "garden" // four seats
	eventRatio  = 1.5      // of a round to its longest match, at most
	eventPrints = 3        // lines
)

// span is when a bot's match began and ended.
type span struct{ from, to time.Time }

// events measures how much longer a round of many teams takes than its longest match.
func (b *bench) events(ctx context.Context) error {
	var rounds, longest harness.Series // ms
	for i := range b.rounds {
		round, match, err := b.eventRound(ctx, filepath.Join(b.Dir, fmt.Sprint("event", i)))
		if err != nil {
			return err
		}
		b.Report("event, round %d of %d: %v, its longest match %v", i+1, b.rounds,
			round.Round(time.Millisecond), match.Round(time.Millisecond))
		rounds = append(rounds, harness.Milliseconds(round))
		longest = append(longest, harness.Milliseconds(match))
	}
	row, ratios := b.table.Ratio(
		fmt.Sprintf("round of %d teams, and its longest match", eventTeams), "%.0f ms", rounds, longest)
	row.Target, row.Met = fmt.Sprintf("≤ %.1f", eventRatio), ratios.Median() <= eventRatio
	return nil
}

// runningEvent is an event whose rounds are begun by a line on its standard input.
type runningEvent struct {
	*harness.Process
	at string // its port
}

// startEvent starts an event in a folder.
func (b *bench) startEvent(ctx context.Context, dir string, turns int) (*runningEvent, error) {
	port, err := harness.FreePort()
	if err != nil {
		return nil, err
	}
	p, err := harness.Start(ctx, b.Hexarena, "event", dir,
		"--bind", "127.0.0.1", "--port", strconv.Itoa(port), "--rounds", "operator",
		"--map", eventMap, "--turns", strconv.Itoa(turns), "--send", "off")
	if err != nil {
		return nil, err
	}
	for range eventPrints {
		if _, err := p.Line(); err != nil {
			p.Stop()
			return nil, err
		}
	}
	p.Watch(func([]byte) {})
	return &runningEvent{p, "127.0.0.1:" + strconv.Itoa(port)}, nil
}

// eventRound plays one round of an event, and returns how long it and its longest match took.
func (b *bench) eventRound(
	ctx context.Context, dir string,
) (round, longest time.Duration, err error) {
	e, err := b.startEvent(ctx, dir, eventTurns)
	if err != nil {
		return 0, 0, err
	}
	defer e.Stop()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	spans, errs := make([]span, eventTeams), make([]error, eventTeams)
	var bots sync.WaitGroup
	for i := range eventTeams {
		token, err := joinEvent(ctx, e.at, fmt.Sprint("team ", i))
		if err != nil {
			return 0, 0, err
		}
		bots.Go(func() { spans[i], errs[i] = playEvent(ctx, e.at, token) })
	}
	if err := awaitBots(ctx, e.at, eventTeams); err != nil {
		return 0, 0, err
	}
	began := time.Now()
	if err := e.Tell("round"); err != nil {
		return 0, 0, err
	}
	bots.Wait()
	for _, s := range spans {
		longest, round = max(longest, s.to.Sub(s.from)), max(round, s.to.Sub(began))
	}
	return round, longest, errors.Join(errs...)
}

// joinEvent signs a team up, and returns its token.
func joinEvent(ctx context.Context, at, name string) (token string, err error) {
	var screen struct{ Code string }
	text, err := harness.Get(ctx, "http://"+at+"/screen.json")
	if err == nil {
		err = json.Unmarshal(text, &screen)
	}
	if err != nil {
		return "", err
	}
	form, _ := json.Marshal(map[string]string{"name": name, "code": screen.Code})
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+at+"/join",
		bytes.NewReader(form))
	if err != nil {
		return "", err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	var answer struct{ Token, Error string }
	if err = json.NewDecoder(resp.Body).Decode(&answer); err == nil && answer.Token == "" {
		err = fmt.Errorf("%s cannot join: %s", name, answer.Error)
	}
	return answer.Token, err
}

// awaitBots waits until the bots of all teams wait.
func awaitBots(ctx context.Context, at string, teams int) error {
	return awaitScreen(ctx, at, fmt.Sprintf(`"ready":%d,`, teams))
}

// awaitScreen waits until the screen says something.
func awaitScreen(ctx context.Context, at, what string) error {
	for ctx.Err() == nil {
		text, err := harness.Get(ctx, "http://"+at+"/screen.json")
		if err != nil || strings.Contains(string(text), what) {
			return err
		}
		harness.Pause(ctx, eventThink)
	}
	return ctx.Err()
}

// playEvent plays one match, and returns when it began and ended.
func playEvent(ctx context.Context, at, token string) (s span, err error) {
	c, err := netorcai.Dial(ctx, at,
		netorcai.Login{Nickname: "bot", Role: netorcai.RolePlayer, Token: token})
	if err != nil {
		return s, err
	}
	defer c.Close()
	err = c.Play(ctx, &eventBot{span: &s, ctx: ctx})
	return s, err
}

// eventBot answers each TURN after a while.
type eventBot struct {
	*span
	ctx context.Context
}

// Start implements netorcai.Bot.
func (b *eventBot) Start(netorcai.GameStarts) error {
	b.from = time.Now()
	return nil
}

// Turn implements netorcai.Bot.
func (b *eventBot) Turn(netorcai.Turn) ([]byte, error) {
	harness.Pause(b.ctx, eventThink)
	return nil, nil
}

// End implements netorcai.Bot.
func (b *eventBot) End(netorcai.GameEnds) { b.to = time.Now() }
