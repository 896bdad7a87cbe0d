// Package play plays matches on this machine, as hexarena play does: one after another, shown on a
// terminal and in browsers, or many at once in this process.
package play

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/logs"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/machine/netconn"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/seating"
	"github.com/hexarena/hexarena/server/session"
)

// ErrFailed, ErrNeverJoined and ErrUnreliable are why a match that was played is no success. They
// are reported already. The last two need the setting strict.
var (
	ErrFailed      = errors.New("a match lacks its end, one of its bots or its recording")
	ErrNeverJoined = errors.New("a bot never logged in")
	ErrUnreliable  = errors.New("a bot crashed, left early, skipped a turn or logged in twice")
)

// Prepare checks all options, and returns the function that plays. The error holds all mistakes, as
// a games.UsageError.
func Prepare(ctx context.Context, o Options) (run func(context.Context) error, err error) {
	p, err := newRunner(ctx, newOptions(o))
	switch {
	case err != nil:
		return nil, games.UsageError{Err: err}
	}
	return p.run, nil
}

// runner is a match that is about to be played, and those that follow it.
type runner struct {
	options
	live bool // the board is drawn while the match is played

	game     *games.Game
	instance games.Instance
	each     host.Spec // what the settings say of each match, but for its seats
	seats    []seat.Spec
	seed     uint64

	watched *launch.Watch // nil: no file is
	host    *host.Host    // of all matches
	shown   bool          // where the page is was printed
}

// newRunner checks all options, and reports all mistakes at once.
func newRunner(ctx context.Context, o options) (*runner, error) {
	wrong := []error{o.Wrong}
	var err error
	if o.Past != nil {
		if err := o.takeRecorded(); err != nil {
			return nil, errors.Join(o.Wrong, err)
		}
	}
	p := &runner{options: o, seed: o.Seed.Or(drawnSeed())}
	p.live = !o.asJSON && !o.asText && tui.IsTerminal(o.Stdout) && os.Getenv("TERM") != "dumb" &&
		p.Games.Find(o.Game).Terminal != nil
	p.game = p.Games.Find(o.Game)
	switch {
	case o.asText && o.asJSON:
		wrong = append(wrong, o.Values.Mistake("text", "the output is JSON; leave out json or this"))
	case o.asText && p.game.Text == nil:
		wrong = append(wrong,
			o.Values.Mistake("text", "boards of %s have no form as text; leave it out", p.game.Title))
	}
	if p.instance, err = p.newInstance(); err != nil {
		wrong = append(wrong, err)
	}
	if p.instance.New == nil && err != nil {
		return nil, errors.Join(wrong...)
	}
	if p.each, err = cli.Match(o.Values, o.Config, p.game, p.instance); err != nil {
		wrong = append(wrong, err)
	}
	p.each.Bots.Builtin = p.newBuiltin
	if p.each.Logic, err = cli.NeededLogic(ctx, o.Values, p.instance); err != nil {
		wrong = append(wrong, err)
	}
	arguments := o.Arguments
	if p.game.Mix != nil && (len(arguments) == 0 ||
		slices.Equal(arguments, []string{seat.PageArgument}) ||
		o.Past != nil && len(arguments) < p.instance.Players) {
		arguments = append(slices.Clip(arguments), p.builtins()[len(arguments):]...)
	}
	if p.seats, err = cli.Seats(ctx, arguments, p.knownSeats()); err != nil {
		wrong = append(wrong, err)
	}
	wrong = append(wrong, p.checkSeats(len(arguments)))
	if !p.changed("open") && !o.asJSON && tui.IsTerminal(o.Stderr) {
		p.open = p.waiting(seat.Page) > 0
	}
	if errors.Join(wrong...) == nil {
		p.each.Bots.Launch.Isolate, err = cli.Isolation(ctx, o.Values, cli.Bots(p.seats, p.game.BotAPI))
		wrong = append(wrong, err)
	}
	for _, name := range p.instance.SpecialBots {
		p.seats = append(p.seats,
			seat.Spec{Kind: seat.Builtin, Argument: name, Label: name, Builtin: name, Special: true})
	}
	seat.SetLabels(p.seats)
	if p.Past != nil {
		p.reseed()
	}
	if o.watch {
		files := sources(p.seats)
		if p.each.Logic != nil {
			files = append(files, p.each.Logic.Sources()...)
		}
		if len(files) == 0 {
			wrong = append(
				wrong,
				o.Values.Mistake("watch",
					"none of these bots is a file that could change; name one, such as my_bot.py"),
			)
		}
		p.watched = launch.NewWatch(files)
	}
	return p, errors.Join(wrong...)
}

// newBuiltin returns a built-in bot of the game.
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
	ctx, interrupt := cli.Context(ctx)
	defer interrupt(nil)

	log, closeLog, err := p.serverLog()
	if err != nil {
		return err
	}
	defer closeLog()
	closeKeeper, err := p.openHost(log)
	if err != nil {
		return err
	}
	defer closeKeeper()
	defer p.host.Shutdown(ctx)
	for {
		last, report, err := p.playAll(ctx, interrupt)
		if err != nil {
			return err
		}
		if !last.next(ctx) {
			return p.verdict(report)
		}
		p.host.StopBots() // their files may have changed
		if !p.changed("seed") && p.Past == nil {
			p.seed = drawnSeed()
		}
	}
}

