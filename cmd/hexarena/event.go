package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/logs"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/rounds"
	"github.com/hexarena/hexarena/server/event/site"
	"github.com/hexarena/hexarena/server/export"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/machine/limits"
	"github.com/hexarena/hexarena/server/machine/netconn"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/machine/probe"
	"github.com/hexarena/hexarena/server/metrics"
	"github.com/hexarena/hexarena/server/session"
	"github.com/hexarena/hexarena/server/web"
)

// eventScope holds the settings of event.
var eventScope = config.Scope{Command: config.Event, Games: gameList.Settings()}

// eventDir is the folder of an event, unless another one is named.
const eventDir = "event"

// eventOptions are what the flags of event say, beside the settings.
type eventOptions struct {
	dir, rounds, pairing, url, send, js string
	name                                string
	class, binaries, exam               string
	workers, nats                       string
	seats, jsMemory                     int
	newTokens                           bool
}

func newEvent() *cobra.Command {
	o := eventOptions{dir: eventDir}
	cmd := &cobra.Command{
		Use:   "event [DIR]",
		Short: "Host a hackathon or a course: teams join, and rounds are played all day",
		Long: `Host an event. Teams sign up on the page /join with the code that /screen shows, and get a
token. Their bots log in with it, wait, and play rounds: each round has one match of each
team that is ready, all matches side by side. A bot that asks to stay plays one round after
another; others connect again after each match. Built-in bots fill free seats and do not count.

The event is kept in DIR, a folder below the current one called event if it is not given,
and goes on when the command is called again. hexarena cup show and cup export read it.

With --workers other machines play the matches in which no team is connected, which are those of
bots that were sent, also of the official standings. Other matches, finals, practice and test
matches are played here, and so is all else while no worker is there.

It prints three addresses: the screen for a projector, the page to join, and the operator's
page with its secret. It reads commands from standard input, a line each:

  round               begin a round now
  pause, resume       begin no round, or rounds again
  deadline TIME       announce that versions freeze, such as in 30m; deadline off takes it back
  freeze, thaw        freeze versions now and play official matches, or take that back
  final FORMAT [TEAMS [MATCHES]]
                      play a final, such as final knockout 8 3: FORMAT is knockout or groups,
                      and each table plays so many matches; final off takes it back
  forget TEAM         remove a team for good, with all that it made
  quit                end

hexarena event rehearse plays an event speeded up to try this machine, hexarena event similar
compares the bots that teams have sent, and hexarena event forget removes a team while the event
does not run.`,
		Example: `  hexarena event
  hexarena event friday --rounds 5m --map crossroads
  hexarena event --rounds ready --turns 50`,
		Args: cobra.MaximumNArgs(1),
	}
	f := cmd.Flags()
	f.StringVar(&o.rounds, "rounds", "2m", "when a round begins: every so long, such as 2m; ready, "+
		"when all teams are, or after five minutes (ready:2m: after two); or operator")
	f.StringVar(&o.name, "name", "", "name of the event, which its pages show; the folder's if it is "+
		"not given")
	f.StringVar(&o.pairing, "pairing", "equal",
		"equal: all teams meet equally often; near: teams of near ratings meet more often")
	f.IntVar(&o.seats, "seats", 0, "seats of a match; 0 for as many as the map has")
	f.StringVar(&o.send, "send", sendAuto, "whether teams may send their bots: auto, "+
		"those in JavaScript, and all others if podman or docker can isolate them; isolated, or the "+
		"event does not start; trusted, which lets the others run with your rights; or off")
	f.StringVar(&o.js, "js", "builtin", "what runs bots in JavaScript that teams send: builtin, "+
		"hexarena itself, confined; or node, isolated as the others")
	f.IntVar(&o.jsMemory, "js-memory", launch.SentMemory, "memory in MiB of a bot in JavaScript that "+
		"hexarena runs itself")
	f.StringVar(&o.url, "url", "", "address of the pages that browsers are shown, if it is not that "+
		"of this machine, such as http://arena.example")
	f.StringVar(&o.class, "class", "", "a file with a name on each line: a team is signed up for "+
		"each of them, and /admin prints their slips")
	f.BoolVar(&o.newTokens, "new-tokens", false, "make another secret if DIR has an event without "+
		"it: the tokens of all teams and the operator's address change")
	f.StringVar(
		&o.binaries, "binaries", "",
		"a folder with the programs or archives of a release, which teams can fetch; if it is not "+
			"given, the folder binaries beside hexarena, and hexarena itself",
	)
	f.StringVar(&o.exam, "exam", "", "YAML file of an exam, as of hexarena cup --exam, that the "+
		"versions take which teams send; their pages show the marks")
	completeFiles(cmd, "exam", "yaml", "yml")
	f.StringVar(
		&o.workers, "workers", "",
		"have workers on other machines play the matches of rounds in which all teams have sent their "+
			"bots; they find this machine at host:port, such as :4333; prints how to start one",
	)
	f.StringVar(&o.nats, "nats", "",
		"the same over the NATS servers with JetStream at these URLs, separated by commas")
	defineSettings(cmd, eventScope)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			o.dir = args[0]
		}
		v, err := eventScope.Load(cmd.Flags(), os.Environ())
		if err != nil {
			return usage(err)
		}
		ctx, done := cli.ServerContext(cmd.Context(), v.Text("tls-cert"))
		defer done(nil)
		return o.run(ctx, v, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
	}
	cmd.AddCommand(newEventRehearse(), newEventForget(), newEventSimilar())
	return cmd
}

