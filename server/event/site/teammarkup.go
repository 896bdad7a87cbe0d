package site

import (
	"net/url"
	"time"

	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/games"
)

// live returns the part of a team's page that changes, which the page requests again and again.
func (p *teamPage) live() markup {
	w := &p.Waiting
	next := markIf(p.Next != 0, `<p>Next round in <b data-until="%s"></b></p>`, p.Next)
	if p.Paused != "" {
		next = p.Paused
	}
	matchesWord := "matches"
	if p.Matches == 1 {
		matchesWord = "match"
	}
	figure := "rating"
	if p.Elo != nil {
		figure = "Elo"
	}
	place := markIf(p.Rank > 0, "%sPlace %s, %s %s, %s %s.<br>\n",
		markIf(p.Final, "In the final. "), p.Rank, figure, p.Figure(), p.Matches, matchesWord)
	if p.Rank == 0 && p.Order != state.ByRating {
		place = "It has played no official match yet.<br>\n"
	}
	return p.Deadline + mark(`<section>
<h2>Now</h2>
<p class="big">%sThe team %s.%s</p>
%s
%s
</section>
`,
		place, w.Text,
		markIf(w.Since != 0, ` It has waited for <b data-since="%s">%s</b>.`,
			w.Since.Milliseconds(), w.Since.Round(time.Second)),
		next,
		markIf(w.Match != "", `<p><a href="/?match=%s">Watch its match</a></p>`,
			url.QueryEscape(w.Match))) +
		p.Exam + p.played() + p.opponents()
}

func (p *teamPage) played() markup {
	return markIf(len(p.Played) > 0, `<section>
<h2>Last matches</h2>
<div class="wide" tabindex="0" role="region" aria-label="Last matches"><table>
<thead><tr><th>Match</th><th>Rank</th><th class="number">Score</th><th class="number">Refused</th><th>Others, the best first</th><th>Report</th></tr></thead>
<tbody>%s</tbody>
</table></div>
</section>`, markEach(p.Played, matchRow))
}

// matchRow returns a match as a row of a table.
func matchRow(m state.TeamMatch) markup {
	var others markup
	for i, name := range m.Others {
		others += markIf(i > 0, ", ") + mark("<bdi>%s</bdi>", name)
	}
	return mark(`<tr><th scope="row">%s%s</th><td>%s of %s%s</td><td class="number">%s</td><td class="number">%s</td><td>%s</td><td><a href="/?recording=%s" aria-label="Watch match %s with its report">Watch</a></td></tr>`,
		m.Number, markIf(m.Void, " (void)"), m.Rank, m.Of,
		markIf(m.Forfeit != "", ", %s", m.Forfeit), m.Score, m.Refused, others,
		url.QueryEscape(event.RecordingOf(m.Number-1)), m.Number)
}

func (p *teamPage) opponents() markup {
	return markIf(len(p.Opponents) > 0, `<section>
<h2>Opponents</h2>
<table>
<thead><tr><th>Team</th><th class="number">Matches</th><th class="number">Before it</th><th class="number">Behind it</th></tr></thead>
<tbody>%s</tbody>
</table>
</section>`, markEach(p.Opponents, func(o state.Opponent) markup {
		return mark(`<tr><th scope="row"><a href="%s"><bdi>%s</bdi></a></th><td class="number">%s</td><td class="number">%s</td><td class="number">%s</td></tr>`,
			teamPath(o.Number), o.Name, o.Meetings, o.Ahead, o.Behind)
	}))
}

// whole returns the page of a team.
func (p *teamPage) whole() markup {
	return wholePage(p.Name, teamKind, fill("team.html", "name", p.Name, "live", p.live()))
}

// own returns the part of a team's page for those that have its token.
func (p *ownPage) own() markup {
	languages := markEach(p.Languages, func(l games.Language) markup {
		return mark(`<option value="%s" data-command="%s">%s</option>`, l.Language, l.Command, l.Name)
	})
	binaries := markEach(p.Binaries, func(b Binary) markup {
		place := markup("not here: the operator gives it with <code>--binaries</code>")
		switch {
		case b.archive():
			place = mark(
				`<code>curl -O <span data-fill="origin"></span>/binaries/%s</code>, and unpack it`,
				b.File)
		case b.File != "":
			place = mark(`<code>curl -o hexarena <span data-fill="origin"></span>/binaries/%s &amp;&amp; chmod +x hexarena</code>`, b.File)
		}
		return mark(`<tr><th scope="row">%s</th><td>%s</td></tr>`, b.System, place)
	})
	return fill("own.html", "token", p.Token, "port", p.Port, "nick", p.Nick, "languages", languages,
		"binaries", binaries, "builtins", options(p.Builtins, ""), "engine", p.Engine)
}

// markSteps returns how far the bots of a team have come.
func markSteps(steps []Step) markup {
	return mark(`<ol class="steps">%s</ol>`, markEach(steps, func(s Step) markup {
		class, rest := "", markIf(s.Hint != "", "<br>%s", s.Hint)
		if s.Done {
			class, rest = "done", ` <span class="ok">done</span>`
		}
		return mark(`<li class="%s"><b>%s</b>%s</li>`, class, s.Name, rest)
	}))
}
