package site

import (
	"github.com/hexarena/hexarena/server/event/state"
)

// teams returns the teams as rows, each with its acts, and a search.
func (p *room) teams() markup {
	if len(p.result.Teams) == 0 {
		return "<section><h2>Teams</h2><p>No team has signed up yet.</p></section>"
	}
	return mark(`<section class="teams">
<header><h2>Teams</h2>
<label>Find <input type="search" id="find" size="14" autocomplete="off"></label></header>
<div class="wide" tabindex="0" role="region" aria-label="Teams"><table>
<thead><tr><th>Place</th><th>Team</th><th class="number">%s</th><th class="number">Matches</th><th>State</th>%s</tr></thead>
<tbody>%s</tbody>
</table></div>
<p class="aside">%s Built-in bots fill free seats and do not count.%s</p>
</section>
`, p.result.Figure(), markIf(p.operates, "<th>Acts</th>"), markEach(p.result.Teams, p.team),
		p.result.Explain(), markIf(p.operates, " A hidden team plays and is not on the screen. A "+
			"removed one cannot log in and is on no page; “Last acts” brings it back. Of a forgotten "+
			"one only its number and its matches are left, for good."))
}

// team returns a team as a row.
func (p *room) team(t state.Place) markup {
	w := p.states[t.Number]
	class := markIf(w.Ready || w.Match != "", ` class="here"`)
	return mark(`<tr id="team-%s"%s><td>%s</td><th scope="row"><a href="%s"><bdi>%s</bdi></a>%s</th><td class="number">%s</td><td class="number">%s</td><td>%s</td>%s</tr>`,
		t.Number, class, t.RankText(), teamPath(t.Number), t.Name,
		markIf(t.Standing.Hidden, " (hidden)"), t.Figure(), t.Matches, w.Text,
		markIf(p.operates, `<td class="acts">%s%s</td>`, p.rest(&t), p.more(&t)))
}

// rest returns the act that lets a team rest, or play again.
func (p *room) rest(t *state.Place) markup {
	return p.either(t.Standing.Resting, "rest", "Let it rest", "wake", "Let it play",
		"team", t.Number, "of", t.Name)
}

// more returns the other acts on a team, folded.
func (p *room) more(t *state.Place) markup {
	values := []any{"team", t.Number, "of", t.Name}
	return mark(`<details><summary aria-label="More acts on %s">More</summary><form class="acts">
<label>New name <input name="name" maxlength="30" size="16"></label>%s
%s %s <button type="button" data-slip="%s">Print its slip</button> %s</form>
<form class="acts"><label>Its name, to forget it for good <input name="name" maxlength="30" size="16" autocomplete="off"></label>%s</form></details>`,
		t.Name, p.button("rename", "Rename", values...),
		p.either(t.Standing.Hidden, "hide", "Hide", "show", "Show", values...),
		p.button("kick", "Disconnect its bots", values...), t.Number,
		p.button("remove", "Remove it", values...), p.button("forget", "Forget it", values...))
}
