package site

import (
	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/state"
)

// live returns the part of /admin that changes, which the page requests again and again.
func (p *shown) live() markup {
	v := &p.View
	var failure markup
	if v.Failure != nil {
		failure = mark(`<p class="warning">Rounds pause: %s</p>`, v.Failure)
	}
	round := markup("Before the first round")
	if v.Round != nil {
		round = mark("Round %s", v.Round.Number)
	}
	next := mark("The next round begins when %s.", p.When)
	if p.Next != 0 {
		next = mark(`Next round in <b data-until="%s">%s</b>`, p.Next, p.Wait)
	}
	return markDeadline(v) + failure + p.markFloods() +
		pausedLine(v) +
		markIf(v.Message != "", `<p class="warning">The screen says: %s</p>`, v.Message) +
		mark(`
<section>
<h2>%s</h2>
<p class="big">%s<br>
%s of %s teams ready</p>
<p class="aside">Map %s, %s turns, %s for an answer.%s</p>
</section>
<section>
<h2>Standings</h2>
%s
</section>
%s`, round, next, p.Ready, len(p.Result.Teams), p.Setup.Map, p.Setup.Turns, p.Setup.TurnTimeout,
			p.markAway(), p.standings(), p.last())
}

func (p *shown) standings() markup {
	if len(p.Result.Teams) == 0 {
		return "<p>No team has signed up yet.</p>"
	}
	return mark(`<table>
<thead><tr><th>Place</th><th>Team</th><th class="number">%s</th><th class="number">Matches</th><th>State</th></tr></thead>
<tbody>%s</tbody>
</table>
<p class="aside">%s Built-in bots fill free seats and do not count.</p>`, p.Result.Figure(), markEach(p.Result.Teams, func(t state.Place) markup {
		return mark(`<tr><td>%s</td><th scope="row"><a href="%s"><bdi>%s</bdi></a>%s</th><td class="number">%s</td><td class="number">%s</td><td>%s</td></tr>`,
			t.RankText(), teamPath(t.Number), t.Name, markIf(t.Standing.Hidden, " (hidden)"),
			t.Figure(), t.Matches, p.States[t.Number])
	}), p.Result.Explain())
}

func (p *shown) last() markup {
	return markIf(len(p.View.Last) > 0, `<section>
<h2>Last matches</h2>
<ol class="matches">%s</ol>
</section>`, markEach(p.Matches, func(m shownMatch) markup {
		return mark(`<li>Match %s%s: <bdi>%s</bdi></li>`, m.Number, markIf(m.Void, " (void)"), m.Text)
	}))
}

// admin returns the main part of /admin.
func (p *shown) admin() markup {
	teams := markEach(p.Result.Teams, func(t state.Place) markup {
		return mark(`<option value="%s">%s</option>`, t.Number, t.Name)
	})
	return fill("admin.html", "sending", p.Sending, "teams", teams,
		"maps", options(p.Maps, p.Setup.Map), "turns", p.Setup.Turns,
		"exam", markIf(p.Exam, `<button type="button" data-save="exam.csv">Exam as CSV</button>`),
		"milliseconds", p.Setup.TurnTimeout.Milliseconds(), "live", p.live())
}

// markAway returns the number of workers on other machines that are there, if some are served.
func (p *shown) markAway() markup {
	if p.Away == nil {
		return ""
	}
	return mark(" Workers on other machines: %s.", *p.Away)
}

// pausedLine returns a line on why no round begins, or "" if rounds are not paused.
func pausedLine(v *event.View) markup {
	switch {
	case v.FinalOver:
		return `<p class="warning">The final is over. Rounds pause until they are resumed.</p>`
	case v.Paused:
		return `<p class="warning">Rounds are paused by the operator.</p>`
	}
	return ""
}
