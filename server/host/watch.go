package host

import (
	"net/http"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/machine/disk"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/session"
)

// Recordings say where and how matches are recorded.
type Recordings struct {
	Disk    disk.Disk // nil means the operating system's
	Dir     string    // made when needed
	Durable recording.Durability
	Keeper  *recording.Keeper // deletes the oldest; nil: all are kept
	// Complain is told why there is no recording or no more of it, and with nil that it goes
	// on, nothing lost, in the match's goroutine; nil: the log is.
	Complain func(error)
}

// watchers makes all that watches the room's match: what the host and the description
// name, the recorder, the metrics, the feed and the account. The metrics ask the recorder
// for its file, and so does the feed, which is why they come after it.
func (r *Room) watchers(rules match.Rules) []match.Watcher {
	h := r.host
	r.account = result.New(result.Options{Tally: rules, Digest: r.spec.Digest})
	list := append([]match.Watcher{r.account, r.seats, &r.people}, r.spec.Watchers...)
	if h.opts.Names != nil && !r.spec.Private {
		list = append(list, h.opts.Names)
	}
	if rec := h.opts.Recordings; rec != nil {
		r.recorder = r.newRecorder(rec, rules)
		list = append(list, r.recorder)
	}
	if h.opts.Metrics != nil {
		list = append(list, r.meter(h.opts.Metrics))
	}
	if h.page != nil {
		r.feed = r.newFeed(rules)
		list = append(list, r.feed)
	}
	if r.spec.Private {
		return list
	}
	return append(list, h.opts.Watchers...)
}

// Metrics counts what happens on a host and in its matches, as package metrics does for Prometheus.
type Metrics interface {
	session.Meter
	// Watch returns what counts a match. The recorder is nil if the match is not recorded.
	Watch(recorder interface {
		Path() string // "" if there is no file
		Err() error   // what went wrong, or nil
	}) match.Watcher
	RecordingFailed()
	Viewers(count func() int) // to be called when the number of viewers is asked for
	Handler() http.Handler    // shows all counts
}

// meter makes what counts the match.
func (r *Room) meter(m Metrics) match.Watcher {
	if r.recorder == nil { // which must not become an interface that holds nil
		return m.Watch(nil)
	}
	return m.Watch(r.recorder)
}

// newRecorder makes what records the match. A failure of it is reported,
// and the match goes on.
func (r *Room) newRecorder(rec *Recordings, rules match.Rules) *recording.Recorder {
	s := &r.spec
	o := recording.Options{
		Disk: rec.Disk, Dir: rec.Dir, Durable: rec.Durable, Keeper: rec.Keeper, Packer: &r.host.packer,
		Program: r.host.opts.Program,
		Rules:   rules, Map: s.Game.Setup, MapName: s.Game.Map, Seed: s.Seed,
		Extra: s.Extra, Labels: s.Labels, Describe: r.seats.Bot, Printed: r.seats.Printed(),
	}
	tell := rec.Complain
	if tell == nil {
		tell = complainTo(r.log)
	}
	o.Complain = func(err error) {
		if err != nil && r.host.opts.Metrics != nil {
			r.host.opts.Metrics.RecordingFailed()
		}
		if r.feed != nil {
			r.feed.SetUnrecorded(err)
		}
		tell(err)
	}
	if o.Extra == nil {
		o.Extra = map[string]string{}
	}
	return recording.New(o)
}

// complainTo returns what logs that a recording failed or goes on.
func complainTo(log zerolog.Logger) func(error) {
	return func(err error) {
		if err == nil {
			log.Warn().Msg("Recording goes on, nothing is lost")
			return
		}
		log.Error().Err(err).Msg("Recording failed")
	}
}

// newFeed makes what tells the page of the match.
func (r *Room) newFeed(rules match.Rules) *feed.Feed {
	s := &r.spec
	o := feed.Options{
		ID: s.Page.ID, Game: s.Name, Seed: s.Seed, Settings: s.Settings,
		Autostart: s.Autostart || s.Page.Starts,
		Interval:  s.Page.Interval, Recording: r.recorder.Name, MaxBytes: s.Page.MaxBytes,
		Describe: r.seats.Bot, Printed: r.seats.Printed(), Labels: s.Labels, Random: r.host.opts.Random,
		Rules: rules, Map: s.Game.Map, Account: r.account,
	}
	return feed.New(o)
}
