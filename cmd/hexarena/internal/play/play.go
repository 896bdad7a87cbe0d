// Package play plays matches on this machine, as hexarena play does: one after another, shown on a
// terminal and in browsers, or many at once in this process.
package play

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/logs"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/signals"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/arena"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/seat"
)

// ErrFailed, ErrNeverJoined and ErrUnreliable are why a match that was played is no success. They
// are reported already. The last two need the setting strict.
var (
	ErrFailed      = errors.New("a match was not played to its end")
	ErrNeverJoined = errors.New("a bot never logged in")
	ErrUnreliable  = errors.New("a bot crashed, left early, skipped a turn or logged in twice")
)

// Prepare checks all options, and returns what plays. The error holds all mistakes, as a
// games.UsageError.
func Prepare(ctx context.Context, o Options) (run func(context.Context) error, err error) {
	p, err := newRunner(ctx, newOptions(o))
	switch {
	case err != nil:
		return nil, games.UsageError{Err: err}
	case p.headless:
		return p.runHeadless, nil
	}
	return p.run, nil
}

// runner is a match that is about to be played, and those that follow it.
type runner struct {
	options
	live bool // the board is drawn while the match is played

	game     *games.Game
	instance games.Instance
	seats    []seat.Spec
	seed     uint64
	order    match.Order

	watched *launch.Watch // nil: no file is
	kept    *arena.Kept   // the bots that listen, between the matches
	told    int           // the port that was said to be used in place of one that is taken

	keeper       *recording.Keeper // of old recordings; nil: nothing is recorded
	recording    string            // of the match that was played; empty: none
	recordingErr error             // what went wrong with it
}

// newRunner checks all options, and reports all mistakes at once.
func newRunner(ctx context.Context, o options) (*runner, error) {
	p := &runner{options: o, seed: o.Seed.Or(drawnSeed())}
	p.live = !o.asJSON && tui.IsTerminal(o.Stdout) && os.Getenv("TERM") != "dumb" && p.Games.Find(o.Game).Terminal != nil
	wrong := []error{o.Wrong}
	var err error
	if o.Order != "" { // else the game has no use for it
		if p.order, err = match.ParseOrder(string(o.Order)); err != nil {
			return nil, errors.Join(o.Wrong, err)
		}
	}
	p.game = p.Games.Find(o.Game)
	if p.instance, err = p.game.New(o.Values); err != nil {
		wrong = append(wrong, err)
	}
	if p.instance.New == nil {
		return nil, errors.Join(wrong...)
	}
	arguments := o.Arguments
	if len(arguments) == 0 {
		arguments = p.game.Mix(p.instance.Players)
	}
	if p.seats, err = seat.Parse(ctx, arguments, p.knownSeats()); err != nil {
		wrong = append(wrong, err)
	}
	wrong = append(wrong, p.checkSeats(len(arguments)))
	for _, name := range p.instance.SpecialBots {
		p.seats = append(p.seats, seat.Spec{Kind: seat.Builtin, Argument: name, Label: name, Builtin: name, Special: true})
	}
	seat.SetLabels(p.seats)
	if o.headless {
		p.goHeadless()
	}
	if o.watch {
		files := sources(p.seats)
		if len(files) == 0 {
			wrong = append(wrong, o.Values.Mistake("watch", "none of these bots is a file that could change; name one, such as my_bot.py"))
		}
		p.watched = launch.NewWatch(files)
	}
	return p, errors.Join(wrong...)
}

// newBuiltin is an arena.Builtin for the game.
func (p *runner) newBuiltin(name string, seed uint64) (netorcai.Bot, error) {
	bot, err := p.game.NewBuiltin(name, seed)
	if err == nil {
		return bot, nil
	}
	for _, other := range p.Games {
		if slices.Contains(other.BuiltinNames(), name) {
			return nil, fmt.Errorf("%s plays another game; add --game %s", name, other.Name)
		}
	}
	return nil, err
}

