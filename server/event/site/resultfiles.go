package site

import (
	"cmp"
	"fmt"
	"io"

	"github.com/hexarena/hexarena/server/event/state"
)

// explainOrigin returns a sentence on the origin of a result.
func explainOrigin(r *state.Result) string {
	text := "The plan has the digest " + r.Origin.Plan + "."
	if r.Origin.Version != "" {
		text = fmt.Sprintf("Begun with hexarena %s (commit %s), by: %s. %s",
			r.Origin.Version, cmp.Or(r.Origin.Commit, "not known"), r.Origin.Command, text)
	}
	return text
}

// Replay is a page that shows a match.
type Replay struct {
	Match int // from 1
	Bots  []string
	Path  string
}

// WritePage writes a result as a page that needs no server, with links to replays.
func WritePage(w io.Writer, r *state.Result, title string, replays []Replay) error {
	style, err := pages.ReadFile("pages/event.css")
	if err != nil {
		panic(err) // it is part of the program
	}
	rows := markEach(r.Teams, func(t state.Place) markup {
		return mark(`<tr><td>%s</td><th scope="row"><bdi>%s</bdi></th><td class="number">%s</td><td class="number">%s</td></tr>`,
			t.RankText(), t.Name, t.Figure(), t.Matches)
	})
	links := markEach(replays, func(p Replay) markup {
		return mark(`<li><a href="%s">Match %s</a>: %s</li>`, p.Path, p.Match,
			markEach(p.Bots, func(name string) markup { return mark("<bdi>%s</bdi> ", name) }))
	})
	page := fill("export.html", "title", title, "style", markup(style), "figure", r.Figure(),
		"rows", rows, "explained", r.Explain(), "origin", explainOrigin(r),
		"replays", markIf(len(replays) > 0,
			`<section><h2>Replays</h2><ol class="matches">%s</ol></section>`, links))
	_, err = io.WriteString(w, string(page))
	return err
}
