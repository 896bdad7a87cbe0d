package site

import (
	"fmt"
	"net/url"

	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/games"
)

// live returns the parts of a team's page that change, which the page requests again and again:
// how the team stands with its last match, and what it has played.
func (p *teamPage) live() (now, before markup) {
	return p.now() + p.latest() + p.Exam, p.played() + p.opponents()
}

// now returns how the team stands: its place, what it does, and what is wrong if something is.
func (p *teamPage) now() markup {
	w := &p.Waiting
	next := markIf(p.Next != 0, ` <span>Next round in <b data-until="%s"></b>.</span>`, p.Next)
	class := "pill"
	if w.Match != "" {
		class = "pill live"
	}
	return mark(`<section class="now">
<header><h1><bdi>%s</bdi></h1><p class="%s">%s</p></header>
%s
<p>The team %s.%s%s</p>
%s%s</section>
`, p.Name, class, p.word(), p.figures(), w.Text,
		markIf(w.Since != 0, ` It has waited for <b data-since="%s"></b>.`, w.Since.Milliseconds()),
		next, markIf(w.Match != "",
			`<p><a class="button" href="/?match=%s">Watch its match</a></p>`, url.QueryEscape(w.Match)),
		p.Paused+p.wrong())
}

// word returns what the team does in a word.
func (p *teamPage) word() string {
	switch w := &p.Waiting; {
	case w.Match != "":
		return "plays now"
	case w.Ready:
		return "ready"
	case p.Standing.Resting:
		return "rests"
	}
	return "not ready"
}

// figures returns the place of the team with what it follows from, and its rating as a curve.
func (p *teamPage) figures() markup {
	if p.Rank == 0 {
		text := "It has played no match that counts."
		if p.Order != state.ByRating {
			text = "It has played no official match yet."
		}
		return mark("<p>%s</p>", text)
	}
	figure := "rating"
	if p.Elo != nil {
		figure = "Elo"
	}
	return mark(`<div class="figures"><p class="place">%sPlace %s, %s %s, %s.</p>%s</div>`,
		markIf(p.Final, "In the final. "), p.Rank, figure, p.Figure(),
		textutil.Counted(p.Matches, "match", "matches"), markCurve(p.Curve))
}

// wrong returns what went wrong for the team, with what to do.
func (p *teamPage) wrong() markup {
	return markEach(p.Problems, func(one state.Problem) markup {
		if one.Match == 0 {
			return mark(`<p class="warning">The team %s.</p>`, one.Text)
		}
		return mark(`<p class="warning">In <a href="/?recording=%s">match %s</a> its bot %s. The report `+
			`says when, and “What it printed” may say why.</p>`,
			recordingOf(one.Match), one.Match, one.Text)
	})
}

// latest returns the last match as a small board that leads to it.
func (p *teamPage) latest() markup {
	if len(p.Played) == 0 {
		return ""
	}
	m := p.Played[0]
	file := recordingOf(m.Number)
	return mark(`<section class="latest">
<h2>Last match</h2>
<a href="/?recording=%s" aria-label="Watch match %s with its report">%s%s</a>
<p><b>%s of %s</b> in match %s%s, with a score of %s%s, against %s.</p>
</section>
`, file, m.Number, board(file, "dark"), board(file, "light"), ordinal(m.Rank), m.Of, m.Number, markIf(m.Void, " (void)"), m.Score,
		markIf(m.Forfeit != "", ", %s", m.Forfeit), others(&m))
}

// board returns a picture of the end of a match, in one of the themes.
func board(file, theme string) markup {
	return mark(`<img class="%s" src="../api/recordings/%s/board.png?size=480&amp;theme=%s" width="480" height="480" alt="The board at its end" loading="lazy">`,
		theme, file, theme)
}

// ordinal returns a rank as text.
func ordinal(rank int) string {
	ends := map[int]string{1: "st", 2: "nd", 3: "rd"}
	end, known := ends[rank%10]
	if !known || rank/10%10 == 1 {
		end = "th"
	}
	return fmt.Sprint(rank, end)
}

// others returns the names of the others in a match.
func others(m *state.TeamMatch) (list markup) {
	for i, name := range m.Others {
		list += markIf(i > 0, ", ") + mark("<bdi>%s</bdi>", name)
	}
	return list
}

func (p *teamPage) played() markup {
	return markIf(len(p.Played) > 0, `<section class="played">
<h2>Last matches</h2>
<div class="wide" tabindex="0" role="region" aria-label="Last matches"><table>
<thead><tr><th>Match</th><th>Rank</th><th class="number">Score</th><th class="number">Refused</th><th>Others, the best first</th><th>Report</th></tr></thead>
<tbody>%s</tbody>
</table></div>
</section>`, markEach(p.Played, matchRow))
}

// matchRow returns a match as a row of a table.
func matchRow(m state.TeamMatch) markup {
	return mark(`<tr><th scope="row">%s%s</th><td>%s of %s%s</td><td class="number">%s</td><td class="number">%s</td><td>%s</td><td><a href="/?recording=%s" aria-label="Watch match %s with its report">Watch</a></td></tr>`,
		m.Number, markIf(m.Void, " (void)"), m.Rank, m.Of,
		markIf(m.Forfeit != "", ", %s", m.Forfeit), m.Score, m.Refused, others(&m),
		recordingOf(m.Number), m.Number)
}

func (p *teamPage) opponents() markup {
	return markIf(len(p.Opponents) > 0, `<section class="opponents">
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
	return fill("own.html", "token", p.Token, "host", p.Host, "port", p.Port, "nick", p.Nick,
		"languages", languages, "binaries", binaries, "builtins", options(p.Builtins, ""),
		"engine", p.Engine)
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
