package join

import (
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

// output is the end of what is printed: the bot's output, with that of its crash, and what happened
// to it. Events show it to the team and to the operator.
type output struct {
	api   *api
	asked chan string // has the token with which the output is to be reported, while it is

	mu   sync.Mutex // guards the fields below
	text string
	news bool // there is more than was reported
}

// add adds lines.
func (o *output) add(lines string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text += strings.TrimSuffix(lines, "\n") + "\n"
	if excess := len(o.text) - maxReported; excess > 0 {
		o.text = o.text[excess:]
	}
	o.news = true
}

// take returns the end of what was printed, and false if it was taken before.
func (o *output) take() (text string, news bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	news, o.news = o.news, false
	return o.text, news
}

// putBack queues the end of the output to be sent again.
func (o *output) putBack() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.news = true
}

// report reports the output so far to the server.
func (o *output) report(token string) {
	select {
	case o.asked <- token:
	default: // it is about to be
	}
}

// run sends what was printed whenever report asks for it, until a server says that it is no event.
func (o *output) run(ctx context.Context) {
	for {
		select {
		case token := <-o.asked:
			if !o.send(ctx, token) || pause(ctx, reportPause) != nil {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// reportLast reports what was printed and not reported yet, when everything else has ended.
func (o *output) reportLast(ctx context.Context, token string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastReportTime)
	defer cancel()
	o.send(ctx, token)
}

// send sends what was printed. It returns false if the server takes none.
func (o *output) send(ctx context.Context, token string) bool {
	text, news := o.take()
	if !news || token == "" {
		return true
	}
	url := o.api.at.path("/event/output", nil)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(text))
	if err != nil {
		return false
	}
	req.Header.Set("Authorization", "Bearer "+token)
	answer, err := o.api.client.Do(req)
	if err != nil {
		o.putBack() // the server may come back
		return true
	}
	finish(answer)
	switch status := answer.StatusCode; {
	case status == http.StatusTooManyRequests, status >= http.StatusInternalServerError:
		o.putBack()
	case status != http.StatusOK:
		return false
	}
	return true
}
