package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/harness"
)

const (
	relays        = 2   // between the server and the viewers
	maxRelayDelay = 250 // ms, the target for the 99th percentile of the viewers' delays
)

// relayFigures are the measurements of one match that viewers watch through relays.
type relayFigures struct {
	seen   sight
	server float64 // processor time of the server per turn, in ms
	relays float64 // that of all relays
}

// relayed plays matches that viewers watch through relays, alternately with matches that none watches.
func (b *bench) relayed(ctx context.Context) error {
	var p50, p99, longest, server, alone, relay, memory, bytes harness.Series
	lost := 0
	for round := range b.rounds {
		what := fmt.Sprintf("%d viewers of %d relays, round %d of %d", b.viewers, relays, round+1, b.rounds)
		without, err := b.watch(ctx, 0, what)
		if err != nil {
			return fmt.Errorf("%s, without: %w", what, err)
		}
		f, resident, err := b.relayMatch(ctx, what)
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		p50, p99 = append(p50, f.seen.delay.Quantile(0.5)), append(p99, f.seen.delay.Quantile(0.99))
		longest, lost = append(longest, f.seen.delay.Quantile(1)), lost+f.seen.lost
		server, alone = append(server, f.server), append(alone, without.cpu)
		relay = append(relay, 1000*f.relays/float64(b.viewers))
		bytes = append(bytes, float64(f.seen.bytes)/float64(len(f.seen.delay)))
		memory = append(memory, resident/float64(b.viewers)/1024)
		b.Report("%s: p50 %.1f ms, p99 %.1f ms, longest %.1f ms; CPU per turn: server %.2f ms (%.2f without), relays %.2f ms",
			what, p50[round], p99[round], longest[round], server[round], alone[round], f.relays)
	}
	add := func(what, first string) *harness.Row { return b.table.Add(harness.Row{What: what, First: first}) }
	row := add(fmt.Sprintf("100 ms, %d viewers of %d relays: turn to viewer, p99", b.viewers, relays), p99.Format(1, " ms"))
	row.Target, row.Met = fmt.Sprintf("< %d ms", maxRelayDelay), p99.Median() < maxRelayDelay
	add("  the same, p50", p50.Format(1, " ms"))
	add("  the same, longest", longest.Format(1, " ms"))
	add("  a turn on the network, to a viewer", bytes.Format(0, " bytes"))
	if harness.ProcessorTime() > 0 {
		add("  processor time of the relays", relay.Format(1, " µs a viewer and turn"))
		row, _ = b.table.Ratio("  processor time of the server per turn, beside none", "%.2f ms", server, alone)
		row.Figure = fmt.Sprintf("%.2f ms a relay", (server.Median()-alone.Median())/relays)
		add("  resident memory of the relays", memory.Format(1, " KiB a viewer"))
	}
	row = add("  viewers lost", fmt.Sprint(lost))
	row.Target, row.Met = "0", lost == 0
	return nil
}

// relayMatch plays one match that viewers watch through relays. It returns as well how many bytes of memory they add to the relays.
func (b *bench) relayMatch(ctx context.Context, what string) (f relayFigures, resident float64, err error) {
	interval := fmt.Sprint(watchedTick.Milliseconds())
	g := game{what, harness.Crowd{Players: 4}, largeMap, min(b.ticks, watchedTurns), b.fullFlags()}
	srv, err := g.serve(ctx, b.Hexarena, "--matches", "endless", "--delay-first-turn", interval, "--delay-turns", interval)
	if err != nil {
		return f, 0, err
	}
	defer srv.Stop()
	var a audience
	defer a.Disconnect()
	var all [relays]*harness.Process
	for i := range all {
		p, live, err := b.startRelay(ctx, srv.Page)
		if err != nil {
			return f, 0, err
		}
		defer p.Stop()
		all[i] = p
		resident -= float64(harness.Memory(p.ID()))
		if err := a.Connect(ctx, live, (b.viewers+i)/relays, a.read); err != nil {
			return f, 0, err
		}
	}
	used := func() (sum time.Duration) {
		for _, p := range all {
			sum += harness.CPUTime(p.ID())
		}
		return sum
	}
	a.measuring.Store(true)
	server, before := harness.CPUTime(srv.ID()), used()
	p, err := harness.Start(ctx, b.Self, playersCommand, srv.Addr)
	if err != nil {
		return f, 0, err
	}
	defer p.Stop()
	if err := awaitTurn(p, g.turns-late); err != nil {
		return f, 0, err
	}
	a.measuring.Store(false)
	turns := float64(g.turns - late)
	f.server = harness.Milliseconds(harness.CPUTime(srv.ID())-server) / turns
	f.relays = harness.Milliseconds(used()-before) / turns
	for _, p := range all {
		resident += float64(harness.Memory(p.ID()))
	}
	f.seen, err = a.sight()
	return f, resident, err
}

// startRelay starts a relay of a server and returns, when it has subscribed, the WebSocket address of its matches.
func (b *bench) startRelay(ctx context.Context, page string) (p *harness.Process, live string, err error) {
	p, err = harness.Start(ctx, b.Hexarena, "relay", page, "--http", "127.0.0.1:0", "--json-logs")
	if err != nil {
		return nil, "", err
	}
	for {
		text, err := p.Line()
		if err != nil {
			return nil, "", err
		}
		var line struct{ Msg, Page string }
		if err := json.Unmarshal(text, &line); err != nil {
			p.Stop()
			return nil, "", fmt.Errorf("hexarena relay prints %s", text)
		}
		if line.Page != "" {
			live = "ws" + strings.TrimPrefix(line.Page, "http") + "api/live"
		}
		if line.Msg == "Subscribed" {
			p.Watch(func([]byte) {})
			return p, live, nil
		}
	}
}
