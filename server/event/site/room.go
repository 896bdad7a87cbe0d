package site

import (
	"net/http"
	"net/url"
	"time"

	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/rounds"
	"github.com/hexarena/hexarena/server/event/state"
)

// room is the content of the operator's page. Those that are not the operator see how the event
// stands, without the acts.
type room struct {
	operates bool
	day      day
	result   *state.Result
	problems []state.Problem
	ready    int
	states   map[int]Waiting // of the teams, by number
	trials   int             // versions that wait for their test match
	matches  []shownMatch
	when     string // a sentence on when the next round begins, if not by time
	setup    rounds.Setup
	maps     []string
	exam     bool
	sending  string // what teams may send
	away     *int   // workers on other machines that are there; nil: none are served
	// the addresses from which many teams signed up at once: how many more have tried
	floods map[string]int
}

// shownMatch is a match that was played.
type shownMatch struct {
	Number int // from 1
	Void   bool
	Text   string // who played, the best first
}

// showAdmin returns the handler of the operator's page, which shows acts to the operator alone.
func (o operator) showAdmin(operates func(*http.Request) bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if asksLive(r) {
			send(w, o.parts(o.room(operates(r)).mark()))
			return
		}
		// the token is behind the #, which browsers do not send: event.js asks with it
		send(w, o.whole(page{
			"admin", "Operator",
			fill("admin.html", "live", o.room(false).mark()),
		}))
	}
}

// room returns the content of the operator's page.
func (o operator) room(operates bool) *room {
	p := &room{operates: operates, day: o.day(), states: map[int]Waiting{}}
	view := &p.day.view
	ready, all := o.Rounds.Connected()
	p.ready, p.when = len(ready), "The operator begins the next round."
	if o.Rounds.Options().Start.Ready {
		p.when = "The next round begins when all teams are ready."
	}
	p.result = o.Event.Result()
	for _, t := range p.result.Teams {
		p.states[t.Number] = o.waitingOf(t.Standing.Team, view, ready, all)
	}
	for _, row := range view.Last {
		p.matches = append(p.matches, shownMatch{row.K + 1, view.Void[row.K], textOf(view, row)})
	}
	o.Event.Read(func(now *state.State) {
		p.problems, p.trials = now.Problems(), len(now.Trials())
	})
	p.floods = o.signUps.flooded(time.Now())
	p.setup, p.maps = o.Rounds.Setup(), o.Rounds.Maps()
	p.exam = o.Rounds.Options().Exam != nil
	p.sending = o.sendingForOperator()
	if d := o.Rounds.Options().Workers; d != nil {
		alive := d.Alive()
		p.away = &alive
	}
	return p
}

// mark returns the part of the page that changes: the state with the acts on it, the teams, the
// last matches, and what is rarely done.
func (p *room) mark() markup {
	v := &p.day.view
	failure := markup("")
	if v.Failure != nil {
		failure = mark(`<p class="warning">Rounds pause: %s</p>`, v.Failure)
	}
	main := failure + p.markFloods() + p.state() + p.wrong() + p.teams() + p.last()
	if p.operates {
		main += p.rare()
	}
	return main
}

// button returns a button for an act, with values for its form in pairs; "" if the page is not the
// operator's. The fields of the form around it are sent as well.
func (p *room) button(act, label string, values ...any) markup {
	if !p.operates {
		return ""
	}
	data := markup("")
	for i := 0; i < len(values); i += 2 {
		data += mark(` data-%s="%s"`, values[i], values[i+1])
	}
	return mark(`<button type="button" data-act="%s"%s>%s</button>`, act, data, label)
}

// either returns the one of two buttons that undoes what is on, or does it.
func (p *room) either(on bool, act, label, undo, undoLabel string, values ...any) markup {
	if on {
		return p.button(undo, undoLabel, values...)
	}
	return p.button(act, label, values...)
}

// state returns how the event stands, with the acts of all day.
func (p *room) state() markup {
	return `<section class="state" aria-label="State">` + p.stateOfRound() + p.stateOfVersions() +
		p.stateOfDeadline() + p.stateOfScreen() + `</section>`
}

func (p *room) stateOfRound() markup {
	v := &p.day.view
	round := markup("Before the first round")
	if v.Round != nil {
		round = mark("Round %s", v.Round.Number)
	}
	now := mark("%s", p.when)
	switch {
	case p.day.playing > 0:
		now = mark("%s being played.", textutil.Counted(p.day.playing, "match is", "matches are"))
	case v.FinalOver || v.Paused:
		now = pausedLine(v)
	case p.ready < 2:
		now = "The next round waits for two teams that are ready."
	case !p.day.next.IsZero():
		now = mark(`The next one begins in <b data-until="%s"></b>.`, p.day.next.UnixMilli())
	}
	return mark(`<div><h2>%s</h2>
<p class="big">%s of %s teams ready</p>
<p>%s <span class="aside">Map %s, %s turns, %s for an answer.</span></p>
<p class="acts">%s%s</p></div>
`, round, p.ready, len(p.result.Teams), now, p.setup.Map, p.setup.Turns, p.setup.TurnTimeout,
		p.button("round", "Begin a round now"),
		p.either(v.Paused, "pause", "Pause", "resume", "Resume"))
}

