package site

import (
	"net/http"
	"time"

	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/state"
)

// day is the place of a moment in the day of an event, which all pages have at the top.
type day struct {
	view    event.View
	next    time.Time // when the next round begins by time; zero: not by time
	short   bool      // the next round waits for two teams that are ready
	playing int       // matches of the round that are being played
}

// day returns the place of now.
func (s *Site) day() day {
	d := day{view: s.Event.View(), playing: len(s.Rounds.Tables.Playing())}
	if !d.view.Paused {
		d.next, d.short = s.next()
	}
	return d
}

// next returns the time at which the next round begins; zero without one. short reports whether the
// time is over and the round waits until two teams are ready.
func (s *Site) next() (at time.Time, short bool) {
	at = s.Rounds.Next()
	if at.IsZero() || at.After(time.Now()) {
		return at, false
	}
	if ready, _ := s.Rounds.Connected(); len(ready) < 2 {
		return time.Time{}, true
	}
	return at, false
}

// mark returns the day as part of a page that changes.
func (d *day) mark() markup {
	v := &d.view
	round := markup("Before the first round")
	if v.Round != nil {
		round = mark("Round <b>%s</b>", v.Round.Number)
	}
	now := markup("")
	switch {
	case v.Failure != nil:
		now = "<span>The disk is full</span>"
	case d.playing > 0:
		now = `<span class="live">is played</span>`
	case v.FinalOver:
		now = "<span>The final is over</span>"
	case v.Paused:
		now = "<span>Rounds pause</span>"
	case d.short:
		now = "<span>the next waits for two teams</span>"
	case !d.next.IsZero():
		now = mark(`<span>the next in <b data-until="%s"></b></span>`, d.next.UnixMilli())
	}
	return mark(`<p class="day"><span>%s</span>%s</p>%s`, round, now, markDeadline(v))
}

// parts returns the parts of a page that change, which the page requests again and again.
func (s *Site) parts(main markup) markup {
	d := s.day()
	return mark(`<div data-live="day">%s</div><div data-live="main">%s</div>`, d.mark(), main)
}

// teamKind is the kind of the pages of teams, whose addresses begin with /team/.
const teamKind = "team"

// page is one of the pages of an event.
type page struct {
	kind  string // the class of its body
	title string
	main  markup
}

// sections are the pages that the header leads to, beside that of a team, which only the browser
// knows.
var sections = []struct{ kind, path, name string }{
	{"screen", "/screen", "Screen"},
	{"standings", "/standings", "Standings"},
	{"", "/#edit", "Editor"},
	{"", "/#rules", "Rules"},
}

// whole returns a page with the header. Its own files have relative addresses, and event.js makes
// those of links relative, since a proxy may show it below a path.
func (s *Site) whole(p page) markup {
	root := ""
	if p.kind == teamKind {
		root = "../"
	}
	links := mark(`<a href="/join" id="mine"%s>%s</a>`,
		markIf(p.kind == "join", ` aria-current="page"`), "Join")
	for _, one := range sections {
		links += mark(`<a href="%s"%s>%s</a>`, one.path,
			markIf(one.kind == p.kind, ` aria-current="page"`), one.name)
	}
	d := s.day()
	script := "event" // which the others import
	if p.kind == teamKind || p.kind == "admin" {
		script = p.kind
	}
	return fill("page.html", "title", p.title+" · "+s.Name, "kind", p.kind, "name", s.Name,
		"links", links, "day", d.mark(), "main", p.main, "root", root, "script", script)
}

// showStandings answers with the page of the standings, or its parts that change.
func (s *Site) showStandings(w http.ResponseWriter, r *http.Request) {
	main := markStandings(s.shown())
	if asksLive(r) {
		send(w, s.parts(main))
		return
	}
	send(w, s.whole(page{
		"standings", "Standings",
		mark(`<main><div data-live="main">%s</div></main>`, main),
	}))
}

func markStandings(r *state.Result) markup {
	rows := markEach(r.Teams, func(t state.Place) markup {
		return mark(`<tr><td>%s</td><th scope="row"><a href="%s"><bdi>%s</bdi></a></th><td class="number">%s</td><td class="number">%s</td></tr>`,
			t.RankText(), teamPath(t.Number), t.Name, t.Figure(), t.Matches)
	})
	if len(r.Teams) == 0 {
		return "<section><h1>Standings</h1><p>No team has signed up yet.</p></section>"
	}
	return mark(`<section>
<header><h1>Standings</h1><p class="files"><a href="/event/standings.csv" download>As CSV</a>%s</p></header>
<div class="wide" tabindex="0" role="region" aria-label="Standings"><table>
<thead><tr><th>Place</th><th>Team</th><th class="number">%s</th><th class="number">Matches</th></tr></thead>
<tbody>%s</tbody>
</table></div>
<p class="aside">%s Built-in bots fill free seats and do not count.</p>
</section>`, markIf(r.Order == state.ByFinal, ` <a href="/event/final" download="final.json">The final as JSON</a>`),
		r.Figure(), rows, r.Explain())
}
