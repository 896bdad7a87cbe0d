package metrics

import (
	"strconv"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/match"
)

// maxPlayers limits the number of labels: players with higher ids share one.
const maxPlayers = 64

// player holds the metrics of one player, or of those that share a label. They are looked
// up once, so that a turn looks nothing up.
type player struct {
	wait    *metrics.PrometheusHistogram
	skipped [engine.Malformed + 1]*metrics.Counter // by lapse
}

// Recorder is the recorder of a match. It is an alias, so that Metrics implements host.Metrics,
// which has no name for it.
type Recorder = interface {
	Path() string // "" if there is no file
	Err() error   // what went wrong, or nil
}

// Watcher counts one match. It implements match.Watcher.
type Watcher struct {
	match.BaseWatcher
	metrics  *Metrics
	recorder Recorder // may be nil
	players  [maxPlayers + 1]*player
	seated   [match.Visualization + 1]int
	running  bool
	last     time.Time // when the last turn was played; zero before the first
}

// Watch returns a watcher for a match. It must come after the match's recorder, which may
// be nil.
func (m *Metrics) Watch(r Recorder) match.Watcher { return &Watcher{metrics: m, recorder: r} }

// player returns the metrics of a player.
func (w *Watcher) player(id engine.PlayerID) *player {
	i := min(int(id), maxPlayers)
	if w.players[i] == nil {
		name := strconv.Itoa(i)
		if i == maxPlayers {
			name += "+"
		}
		p := &player{wait: w.metrics.histogram("player_wait_seconds", "player", name)}
		for lapse := engine.TimedOut; lapse <= engine.Malformed; lapse++ {
			p.skipped[lapse] = w.metrics.counter("skipped_turns_total",
				"player", name, "reason", lapse.String())
		}
		w.players[i] = p
	}
	return w.players[i]
}

// Joined implements match.Watcher.
func (w *Watcher) Joined(_ match.SeatInfo, r match.Role) { w.seat(r, 1) }

// Left implements match.Watcher.
func (w *Watcher) Left(_ match.SeatInfo, r match.Role) { w.seat(r, -1) }

func (w *Watcher) seat(r match.Role, more int) {
	w.seated[r] += more
	w.metrics.gauge("seats", "role", r.String()).Add(float64(more))
}

// Started implements match.Watcher.
func (w *Watcher) Started(f *match.Frame) {
	w.running = true
	w.metrics.gauge("matches_running").Inc()
	for i := range f.Table.Seats {
		w.player(f.Table.Seats[i].ID)
	}
}

// Played implements match.Watcher.
func (w *Watcher) Played(p *match.Play) {
	now := time.Now()
	if !w.last.IsZero() {
		w.metrics.duration.Update(now.Sub(w.last).Seconds())
	}
	w.last = now
	w.metrics.turns.Inc()
	for i := range p.Answers {
		a := &p.Answers[i]
		if c := w.player(a.Player); a.Lapse == engine.Answered {
			c.wait.Update(a.Took.Seconds())
		} else {
			c.skipped[a.Lapse].Inc()
		}
	}
}

// Ended implements match.Watcher.
func (w *Watcher) Ended(e *match.Ending) {
	for role, n := range w.seated {
		w.seat(match.Role(role), -n)
	}
	if w.running {
		w.metrics.gauge("matches_running").Dec()
	}
	if r := w.recorder; r != nil && (r.Path() != "" || r.Err() != nil) {
		w.metrics.recording(r.Err())
	}
	outcome := finished
	if e.Err != nil {
		outcome = aborted
	}
	w.metrics.counter("matches_total", "outcome", outcome).Inc()
}