func (p *room) stateOfVersions() markup {
	big := "No version waits"
	if p.trials > 0 {
		big = textutil.Counted(p.trials, "version waits", "versions wait") + " for a test match"
	}
	away := markup("")
	if p.away != nil {
		away = mark("<p>Workers on other machines: %s.</p>", *p.away)
	}
	return mark(`<div><h2>Versions</h2>
<p class="big">%s</p>
%s<details><summary>What teams may send</summary><p class="aside">%s</p></details></div>
`, big, away, p.sending)
}

func (p *room) stateOfDeadline() markup {
	v := &p.day.view
	big, acts := markup("No deadline"), markup("")
	switch {
	case v.FinalOver:
		big = "The final is over"
	case v.Final:
		big = "A final is played"
	case v.Frozen:
		big = "Versions are frozen"
	case v.Deadline != 0:
		big = mark(`Versions freeze in <b data-until="%s"></b>`, v.Deadline*1000)
	}
	switch {
	case !p.operates:
	case v.Frozen:
		acts = p.button("thaw", "Thaw versions")
	case v.Deadline != 0:
		acts = p.button("deadline", "Take the deadline back", "minutes", 0)
	default:
		acts = `<label>Minutes <input name="minutes" inputmode="numeric" size="4" value="30"></label>` +
			p.button("deadline", "Announce the deadline")
	}
	return mark(`<form><h2>Deadline</h2>
<p class="big">%s</p>
<p class="acts">%s</p></form>
`, big, acts)
}

func (p *room) stateOfScreen() markup {
	v := &p.day.view
	text, acts := "No message", markup("")
	if v.Message != "" {
		text = "The screen says: " + v.Message
	}
	if p.operates {
		acts = `<label class="grow">Message <input name="text" maxlength="120"></label>` +
			p.button("message", "Show the message")
		if v.Message != "" {
			acts += p.button("message", "Clear it", "text", "")
		}
	}
	return mark(`<form><h2>Screen</h2>
<p class="big">%s</p>
<p class="acts">%s</p></form>
`, text, acts)
}

// wrong returns what went wrong in the last round, with the acts that help.
func (p *room) wrong() markup {
	if len(p.problems) == 0 {
		return markIf(p.day.view.Round != nil,
			`<section><h2>What went wrong</h2><p>Nothing in the last round.</p></section>`)
	}
	return mark(`<section class="wrong"><h2>What went wrong</h2>
<ul>%s</ul></section>
`, markEach(p.problems, func(one state.Problem) markup {
		place, found := p.result.PlaceOf(one.Team)
		if !found {
			return ""
		}
		match := markup("")
		if one.Match > 0 {
			match = mark(` in <a href="/?recording=%s">match %s</a>`, recordingOf(one.Match), one.Match)
		}
		return mark(`<li><span><a href="%s"><bdi>%s</bdi></a> %s%s.</span> <span class="acts">%s</span></li>`,
			teamPath(one.Team), place.Name, one.Text, match, p.rest(&place))
	}))
}

// recordingOf returns the file of a match, whose number is from 1, as a part of an address.
func recordingOf(match int) string { return url.QueryEscape(event.RecordingOf(match - 1)) }

// last returns the last matches, each with its acts.
func (p *room) last() markup {
	return markIf(len(p.matches) > 0, `<section>
<h2>Last matches</h2>
<ol class="matches">%s</ol>
</section>`, markEach(p.matches, func(m shownMatch) markup {
		return mark(`<li id="match-%s"><span><a href="/?recording=%s">Match %s</a>%s: <bdi>%s</bdi></span> <span class="acts">%s%s</span></li>`,
			m.Number, recordingOf(m.Number), m.Number, markIf(m.Void, " (void)"), m.Text,
			p.either(m.Void, "void", "Void", "count", "Count again", "match", m.Number),
			p.button("again", "Play again", "match", m.Number))
	}))
}

// rare returns the acts of the end and those that are rarely needed, folded, each with its effect.
func (p *room) rare() markup {
	final := mark(`<p>%s <span class="aside">The standings are as before it.</span></p>`,
		p.button("final-off", "Take the final back"))
	if !p.day.view.Final {
		final = fill("final.html", "begin", p.button("final", "Begin the final"))
	}
	freeze := markIf(!p.day.view.Frozen, `<p>%s <span class="aside">No version can be sent any more, and official matches begin. “Thaw” takes it back.</span></p>`,
		p.button("freeze", "Freeze versions now"))
	return fill("rare.html", "maps", options(p.maps, p.setup.Map), "turns", p.setup.Turns,
		"milliseconds", p.setup.TurnTimeout.Milliseconds(),
		"setup", p.button("setup", "Change the next rounds"),
		"freeze", freeze, "final", final,
		"code", p.button("code", "Show another code"),
		"address", p.button("remove-address", "Remove its teams"),
		"exam", markIf(p.exam, `<button type="button" data-save="exam.csv">Exam as CSV</button>`))
}

// pausedLine returns a line on why no round begins, or "" if rounds are not paused.
func pausedLine(v *event.View) markup {
	switch {
	case v.FinalOver:
		return "The final is over. Rounds pause until they are resumed."
	case v.Paused:
		return "Rounds are paused by the operator."
	}
	return ""
}
