package main

import (
	"math/rand/v2"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/connlimit"
	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/hive"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/loglimit"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/memlimit"
	"github.com/hexarena/hexarena/server/metrics"
	"github.com/hexarena/hexarena/server/nickname"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/session"
	"github.com/hexarena/hexarena/server/web"
)

// bill is the matches that a server plays, one after another, and all that
// goes with each: its recording, its place on the page, its figures.
type bill struct {
	config  config.Config
	game    hosted
	order   match.Order
	durable recording.Durability
	keeper  *recording.Keeper // nil: nothing is recorded
	log     zerolog.Logger
	metrics *metrics.Metrics
	tokens  *guard // nil: everybody may take part
	sidecar sidecar
	page    *web.Server // nil: there is none
	server  *host.Host  // once the page is open
	crew    *crew       // the same
	hive    *hive.Hive  // nil: games are not made by request
	number  int         // of the match, from 1
	first   web.Match

	connections *connlimit.Limiter // of all ports
	lines       *loglimit.Limiter  // of the log; nil: netorcai's has no bound
	names       *nickname.Names    // of the players of all matches; nil: as they ask, as with netorcai
}

func newBill(c config.Config, g hosted, log zerolog.Logger) (*bill, error) {
	b := &bill{config: c, game: g, log: log, metrics: metrics.New(versionText())}
	descriptors := connlimit.Descriptors()
	if g.plain {
		descriptors = 0 // netorcai accepts connections until the system refuses
	} else {
		b.lines = loglimit.New(log)
		b.names = nickname.NewNames()
	}
	b.connections = connlimit.New(descriptors, log)
	var err error
	if b.order, err = match.ParseOrder(string(c.Order)); err != nil {
		return nil, err
	}
	if c.Record != "" {
		if b.durable, err = recording.ParseDurability(c.Durable); err != nil {
			return nil, err
		}
		b.keeper = newKeeper(c.Record, c.Keep, logTidied(log))
	}
	if g.BotAPI && c.HTTP != "" {
		b.hive = hive.New(hive.Options{
			Public: c.Public, Guests: c.Tokens == "", Watch: b.watchRequested, Log: b.lines.Bound(log, "requested games"),
			Builtins: g.BuiltinNames(), Builtin: g.NewBuiltin, Reconnect: c.Reconnect,
		})
	}
	if c.Tokens != "" {
		list, err := readTokens(c.Tokens)
		if err != nil {
			return nil, err
		}
		b.tokens = newGuard(list)
	}
	b.sidecar, err = newSidecar(log)
	return b, err
}

// localReserve is how many connections of this machine a full port admits: enough for
// a probe and for an operator with a browser.
const localReserve = 8

// options are those of a server that plays the bill.
func (b *bill) options() host.Options {
	c := &b.config
	settings := match.Settings{
		Turns: b.game.turns, Players: b.game.players, Specials: c.MaxSpecials, Visus: c.MaxVisus,
		DelayFirst: config.ToMillis(c.DelayFirstTurn), DelayTurns: config.ToMillis(c.Interval()),
	}
	o := host.Options{
		Bind: c.Bind, Port: c.Port, LoginTimeout: c.LoginTimeout, Netorcai: b.game.plain, Log: b.log, Lines: b.lines, Meter: b.metrics,
		Limits:       connlimit.Limits{Connections: c.MaxConnections, PerAddress: c.MaxPerAddress, Local: localReserve},
		Connections:  b.connections,
		Buffers:      bufferBudget(),
		WriteTimeout: c.WriteTimeout, Linger: c.Linger, Allow: session.Allowances{
			Player:        session.Allowance{Size: c.MaxMessageSize.Or(b.game.AnswerSize), Rate: c.MaxMessageRate, Depth: c.MaxMessageDepth},
			Visualization: session.Allowance{Size: c.MaxVisuMessageSize, Rate: c.MaxVisuMessageRate, Depth: c.MaxMessageDepth},
			Logic:         session.Allowance{Size: c.MaxLogicMessageSize},
		},
	}
	switch {
	case b.game.plain: // netorcai's rule for nicknames is in the protocol
	case b.tokens != nil:
		o.Gate = nickname.Gate{Next: b.tokens}
	default:
		o.Gate = nickname.Gate{}
	}
	if b.game.Instance.New == nil {
		o.Logic = session.NewLogic(c.GameTimeout, b.log)
	}
	if c.Matches != config.Given(1) {
		o.Next = b.next
	}
	o.Match, b.first = b.match(settings)
	return o
}