// readyWait is the time that a round waits for all teams to be ready, unless --rounds says: so that
// one that is gone does not stop the others for the day.
const readyWait = 5 * time.Minute

// start returns when rounds begin.
func (o *eventOptions) start() (rounds.Start, error) {
	if o.rounds == "operator" {
		return rounds.Start{}, nil
	}
	if rest, ready := strings.CutPrefix(o.rounds, "ready"); ready {
		longest, err := time.ParseDuration(cmp.Or(strings.TrimPrefix(rest, ":"), readyWait.String()))
		if err != nil || longest < time.Second || rest != "" && rest[0] != ':' {
			return rounds.Start{}, fmt.Errorf("--rounds %s: want ready, or ready: and how long a "+
				"round waits for the others at most, such as ready:2m", o.rounds)
		}
		return rounds.Start{Ready: true, Longest: longest}, nil
	}
	every, err := time.ParseDuration(o.rounds)
	if err != nil || every < time.Second {
		return rounds.Start{}, fmt.Errorf(
			"--rounds %s: want a time of a second or more such as 2m, ready or operator", o.rounds)
	}
	return rounds.Start{Every: every}, nil
}

// options returns what the event plays, and how.
func (o *eventOptions) options(
	v config.Values,
) (what event.Options, how rounds.Options, err error) {
	g := gameList.Find(v.Text("game"))
	board, err := g.New(v)
	if err != nil {
		return what, how, err
	}
	seats := cmp.Or(o.seats, board.Players)
	switch {
	case board.New == nil || len(g.BuiltinNames()) == 0:
		err = fmt.Errorf(
			"an event of --game %s: the game has no built-in bots for free seats; choose another one",
			g.Name)
	case seats < 2 || seats > board.Players || seats < board.Players && board.At == nil:
		err = fmt.Errorf("--seats %d: want 2 to %d, which the map has", seats, board.Players)
	case o.pairing != "equal" && o.pairing != "near":
		err = fmt.Errorf("--pairing %s: want equal or near", o.pairing)
	}
	start, wrong := o.start()
	if err = errors.Join(err, wrong); err != nil {
		return what, how, err
	}
	what = event.Options{Dir: o.dir, Plan: plan.Plan{
		Bots: builtinsOf(g), Format: plan.Ladder, Game: g.Name, Seats: seats,
		Settings: []plan.Setting{
			{Name: "turns", Value: fmt.Sprint(v.Int("turns"))},
			{Name: "turn-timeout", Value: v.Duration("turn-timeout").String()},
		},
		Maps: []plan.Map{
			{Name: board.Map, Digest: sha256.Sum256(board.Setup), Places: board.Players},
		},
	}}
	what.Origin = o.origin(v)
	if rules := g.OtherRules(&board); rules != "" {
		what.Plan.Settings = append(what.Plan.Settings, plan.Setting{Name: "rules", Value: rules})
	}
	how.Boards = map[string]games.Instance{}
	for _, name := range g.Maps() {
		other, err := g.New(v.With("map", name))
		if err != nil || other.Players < seats || other.Players > seats && other.At == nil {
			continue
		}
		how.Boards[name] = other
		if name != board.Map {
			what.Plan.Maps = append(what.Plan.Maps,
				plan.Map{Name: name, Digest: sha256.Sum256(other.Setup), Places: other.Players})
		}
	}
	how.Boards[board.Map] = board
	c := v.Config()
	return what, rounds.Options{
		Start: start, Near: o.pairing == "near", Game: g, Board: board, Turns: c.MaxTurns,
		TurnTimeout: c.TurnTimeout, Boards: how.Boards, Reconnect: c.Reconnect, Seed: rand.Uint64(),
	}, nil
}

