package main

import (
	"github.com/hexarena/hexarena/bots"
	"github.com/hexarena/hexarena/server/connlimit"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/web"
)

// openPage shows the matches in browsers, at the url, until leave. If it moves,
// it takes the next free port when its own is taken.
func (b *bill) openPage(srv *host.Host, moves bool) (url string, leave func(), err error) {
	o := web.Options{Address: b.config.HTTP, Version: versionText(), Starter: bots.Starter(), Metrics: b.metrics.Handler(), Log: b.log}
	port := b.connections.Port(connlimit.Limits{Connections: b.config.MaxPage, PerAddress: b.config.MaxPagePerAddress, Local: localReserve, Shared: true})
	o.Admit = func(address string) (web.Slot, string) {
		slot, refusal := port.Admit(address)
		if refusal != "" {
			b.metrics.Refused(refusal)
		}
		return slot, refusal
	}
	if b.hive != nil {
		o.More, o.NewGames = b.hive.Handle, true
	}
	o.Certificate, o.Key = b.config.TLSCert, b.config.TLSKey
	if b.tokens != nil {
		o.Operates = b.tokens.Operates
	}
	if b.config.Record != "" {
		o.Recordings = web.NewFolder(b.config.Record, gameList.Replay)
		o.Analyse = analyseIn(b.config.Record, b.config.Public)
		_, o.Judges = judged()
	}
	listen := web.Listen
	if moves {
		listen = web.ListenNear
	}
	s, err := listen(o)
	if err != nil {
		return "", nil, err
	}
	b.metrics.Viewers(s.Viewers)
	b.page, b.server, b.crew = s, srv, newCrew(b.game.Game, srv.Addr(), b.tokens.password(), b.log)
	b.show(srv.Match(), b.first)
	srv.ShareWith(s.Take, b.config.TLSCert != "")
	closePage := showPage(s)
	return s.URL(), func() {
		closePage()
		b.crew.playing.Wait()
	}, nil
}

// show puts a match on the page.
func (b *bill) show(m *match.Match, shown web.Match) {
	if b.page == nil {
		return
	}
	shown.Start = m.Start
	shown.Players = b.server.Players()
	if b.game.Mix != nil {
		shown.Fill = func() error { return b.crew.fill(shown.Feed) }
	}
	shown.Feed.SetAddresses(web.Reachable(b.server.Addr()))
	b.page.Show(shown)
}
