package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/logs"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/arena"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/seat"
)

func newPlay() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "play [SEAT…]",
		Short: "Play one match on this machine",
		Long: `Play one match on this machine and print the ranking.

A SEAT is a built-in bot (` + strings.Join(gameList[0].BuiltinNames(), ", ") + `), a file (.py, .js, .jar or a
program), a command line in quotes, page for a bot that is written in the page, open for
any client that logs in, wait or wait:NAME for a bot that you start yourself, in a debugger
if you like, stdio:COMMAND for a bot that reads messages from its standard input and writes
its own to its standard output, one a line, or the address of a bot that speaks the HTTTX
Bot API, if that has the game. The match waits for page, open and wait seats. Without a
SEAT, built-in bots take all seats of the map. Commands are started one after another,
each when the one before has logged in. They find the server by BOT_HOST and BOT_PORT in
their environment, or by {host} and {port} in their words; they may use BOT_NICKNAME and
BOT_SEED. What they print goes to files in the folder of --logs. The match is recorded in
a file in the folder of --record, which hexarena replay reads.

On a terminal the match is shown at 10 turns a second; f switches to full speed
and back, q stops. Elsewhere it is played at full speed. A page on --http shows it
as well; --open opens that, and keeps it when the match is over, with a button to play
again. With --watch another match begins whenever a bot's file has changed.

With --headless, built-in bots play without a server, --count matches, --jobs at
once, as fast as the machine allows, and a table shows how often each bot won.

Settings also come from a YAML file (--config) and from the environment (HEXARENA_TURNS for
--turns); hexarena config play shows what is in force.

` + gameList.Help(func(g *games.Game) string { return g.PlayHelp }) + `A login belongs to the bot whose process it comes from: a bot that logs in again, under
any nickname, gets no second seat. One that comes from a process that is no
descendant of a started bot's is marked in the ranking; --strict refuses it.

The exit code is 0 when the match was played to its end, 2 for wrong flags or seats, else
1. With --strict it is 3 when a bot never logged in, 4 when one crashed, left early,
skipped a turn or logged in twice.`,
		Example: `  hexarena play
  hexarena play my_bot.py painter --open
  hexarena play page painter --open
  hexarena play "./my_bot --port {port}" random random --map pebble --turns 300
  hexarena play --seed 7
` + gameList.Examples("  hexarena play ") + `  hexarena play --headless --count 1000 painter hunter random random`,
		RunE: func(cmd *cobra.Command, args []string) error {
			v, err := playScope.Load(cmd.Flags(), os.Environ())
			o := newPlayOptions(v, err, args)
			run, err := preparePlay(cmd.Context(), o, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			return run(cmd.Context())
		},
	}
	defineSettings(cmd, playScope)
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return append(gameList[0].BuiltinNames(), seat.PageArgument, seat.OpenArgument, seat.WaitArgument), cobra.ShellCompDirectiveDefault // and files
	}
	return cmd
}

// preparePlay looks at all options, and returns what plays. The error holds all mistakes.
func preparePlay(ctx context.Context, o playOptions, stdin io.Reader, stdout, stderr io.Writer) (run func(context.Context) error, err error) {
	p, err := newPlayRun(ctx, o, stdin, stdout, stderr)
	switch {
	case err != nil:
		return nil, usage(err)
	case p.headless:
		return p.runHeadless, nil
	}
	return p.run, nil
}

// playRun is a match that is about to be played, and those that follow it.
type playRun struct {
	playOptions
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	live   bool // the board is drawn while the match is played

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

// newPlayRun looks at all options, and tells of all mistakes at once.
func newPlayRun(ctx context.Context, o playOptions, stdin io.Reader, stdout, stderr io.Writer) (*playRun, error) {
	p := &playRun{playOptions: o, stdin: stdin, stdout: stdout, stderr: stderr, seed: o.seed}
	p.live = !o.asJSON && tui.IsTerminal(stdout) && os.Getenv("TERM") != "dumb" && gameList.Find(o.game).Terminal != nil
	wrong := []error{o.wrong}
	var err error
	if o.orderName != "" { // else the game has no use for it
		if p.order, err = match.ParseOrder(string(o.orderName)); err != nil {
			return nil, errors.Join(o.wrong, err)
		}
	}
	p.game = gameList.Find(o.game)
	if p.instance, err = p.game.New(o.values); err != nil {
		wrong = append(wrong, err)
	}
	if p.instance.New == nil {
		return nil, errors.Join(wrong...)
	}
	arguments := o.arguments
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
			wrong = append(wrong, o.values.Mistake("watch", "none of these bots is a file that could change; name one, such as my_bot.py"))
		}
		p.watched = launch.NewWatch(files)
	}
	return p, errors.Join(wrong...)
}

