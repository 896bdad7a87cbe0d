package site

import (
	"net/http"
	"time"

	"github.com/hexarena/hexarena/server/event"
)

// markDeadline returns when versions freeze, or that they are frozen, as all pages have it above
// all else.
func markDeadline(v *event.View) markup {
	at := time.Unix(v.Deadline, 0)
	switch {
	case v.Frozen && v.Final:
		return `<p class="deadline" role="status">Versions are frozen. The final decides.</p>`
	case v.Frozen:
		return `<p class="deadline" role="status">Versions are frozen. Official matches decide.</p>`
	case v.Deadline == 0:
		return ""
	case time.Until(at) <= 0:
		return `<p class="deadline" role="status">The deadline is over. Versions freeze.</p>`
	}
	return mark(`<p class="deadline">Versions freeze in <b data-until="%s"></b></p>`, at.UnixMilli())
}

// showJoin answers with the page to join, or its parts that change.
func (s *Site) showJoin(w http.ResponseWriter, r *http.Request) {
	if asksLive(r) {
		send(w, s.parts(""))
		return
	}
	send(w, s.whole(page{"join", "Join", fill("join.html", "declarations",
		s.markDeclarations(), "sending", s.sending())}))
}
