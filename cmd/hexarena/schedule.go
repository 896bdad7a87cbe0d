package main

import (
	"context"
	"math/rand/v2"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/play"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/access"
	"github.com/hexarena/hexarena/server/access/nickname"
	"github.com/hexarena/hexarena/server/export"
	"github.com/hexarena/hexarena/server/hivemaker"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/machine/limits"
	"github.com/hexarena/hexarena/server/machine/probe"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/session"
	"github.com/hexarena/hexarena/server/web"
)

// schedule plays the matches of a server on its host, one after another.
type schedule struct {
	config    config.Config
	game      hosted
	log       zerolog.Logger
	public    host.Options      // what the host has in common with other public ones
	keeper    *recording.Keeper // nil: nothing is recorded
	tokens    *access.List      // nil: any client may take part
	sidecar   *host.Sidecar     // or nil
	hivemaker *hivemaker.Server // nil: no games are made by request

	host   *host.Host
	number int                       // of the match, from 1
	room   atomic.Pointer[host.Room] // of the match that is played; nil before the first

	ctx        context.Context // of the matches
	stop       context.CancelCauseFunc
	stopped    stopReason
	stopProbes func()
}

// openSchedule opens the host that the matches are played on. The caller has to call shutdown and
// close. The error is one in the settings, or says why the host cannot listen: see tellNotOpen.
func openSchedule(
	ctx context.Context, c config.Config, g hosted, log zerolog.Logger,
) (*schedule, error) {
	s, err := newSchedule(ctx, c, g, log)
	if err != nil {
		return nil, usage(err)
	}
	if err := s.open(); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func newSchedule(
	ctx context.Context, c config.Config, g hosted, log zerolog.Logger,
) (*schedule, error) {
	s := &schedule{config: c, game: g, log: log, stopProbes: func() {}}
	s.ctx, s.stop = context.WithCancelCause(context.WithoutCancel(ctx))
	s.public = host.Public(log, versionText())
	if g.plain { // netorcai bounds neither its log nor, until the system refuses, its connections
		s.public.Lines, s.public.Connections, s.public.Gate = nil, limits.NewConnections(0, log), nil
	}
	var err error
	if g.BotAPI && c.HTTP != "" {
		s.hivemaker = hivemaker.New(hivemaker.Options{
			Public: c.Public, AnyoneMayRequest: c.Tokens == "",
			Log: s.public.Lines.Bound(log, "requested games"),
			Start: func(ctx context.Context, spec host.Spec) (*host.Room, error) {
				return s.host.Start(ctx, spec)
			},
			Builtins: g.BuiltinNames(), Builtin: g.NewBuiltin, Reconnect: c.Reconnect,
		})
	}
	if c.Tokens != "" {
		if s.tokens, err = readTokens(c.Tokens); err != nil {
			return nil, err
		}
	}
	s.sidecar, err = host.SidecarFromEnvironment(os.Getenv, log)
	return s, err
}

// open opens the host, and answers probes at the address of --health, if there is one.
func (s *schedule) open() error {
	c := &s.config
	o := s.public
	o.Bind, o.Port, o.LoginTimeout, o.Netorcai = c.Bind, c.Port, c.LoginTimeout, s.game.plain
	o.Limits = limits.PortLimits{
		Connections: c.MaxConnections, PerAddress: c.MaxPerAddress, Local: host.LocalReserve,
	}
	o.WriteTimeout, o.Linger = c.WriteTimeout, c.Linger
	o.Allow = session.Allowances{
		Player: session.Allowance{
			Size: c.MaxMessageSize.Or(s.game.AnswerSize), Rate: c.MaxMessageRate, Depth: c.MaxMessageDepth,
		},
		Visualization: session.Allowance{
			Size: c.MaxVisuMessageSize, Rate: c.MaxVisuMessageRate, Depth: c.MaxMessageDepth,
		},
		Logic: session.Allowance{Size: c.MaxLogicMessageSize},
	}
	o.Page = s.page()
	if s.game.plain {
		o.Ends = s.stopped.claim
	} else { // netorcai's rule for nicknames is in the protocol
		o.Names = nickname.NewNames()
		if s.tokens != nil {
			o.Gate = nickname.Gate{Next: s.tokens}
		}
	}
	if s.sidecar != nil {
		o.Watchers = []match.Watcher{s.sidecar}
	}
	if c.Record != "" {
		durable, err := recording.ParseDurability(c.Durable)
		if err != nil {
			return usage(err)
		}
		s.keeper = recording.NewKeeper(nil, c.Record, recording.Keep(c.Keep), logTidied(s.log))
		o.Recordings = &host.Recordings{Dir: c.Record, Durable: durable, Keeper: s.keeper}
	}
	var err error
	if s.host, err = host.Open(o); err != nil {
		return err
	}
	if c.Health != "" {
		addr, stop, err := probe.Start(probe.Options{Address: c.Health, Ready: s.ready, Log: s.log})
		if err != nil {
			s.stop(err)
			s.shutdown()
			return err
		}
		s.stopProbes = stop
		s.log.Debug().Stringer("address", addr).Msg("Answering probes")
	}
	return nil
}

// page returns the description of the page; nil without a page.
func (s *schedule) page() *host.Page {
	c := &s.config
	if c.HTTP == "" {
		return nil
	}
	p := &host.Page{
		Options: web.Options{
			Address: c.HTTP, Hosts: strings.Fields(c.PageHosts), Proxies: proxiesOf(*c),
			Version: versionText(), Starter: gameList.Starter, Languages: gameList.StarterLanguages,
			Certificate: c.TLSCert, Key: c.TLSKey,
		},
		Near: s.pageMoves(), Optional: s.pageMoves(),
		Limits: limits.PortLimits{
			Connections: c.MaxPage, PerAddress: c.MaxPagePerAddress, Local: host.LocalReserve,
			Shared: true,
		},
	}
	if s.hivemaker != nil {
		p.More, p.NewGames, p.Requested = s.hivemaker.Handle, true, s.hivemaker.Session
	}
	if s.tokens != nil {
		p.Operates = s.tokens.Operates
	}
	if c.Record != "" {
		folder := web.NewFolder(c.Record, gameList.Replay)
		p.Recordings, p.Remove, p.Draw = folder, folder.Remove, export.Drawing(c.Record, gameList)
		if !c.Public {
			p.PlayOn = play.On(c.Record)
		}
		p.Analyse = analyseIn(c.Record, c.Public)
		p.Judges = judges()
	}
	return p
}

// pageMoves reports whether the page may be at another port than the settings say, or be missing,
// because its address is the default.
func (s *schedule) pageMoves() bool { return s.game.moves && s.config.TLSCert == "" }

// spec returns the description of the next match.
func (s *schedule) spec(settings match.Settings) host.Spec {
	c := &s.config
	s.number++
	seed := rand.Uint64()
	if c.Seed.Given {
		seed = c.Seed.Value + uint64(s.number-1)
	}
	spec := s.game.each
	spec.Settings, spec.Autostart, spec.NeedPlayer = settings, c.Autostart, !s.game.plain
	spec.Pace, spec.Seed, spec.Page.CanStart = s.game.pace(), seed, true
	spec.Reconnect, spec.PersonGrace = c.Reconnect, c.Reconnect
	spec.Extra = map[string]string{
		"order": string(c.Order), "turn_timeout": c.TurnTimeout.String(),
	}
	if c.Matches != config.Given(1) {
		spec.Labels = map[string]string{"match": strconv.Itoa(s.number)}
	}
	if spec.Pace == nil {
		spec.Pace = s.pace
	}
	if c.Pace == config.Fast {
		spec.Page.Interval = s.floor
	}
	if s.game.Mix != nil {
		spec.Page.Filler = s.game.Game
	}
	return spec
}

// pace returns the pace of a match whose game has no clock.
func (s *schedule) pace(settings match.Settings) match.Pace {
	if s.config.Pace == config.Fast {
		return match.Fast(s.config.TurnTimeout, s.floor(settings))
	}
	return match.Timer(config.FromMillis(settings.DelayFirst), config.FromMillis(settings.DelayTurns))
}

// floor returns the minimum length of a turn at the fast pace: the operator's delay between turns
// if tps was given, else 0. The program netorcai has no minimum.
func (s *schedule) floor(settings match.Settings) time.Duration {
	if d := s.config.TurnInterval; s.game.plain || !d.Given || d.Value == 0 {
		return 0
	}
	return config.FromMillis(settings.DelayTurns)
}

// settings returns the settings of the first match.
func (s *schedule) settings() match.Settings {
	c := &s.config
	return match.Settings{
		Turns: s.game.turns, Players: s.game.players, Specials: c.MaxSpecials, Visus: c.MaxVisus,
		DelayFirst: config.ToMillis(c.DelayFirstTurn), DelayTurns: config.ToMillis(c.Interval()),
	}
}

// match returns the current match.
func (s *schedule) match() *match.Match { return s.room.Load().Match() }

// ready reports whether clients can connect to a match or watch one.
func (s *schedule) ready() bool {
	if page := s.host.Page(); page != nil {
		return page.Ready()
	}
	room := s.room.Load()
	if room == nil {
		return false
	}
	select {
	case <-room.Done():
		return false
	default:
		return true
	}
}

// shutdown ends all matches, and returns when no connection is left. Clients have less time to
// disconnect when the schedule is stopped.
func (s *schedule) shutdown() {
	if s.hivemaker != nil {
		s.hivemaker.Close()
	}
	s.host.Shutdown(s.ctx)
	s.stopProbes()
}

// close releases the resources that are used until after shutdown.
func (s *schedule) close() {
	s.keeper.Close()
	s.stop(nil)
}

// proxiesOf returns the proxies that are trusted, which the settings' check has parsed before.
func proxiesOf(c config.Config) []netip.Prefix {
	list, _ := config.ParseNetworks(c.TrustedProxies)
	return list
}