// openHost opens the host that all matches are played on. The caller must call closeKeeper.
func (p *runner) openHost(log zerolog.Logger) (closeKeeper func(), err error) {
	keeper := recording.NewKeeper(nil, p.Record, recording.Keep(p.Keep), func(t recording.Tidied) {
		if t.Err != nil {
			fmt.Fprintln(p.Stderr, "hexarena: cannot delete old recordings:", tui.Plain(t.Err.Error()))
		}
	})
	keeper.Tidy()
	o := host.Public(log, p.Version)
	o.Bind, o.Port, o.Yield, o.Linger = p.Bind, p.Port, !p.changed("port"), lingerTime
	o.Allow = session.Allowances{Player: session.Allowance{Size: p.instance.AnswerSize}}
	o.Recordings, o.Page = p.recordings(keeper), p.page()
	p.host, err = host.Open(o)
	if err != nil {
		keeper.Close()
		return nil, p.notOpen(err)
	}
	p.tellOpen()
	p.tellPast()
	return keeper.Close, nil
}

// lingerTime is the default of the setting linger of servers.
const lingerTime = 5 * time.Second

// notOpen returns what to do when the host could not be opened.
func (p *runner) notOpen(err error) error {
	var port *host.PortError
	var page *host.PageError
	switch {
	case errors.As(err, &port) && port.InUse():
		return fmt.Errorf("port %d is in use, perhaps by another hexarena; leave --port out to have a "+
			"free one taken, or give --port 0", p.Port)
	case errors.As(err, &page):
		return fmt.Errorf("--http: %w; choose another, or '' for no page", err)
	}
	return err
}

// tellOpen prints what rights started bots have, and what is odd about the addresses of the host.
func (p *runner) tellOpen() {
	if p.startsBots() && !p.asJSON {
		fmt.Fprintln(p.Stderr, cli.Rights(p.each.Bots.Launch.Isolate))
	}
	if port := p.host.Port(); port != p.Port && p.Port != 0 && p.startsBots() && !p.asJSON {
		names := "BOT_PORT and {port}"
		if p.game.BotAPI { // there {port} is where a bot may listen
			names = "BOT_PORT"
		}
		fmt.Fprintf(p.Stderr, "port %d is in use; this match is on port %d, which bots find in %s\n",
			p.Port, port, names)
	}
	if err := p.host.PageErr(); err != nil && !p.asJSON {
		fmt.Fprintln(p.Stderr, "hexarena: there is no page:", tui.Plain(err.Error()))
	}
	if page := p.host.Page(); page != nil && !netconn.AddrPort(page.Addr()).Addr().IsLoopback() {
		fmt.Fprintln(p.Stderr, "hexarena: anyone who can reach the page can watch, and take a seat that "+
			"waits for a client; --http 127.0.0.1:8080 restricts it to this machine")
	}
}

// recordings returns where the matches are recorded; nil if they are not.
func (p *runner) recordings(keeper *recording.Keeper) *host.Recordings {
	if p.Record == "" {
		return nil
	}
	durable, err := recording.ParseDurability(p.Durable)
	if err != nil {
		panic(err) // the options were checked
	}
	return &host.Recordings{
		Dir: p.Record, Durable: durable, Keeper: keeper,
		Complain: func(error) {}, // playAll prints how it ended
	}
}

// startsBots reports whether a bot runs in another process.
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
	if !p.startsBots() || p.each.Bots.Launch.Logs == "" {
		return zerolog.New(warnings), func() {}, nil
	}
	dir := p.each.Bots.Launch.Logs
	var f *os.File
	if err = os.MkdirAll(dir, 0o755); err == nil {
		f, err = os.Create(filepath.Join(dir, "server.log"))
	}
	if err != nil {
		return log, nil, games.UsageError{
			Err: fmt.Errorf("logs = %q: %w; name a folder by --logs, or \"\" for none", dir, err),
		}
	}
	w := zerolog.ConsoleWriter{Out: f, NoColor: true, TimeFormat: time.TimeOnly}
	return zerolog.New(
		zerolog.MultiLevelWriter(w, warnings)).With().Timestamp().Logger(), func() { _ = f.Close() }, nil
}

// verdict returns the error that a report stands for, and prints why a match was not played to
// its end.
func (p *runner) verdict(r *result.Report) error {
	if r.Err != nil && (!p.asJSON || p.alternates()) {
		why := r.Err.Error()
		absent := func(s result.SeatReport) bool { return s.Status == result.Absent }
		if i := slices.IndexFunc(r.Seats, absent); p.asJSON && i >= 0 {
			why += ": " + r.Seats[i].Error // which is not printed when it happens
		}
		fmt.Fprintln(p.Stderr, "hexarena: the match was not played to its end:", tui.PlainLines(why))
	}
	return p.failure(r)
}

// failure returns the error that a report stands for, nil for a success.
func (p *runner) failure(r *result.Report) error {
	absent, unreliable := false, false
	for i := range r.Seats {
		s := &r.Seats[i]
		absent = absent || s.Status == result.Absent
		unreliable = unreliable || s.Status == result.Crashed || s.Status == result.Left ||
			s.Skipped > 0 || s.Denied > 0
	}
	missing := errors.Is(r.Err, seating.ErrNoBot) || errors.Is(r.Err, seating.ErrMissing)
	switch {
	case r.Err != nil && !missing:
		return ErrFailed
	case p.strict && absent:
		return ErrNeverJoined
	case r.Err != nil || absent:
		return ErrFailed
	case p.strict && unreliable:
		return ErrUnreliable
	}
	return nil
}