// newBuiltin is an arena.Builtin for the game.
func (p *playRun) newBuiltin(name string, seed uint64) (netorcai.Bot, error) {
	bot, err := p.game.NewBuiltin(name, seed)
	if err == nil {
		return bot, nil
	}
	for _, other := range gameList {
		if slices.Contains(other.BuiltinNames(), name) {
			return nil, fmt.Errorf("%s plays another game; add --game %s", name, other.Name)
		}
	}
	return nil, err
}

// errInterrupted is why a match ends that somebody does not want to see on.
var errInterrupted = errors.New("interrupted")

// interruptible is a context that ends with ctx or, unless nohup forbids it, with
// the terminal, and says so plainly.
func interruptible(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	stop := func() {}
	if !signal.Ignored(syscall.SIGHUP) {
		ctx, stop = signal.NotifyContext(ctx, syscall.SIGHUP)
	}
	plain, interrupt := context.WithCancelCause(context.WithoutCancel(ctx))
	unhook := context.AfterFunc(ctx, func() { interrupt(errInterrupted) })
	return plain, func(err error) {
		interrupt(err)
		unhook()
		stop()
	}
}

// run plays the match, and more of them if that is wanted, and says how the last
// one went.
func (p *playRun) run(ctx context.Context) error {
	ctx, interrupt := interruptible(ctx)
	defer interrupt(nil)
	// Whoever reads our output may go; we must live to see the bots off.
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE)
	defer signal.Stop(broken)

	p.keeper = p.newKeeper(p.stderr)
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

// startsBots says whether any bot runs in a process of its own.
func (p *playRun) startsBots() bool {
	return slices.ContainsFunc(p.seats, func(s seat.Spec) bool { return s.Kind == seat.Process })
}

// serverLog is where the server logs: beside the started bots' logs, if there
// are any. It tells, among other things, why somebody was thrown out.
func (p *playRun) serverLog() (log zerolog.Logger, done func(), err error) {
	var warnings io.Writer = io.Discard // of bots that are dialled, such as odd capabilities
	if p.game.BotAPI {
		warnings = logs.WarningWriter(p.stderr)
	}
	if !p.startsBots() || p.logs == "" {
		return zerolog.New(warnings), func() {}, nil
	}
	if err := os.MkdirAll(p.logs, 0o755); err != nil {
		return log, nil, usageErrorf("--logs: %w", err)
	}
	f, err := os.Create(filepath.Join(p.logs, "server.log"))
	if err != nil {
		return log, nil, usageErrorf("--logs: %w", err)
	}
	w := zerolog.ConsoleWriter{Out: f, NoColor: true, TimeFormat: time.TimeOnly}
	return zerolog.New(zerolog.MultiLevelWriter(w, warnings)).With().Timestamp().Logger(), func() { _ = f.Close() }, nil
}

// tell writes what came of the match.
func (p *playRun) tell(r *arena.Report) error {
	if p.asJSON {
		return writeResult(p.stdout, p, r)
	}
	tui.WriteFailures(p.stderr, r)
	if err := tui.WriteRanking(p.stdout, p.instance.Map, p.again(), r); err != nil {
		return err
	}
	return p.tellRecording()
}

// verdict returns the exit code that a report stands for, and tells why a match was not
// played to its end.
func (p *playRun) verdict(r *arena.Report) error {
	if r.Err != nil && (!p.asJSON || p.alternates()) {
		fmt.Fprintln(p.stderr, "hexarena: the match was not played to its end:", tui.Plain(r.Err.Error()))
	}
	if code := p.exitCode(r); code != 0 {
		return exitError{code}
	}
	return nil
}

// exitCode returns the exit code that a report stands for.
func (p *playRun) exitCode(r *arena.Report) int {
	absent, unreliable := false, false
	for i := range r.Seats {
		s := &r.Seats[i]
		absent = absent || s.Status == arena.Absent
		unreliable = unreliable || s.Status == arena.Crashed || s.Status == arena.Left || s.Skipped > 0 || s.Denied > 0
	}
	missing := errors.Is(r.Err, arena.ErrNobody) || errors.Is(r.Err, arena.ErrMissing)
	switch {
	case r.Err != nil && !missing:
		return exitFailure
	case p.strict && absent:
		return exitNeverJoined
	case r.Err != nil:
		return exitFailure
	case p.strict && unreliable:
		return exitUnreliable
	}
	return 0
}
