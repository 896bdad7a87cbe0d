package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/duel"
	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/games/hextictactoe"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/web"
)

// duelRun is games between two players that play is about to play.
type duelRun struct {
	playOptions
	stdout io.Writer
	stderr io.Writer

	game     *games.Game
	instance games.Instance
	seats    [2]seat.Spec
	seed     uint64

	page   *web.Server       // nil: no page
	keeper *recording.Keeper // of old recordings; nil: nothing is recorded
}

// newDuelRun looks at all options, and tells of all mistakes at once.
func newDuelRun(ctx context.Context, o playOptions, stdout, stderr io.Writer) (*duelRun, error) {
	d := &duelRun{playOptions: o, stdout: stdout, stderr: stderr, seed: o.seed}
	wrong := []error{o.wrong}
	d.game = gameList.Find(o.game)
	var err error
	if d.instance, err = d.game.New(o.values); err != nil {
		wrong = append(wrong, err)
	}
	arguments := o.arguments
	if len(arguments) == 0 {
		arguments = d.game.Mix(d.instance.Players)
	}
	if n := len(arguments); n != len(d.seats) {
		return d, errors.Join(append(wrong, fmt.Errorf("%s has %d seats, and %d were given", o.game, len(d.seats), n))...)
	}
	seats, err := seat.Parse(ctx, arguments, seat.Known{
		Game: o.game, HTTTX: true,
		Builtin: func(name string) error {
			_, err := d.game.NewBuiltin(name, 0)
			return err
		},
		Refuse: func(s *seat.Spec) error {
			if s.Kind == seat.Page || s.Kind == seat.Open {
				return fmt.Errorf("%s has no seat for it yet", o.game)
			}
			return nil
		},
	})
	d.seats = [2]seat.Spec(seats)
	return d, errors.Join(append(wrong, err)...)
}

// mind is a built-in player.
func (d *duelRun) mind(name string) (botapi.Mind, error) {
	return hextictactoe.NewMind(name, d.instance.Setup, d.seed)
}

// run plays all games.
func (d *duelRun) run(ctx context.Context) error {
	ctx, interrupt := interruptible(ctx)
	defer interrupt(nil)
	d.keeper = d.newKeeper(d.stderr)
	d.keeper.Tidy()
	defer d.keeper.Close()
	leave, err := d.openPage()
	if err != nil {
		return err
	}
	defer leave()
	pair, err := duel.Start(ctx, d.seats, duel.Options{
		StartTimeout: d.startTimeout, Patience: d.turnTimeout, Logs: d.logs, Mind: d.mind, Log: warnings(d.stderr),
	})
	if err != nil {
		return err
	}
	defer pair.Close()
	var t tournament
	openings, sides := d.instance.Openings, []bool{false, true}
	if openings == nil {
		openings, sides = []games.Instance{d.instance}, []bool{false}
	}
	for _, opening := range openings {
		for _, swapped := range sides {
			g, err := d.play(ctx, pair, duel.Game{Instance: opening, Swapped: swapped, Seed: d.seed + uint64(len(t.Games))})
			if err != nil {
				return err
			}
			t.add(g)
			if !d.asJSON {
				fmt.Fprintln(d.stdout, g)
			}
		}
	}
	if err := t.tell(d.stdout, d.asJSON); err != nil {
		return err
	}
	if d.open {
		fmt.Fprintf(d.stderr, "the games stay at %s until Ctrl-C\n", d.page.URL())
		<-ctx.Done()
	}
	return nil
}

// warnings is a log of what a player should know who plays on a terminal.
func warnings(w io.Writer) zerolog.Logger {
	out := zerolog.ConsoleWriter{Out: w, NoColor: true, PartsOrder: []string{zerolog.LevelFieldName, zerolog.MessageFieldName}}
	return zerolog.New(out).Level(zerolog.WarnLevel)
}

// play plays one game.
func (d *duelRun) play(ctx context.Context, pair *duel.Pair, g duel.Game) (*duelGame, error) {
	var recorder *recording.Recorder
	var tally func(engine.PlayerID) []engine.Count
	g.Watchers = func(rules engine.Game) (list []match.Watcher) {
		tally = func(p engine.PlayerID) []engine.Count { return rules.AppendTally(nil, p) }
		if d.record != "" {
			recorder = d.newRecorder(rules, &g)
			list = append(list, recorder)
		}
		if d.page != nil {
			f := feed.New(feed.Options{Game: d.game.Name, Rules: rules, Seed: g.Seed, Settings: botapi.Settings(), Autostart: true, Recording: recorder.Name})
			d.page.Show(web.Match{Feed: f})
			list = append(list, f)
		}
		return list
	}
	ending, err := pair.Play(ctx, g)
	if err != nil {
		return nil, err
	}
	one := &duelGame{Cross: d.seats[0].Label, Circle: d.seats[1].Label, Reason: ending.Reason}
	if g.Swapped {
		one.Cross, one.Circle = one.Circle, one.Cross
	}
	one.winner = ending.Winner
	for p := range engine.PlayerID(2) {
		for _, c := range tally(p) {
			if c.Name == "moves" {
				one.Moves += int(c.Value)
			}
		}
	}
	for _, s := range ending.Seats {
		if s.Reason != "" {
			one.Fault = s.Reason
		}
	}
	if recorder != nil {
		one.Recording = recorder.Path()
	}
	return one, recorderErr(recorder)
}

func recorderErr(r *recording.Recorder) error {
	if r == nil {
		return nil
	}
	return r.Err()
}

func (d *duelRun) newRecorder(game engine.Game, g *duel.Game) *recording.Recorder {
	durable, err := recording.ParseDurability(d.durable)
	if err != nil {
		panic(err) // the options were checked
	}
	return recording.New(recording.Options{
		Dir: d.record, Durable: durable, Program: "hexarena " + versionText(),
		Keeper: d.keeper,
		Game:   game, Map: g.Instance.Setup, MapName: g.Instance.Map, Seed: g.Seed,
		Extra:    map[string]string{"tc": d.values.Text("tc"), "turn_timeout": d.turnTimeout.String()},
		Complain: func(err error) { tellRecorder(d.stderr, err) },
	})
}

// openPage serves the page, until leave.
func (d *duelRun) openPage() (leave func(), err error) {
	if d.http == "" {
		return func() {}, nil
	}
	o := web.Options{Address: d.http, Version: versionText()}
	if d.record != "" {
		o.Recordings = web.NewFolder(d.record, gameList.Replay)
		o.Analyse = analyseIn(d.record, false)
		_, o.Judges = judged()
	}
	listen := web.ListenNear
	if d.changed("http") {
		listen = web.Listen
	}
	if d.page, err = listen(o); err != nil {
		d.page = nil
		if d.changed("http") || d.open {
			return nil, fmt.Errorf("--http: %w; choose another, or '' for no page", err)
		}
		return func() {}, nil
	}
	tellOfStrangers(d.stderr, d.page)
	leave = showPage(d.page)
	if !d.asJSON || d.open {
		fmt.Fprintln(d.stderr, "watch at", d.page.URL())
	}
	if d.open {
		openBrowser(d.page.URL())
	}
	return leave, nil
}
