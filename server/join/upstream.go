package join

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	// maxReported is how much of the end of what is printed an event gets, in bytes: some hundred
	// lines, with which forty teams still need less than 5 Mbit/s at 20 turns a second.
	maxReported = 8 << 10
	// reportPause is the time between two reports: an event takes one every five seconds.
	reportPause = 6 * time.Second
	// lastReportTime limits how long the end of hexarena join waits for the last report.
	lastReportTime = 2 * time.Second
)

// printed keeps the end of what is printed, for the page of the team.
type printed struct {
	mu   sync.Mutex
	text string
	news bool // there is more than was reported
}

// add adds lines.
func (p *printed) add(lines string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text += strings.TrimSuffix(lines, "\n") + "\n"
	if excess := len(p.text) - maxReported; excess > 0 {
		p.text = p.text[excess:]
	}
	p.news = true
}

// take returns the end of what was printed, and false if it was taken before.
func (p *printed) take() (text string, news bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	news, p.news = p.news, false
	return p.text, news
}

// putBack queues the end of the output to be sent again.
func (p *printed) putBack() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.news = true
}

// reportOutput reports the output so far to the server: the bot's output, with that of
// its crash, and what happened to it. Events show it to the team and to the operator.
func (r *relay) reportOutput() {
	select {
	case r.outputs <- r.token():
	default: // it is about to be
	}
}

// token returns the token with which the bot has logged in, or that it is to have.
func (r *relay) token() string { return cmp.Or(r.opts.Token, r.login.Token) }

// reportOutputs reports what was printed whenever reportOutput asks for it, until a server says
// that it is no event.
func (r *relay) reportOutputs() {
	for {
		select {
		case token := <-r.outputs:
			if !r.sendOutput(r.ctx, token) || pause(r.ctx, reportPause) != nil {
				return
			}
		case <-r.ctx.Done():
			return
		}
	}
}

// reportLast reports what was printed and not reported yet, when everything else has ended.
func (r *relay) reportLast() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.parent), lastReportTime)
	defer cancel()
	r.sendOutput(ctx, r.token())
}

// sendOutput sends what was printed. It returns false if the server takes none.
func (r *relay) sendOutput(ctx context.Context, token string) bool {
	text, news := r.printed.take()
	if !news || token == "" {
		return true
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.opts.Address.path("/event/output", nil), strings.NewReader(text))
	if err != nil {
		return false
	}
	req.Header.Set("Authorization", "Bearer "+token)
	answer, err := r.api.client.Do(req)
	if err != nil {
		r.printed.putBack() // the server may come back
		return true
	}
	_ = answer.Body.Close()
	switch status := answer.StatusCode; {
	case status == http.StatusTooManyRequests, status >= http.StatusInternalServerError:
		r.printed.putBack()
	case status != http.StatusOK:
		return false
	}
	return true
}