// notInOrigin are the settings of an event that have no part in its matches. Everyone can read the
// others.
var notInOrigin = []string{
	"bind", "port", "health", "login-timeout", "write-timeout", "max-connections",
	"max-connections-per-address", "max-page-connections", "max-page-connections-per-address",
	"http", "page-hosts", "trusted-proxies", "tls-cert", "tls-key", "verbose", "quiet", "debug",
	"json-logs", "isolate-image", "isolate-memory", "isolate-cpus", "ask-publication", "ask-ai",
}

// origin returns which program begins the event, and the command that begins another one like it.
func (o *eventOptions) origin(v config.Values) archive.Origin {
	words := append([]string{"hexarena", "event"}, v.Arguments(notInOrigin...)...)
	words = append(words, "--rounds", o.rounds, "--pairing", o.pairing)
	if o.seats > 0 {
		words = append(words, "--seats", strconv.Itoa(o.seats))
	}
	return archive.Origin{Version: versionText(), Commit: commitText(), Command: words}
}

// signUpClass signs up the names of the class list that have no team yet.
func (o *eventOptions) signUpClass(e *event.Event, stderr io.Writer) error {
	if o.class == "" {
		return nil
	}
	text, err := os.ReadFile(o.class)
	if err != nil {
		return usage(fmt.Errorf("--class: %w", err))
	}
	if err := e.SignUpClass(string(text)); err != nil {
		return usage(fmt.Errorf("--class %s, of which no team was signed up:\n%w", o.class, err))
	}
	fmt.Fprintln(stderr, "class   the teams of", o.class, "have signed up; /admin prints their slips")
	return nil
}

// title returns the name that the pages show.
func (o *eventOptions) title() string {
	full, err := filepath.Abs(o.dir)
	if err != nil {
		full = o.dir
	}
	return cmp.Or(o.name, filepath.Base(full))
}

// programs returns the programs that teams can fetch.
func (o *eventOptions) programs() site.Binaries {
	program, _ := os.Executable() // "" if it is not known
	dir := o.binaries
	if resolved, err := filepath.EvalSymlinks(program); err == nil && dir == "" {
		dir = filepath.Join(filepath.Dir(resolved), binariesDir)
	}
	return site.Binaries{Dir: dir, Program: program}
}

// binariesDir is the folder beside the program with the programs of all systems, as releases have
// it.
const binariesDir = "binaries"

// builtinsOf returns the built-in bots of a game, which fill seats.
func builtinsOf(g *games.Game) (bots []plan.Bot) {
	for _, name := range g.BuiltinNames() {
		if name != g.Special {
			bots = append(bots, plan.Bot{Name: name, Seat: name})
		}
	}
	return bots
}

// run hosts the event until ctx ends or the operator quits.
func (o *eventOptions) run(
	ctx context.Context, v config.Values, stdin io.Reader, stdout, stderr io.Writer,
) error {
	what, how, err := o.options(v)
	if err = errors.Join(err, checkURL(o.url), checkBinaries(o.binaries)); err != nil {
		return usage(err)
	}
	console := logs.NewConsole(stderr)
	defer console.Close()
	c := v.Config()
	how.Log = logs.New(console, c.LogLevel, c.JSONLogs, false)
	what.Log, what.NewTokens = how.Log, o.newTokens
	_, absent := os.Lstat(o.dir)
	e, err := event.Open(what)
	if err != nil {
		return err
	}
	begun := !errors.Is(absent, fs.ErrNotExist)
	defer func() {
		if !begun { // its secret was not shown, so that the folder is of no use
			_ = os.RemoveAll(o.dir)
		}
	}()
	defer e.Close()
	if err := o.signUpClass(e, stderr); err != nil {
		return err
	}
	sending, err := o.sending(ctx, v, e.VersionsDir())
	if err != nil {
		return usage(err)
	}
	sending.tell(how.Log)
	how.Store = sending.Store
	var closeExam func()
	if how.Exam, closeExam, err = o.examOf(ctx, v, sending); err != nil {
		return usage(err)
	}
	defer closeExam()
	public, counts := host.Public(how.Log, versionText()), metrics.New(versionText())
	public.Metrics = counts
	workers, err := o.openWorkers(ctx, v, public.Connections, e, &what, &how, sending)
	if err != nil {
		return err
	}
	defer workers.close()
	workers.count(counts)
	player := rounds.New(e, how)
	counts.Event(func() metrics.Event { return countedEvent(e, player) })
	pages := &site.Site{
		Name: o.title(), Event: e, Rounds: player, URL: o.url, TLS: c.TLSCert != "",
		Starter: gameList.Starter, Languages: gameList.StarterLanguages,
		Binaries: o.programs(), NoSend: sending.Refusal,
		AskPublication: v.Bool("ask-publication"), AskAI: v.Bool("ask-ai"),
	}
	h, err := player.Open(o.hosting(public, c, e, pages, how))
	if err != nil {
		return tellNotOpen(err, hosted{}, how.Log)
	}
	if c.Health != "" {
		_, stop, err := probe.Start(probe.Options{
			Address: c.Health, Log: how.Log, Unready: "the event's disk is full",
			Ready: func() bool { return e.View().Failure == nil },
		})
		if err != nil {
			h.Shutdown(ctx)
			return tellNotOpen(err, hosted{}, how.Log)
		}
		defer stop()
	}
	begun = true
	addresses := web.Reachable(h.Addr())
	pages.Bots.Store(&addresses)
	ctx, quit := context.WithCancel(ctx)
	defer quit()
	tellAddresses(stdout, stderr, h, pages)
	workers.tell(stdout)
	if mbit, err := rounds.ExpectedTraffic(how.Board, what.Plan.Seats); err == nil {
		fmt.Fprintf(stderr, "network %.0f Mbit/s for %d bots at %d turns a second; about a tenth "+
			"with hexarena join\n", mbit, rounds.ExpectedTeams, rounds.ExpectedTurns)
	}
	readEventCommands(stdin, stderr, e, player, quit)
	return playRounds(ctx, how.Log, player, h, e)
}