// run plays the match, and further ones with --open or --watch, and returns how the last one
// went.
func (p *runner) run(ctx context.Context) error {
	ctx, interrupt := signals.Context(ctx)
	defer interrupt(nil)
	// The reader of the output may exit: that must not kill the program before its bots are stopped.
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE)
	defer signal.Stop(broken)

	p.keeper = p.newKeeper(p.Stderr)
	p.keeper.Tidy()
	defer p.keeper.Close()
	log, closeLog, err := p.serverLog()
	if err != nil {
		return err
	}
	defer closeLog()
	page, err := p.openPage()
	if err != nil {
		return err
	}
	if page != nil {
		defer page.close()
	}
	p.kept = new(arena.Kept)
	defer p.kept.Close()
	for {
		last, report, err := p.playAll(ctx, interrupt, page, log)
		if err != nil {
			return err
		}
		if !last.next(ctx) {
			return p.verdict(report)
		}
		p.kept.Close() // their files may have changed
		if !p.changed("seed") {
			p.seed = drawnSeed()
		}
	}
}

// startsBots reports whether a bot runs in a process of its own.
func (p *runner) startsBots() bool {
	return slices.ContainsFunc(p.seats, func(s seat.Spec) bool { return s.Kind == seat.Process })
}

// serverLog returns the log of the server. If bots are started it is a file beside their logs,
// and holds among other things why a client was kicked. The caller must call done.
func (p *runner) serverLog() (log zerolog.Logger, done func(), err error) {
	var warnings io.Writer = io.Discard // of bots that are dialled, such as odd capabilities
	if p.game.BotAPI {
		warnings = logs.WarningWriter(p.Stderr)
	}
	if !p.startsBots() || p.logs == "" {
		return zerolog.New(warnings), func() {}, nil
	}
	if err := os.MkdirAll(p.logs, 0o755); err != nil {
		return log, nil, games.UsageError{Err: fmt.Errorf("--logs: %w", err)}
	}
	f, err := os.Create(filepath.Join(p.logs, "server.log"))
	if err != nil {
		return log, nil, games.UsageError{Err: fmt.Errorf("--logs: %w", err)}
	}
	w := zerolog.ConsoleWriter{Out: f, NoColor: true, TimeFormat: time.TimeOnly}
	return zerolog.New(zerolog.MultiLevelWriter(w, warnings)).With().Timestamp().Logger(), func() { _ = f.Close() }, nil
}

// tell prints the result of the match.
func (p *runner) tell(r *arena.Report) error {
	if p.asJSON {
		return writeResult(p.Stdout, p, r)
	}
	tui.WriteFailures(p.Stderr, r)
	if err := tui.WriteRanking(p.Stdout, p.instance.Map, p.again(), r); err != nil {
		return err
	}
	return p.tellRecording()
}

// verdict returns the error that a report stands for, and prints why a match was not played to
// its end.
func (p *runner) verdict(r *arena.Report) error {
	if r.Err != nil && (!p.asJSON || p.alternates()) {
		fmt.Fprintln(p.Stderr, "hexarena: the match was not played to its end:", tui.Plain(r.Err.Error()))
	}
	return p.failure(r)
}

// failure returns the error that a report stands for, nil for a success.
func (p *runner) failure(r *arena.Report) error {
	absent, unreliable := false, false
	for i := range r.Seats {
		s := &r.Seats[i]
		absent = absent || s.Status == arena.Absent
		unreliable = unreliable || s.Status == arena.Crashed || s.Status == arena.Left || s.Skipped > 0 || s.Denied > 0
	}
	missing := errors.Is(r.Err, arena.ErrNobody) || errors.Is(r.Err, arena.ErrMissing)
	switch {
	case r.Err != nil && !missing:
		return ErrFailed
	case p.strict && absent:
		return ErrNeverJoined
	case r.Err != nil:
		return ErrFailed
	case p.strict && unreliable:
		return ErrUnreliable
	}
	return nil
}