// bufferBudget returns how many bytes the large messages of all connections may take:
// a quarter of what the process may use, since histories may take up to half of it and
// the rest has to live as well; 0 if there is no such limit.
func bufferBudget() int64 {
	const share = 4
	limit := memlimit.Apply().Bytes
	if limit == 0 {
		return 0
	}
	return max(limit/share, 2*netorcai.Limit) // or a single message might not fit
}

// match makes the next match, and what the page shows of it.
func (b *bill) match(settings match.Settings) (match.Options, web.Match) {
	c := &b.config
	b.number++
	seed := rand.Uint64()
	if c.Seed.Given {
		seed = c.Seed.Value + uint64(b.number-1)
	}
	log := b.log
	if c.Matches != config.Given(1) {
		log = log.With().Int("match", b.number).Logger()
	}
	o := match.Options{
		Settings: settings, Autostart: c.Autostart, NeedPlayer: !b.game.plain, Netorcai: b.game.plain, Pace: b.game.pace(), Order: b.order, Seed: seed, Grace: c.Reconnect, Log: log, Lines: b.lines,
	}
	if b.names != nil {
		o.Names, o.Watchers = b.names, append(o.Watchers, b.names)
	}
	if o.Pace == nil {
		o.Pace = b.pace
	}
	var game engine.Game // nil: the rules are elsewhere
	if b.game.Instance.New != nil {
		game = b.game.Instance.New()
		o.Referee = match.Local(game)
	}
	var r *recording.Recorder
	if c.Record != "" {
		r = b.recorder(b.game.Instance, game, seed, log)
		o.Watchers = append(o.Watchers, r, b.metrics.Watch(r))
	} else {
		o.Watchers = append(o.Watchers, b.metrics.Watch(nil))
	}
	var shown web.Match
	if c.HTTP != "" {
		shown = web.Match{Feed: b.feed(game, &o, r), Map: b.game.Board}
		o.Watchers = append(o.Watchers, shown.Feed)
	}
	if b.sidecar.Sidecar != nil {
		o.Watchers = append(o.Watchers, b.sidecar)
	}
	return o, shown
}

// next is the match after one that is over: it has the settings that the
// operator left.
func (b *bill) next(last *match.Ending) *match.Match {
	if n := b.config.Matches; n.Given && b.number >= n.Value {
		return nil
	}
	o, shown := b.match(last.Settings)
	m := match.New(o)
	b.show(m, shown)
	return m
}

// recorder records a match. That something goes wrong with it is logged, and
// the match goes on.
func (b *bill) recorder(i games.Instance, game engine.Game, seed uint64, log zerolog.Logger) *recording.Recorder {
	c := &b.config
	return recording.New(recording.Options{
		Dir: c.Record, Durable: b.durable, Program: "hexarena " + versionText(),
		Keeper: b.keeper,
		Game:   game, Map: i.Setup, MapName: i.Map, Seed: seed,
		Extra: map[string]string{"order": string(c.Order), "turn_timeout": c.TurnTimeout.String()},
		Complain: func(err error) {
			if err == nil {
				log.Warn().Msg("Recording goes on, nothing is lost")
				return
			}
			log.Error().Err(err).Msg("Recording failed")
		},
	})
}

func (b *bill) feed(game engine.Game, o *match.Options, r *recording.Recorder) *feed.Feed {
	opts := feed.Options{Game: b.config.Game, Seed: o.Seed, Settings: o.Settings, Autostart: o.Autostart, Recording: r.Name}
	if game != nil {
		opts.Rules, opts.Map = game, b.game.Map
	}
	if b.config.Pace == config.Fast {
		opts.Interval = b.floor
	}
	return feed.New(opts)
}

// pace is the pace of the matches.
func (b *bill) pace(s match.Settings) match.Pace {
	if b.config.Pace == config.Fast {
		return match.Fast(b.config.TurnTimeout, b.floor(s))
	}
	return match.Timer(config.FromMillis(s.DelayFirst), config.FromMillis(s.DelayTurns))
}

// floor returns the least length of a turn at the fast pace: what the operator wants it to be, if
// tps was given. The program netorcai has none.
func (b *bill) floor(s match.Settings) time.Duration {
	if d := b.config.DelayTurns; b.game.plain || !d.Given || d.Value == 0 {
		return 0
	}
	return config.FromMillis(s.DelayTurns)
}