// tellAddresses prints where the pages are.
func tellAddresses(stdout, stderr io.Writer, h *host.Host, pages *site.Site) {
	fmt.Fprintf(stdout, "screen  %s/screen\njoin    %s/join\nadmin   %s/admin#%s\n", pages.Here(),
		pages.Here(), pages.Here(), pages.Event.Admin())
	if !netconn.AddrPort(h.Addr()).Addr().IsLoopback() && pages.Unreachable() {
		fmt.Fprintln(stderr, "network other machines may be unable to reach these addresses, so the "+
			"screen shows none: give one that browsers can reach by --url")
	}
}

// playRounds plays rounds until ctx ends, and then shuts the host down.
func playRounds(
	ctx context.Context, log zerolog.Logger, player *rounds.Rounds, h *host.Host, e *event.Event,
) (err error) {
	if p := panics.Catch(func() { player.Run(ctx) }); p != nil {
		log.Error().EmbedObject(p).Msg("The rounds failed")
		err = exitError{exitFailure}
	}
	if errors.Is(context.Cause(ctx), cli.ErrInterrupted) {
		h.Interrupt()
	}
	h.Shutdown(ctx)
	if failed := e.DropAddresses(); failed != nil {
		log.Error().Err(failed).Msg("The addresses that teams signed up from stay in the folder")
	}
	return err
}

// hosting returns the options h of a public host with those of the event's port and pages.
func (o *eventOptions) hosting(
	h host.Options, c config.Config, e *event.Event, pages *site.Site, how rounds.Options,
) host.Options {
	h.Bind, h.Port, h.Linger = c.Bind, c.Port, 5*time.Second
	h.LoginTimeout, h.WriteTimeout = c.LoginTimeout, c.WriteTimeout
	h.Limits = limits.PortLimits{
		Connections: c.MaxConnections, PerAddress: c.MaxPerAddress, Local: host.LocalReserve,
	}
	h.Allow = session.Allowances{Player: session.Allowance{
		Size: c.MaxMessageSize.Or(how.Board.AnswerSize), Rate: c.MaxMessageRate, Depth: c.MaxMessageDepth,
	}}
	h.Recordings = &host.Recordings{Dir: e.RecordingsDir()}
	h.Page = &host.Page{
		Options: web.Options{
			Address: cmp.Or(c.HTTP, "127.0.0.1:0"), Certificate: c.TLSCert, Key: c.TLSKey,
			Hosts: append(hostsOf(o.url), strings.Fields(c.PageHosts)...), Proxies: proxiesOf(c),
			Version: versionText(), Starter: gameList.Starter, Languages: gameList.StarterLanguages,
			Recordings: web.NewFolder(e.RecordingsDir(), gameList.Replay),
			Draw:       export.Drawing(e.RecordingsDir(), gameList),
			Operates:   e.Operates, More: pages.Handle,
			Lobby: &web.Lobby{Event: o.title(), Game: how.Game.Name},
		},
		Limits: limits.PortLimits{
			Connections: c.MaxPage, PerAddress: c.MaxPagePerAddress, Local: host.LocalReserve,
			Shared: true,
		},
	}
	return h
}
