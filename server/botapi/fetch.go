package botapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/hexarena/hexarena/protocol/htttx"
)

// fetch returns a bot's capabilities and the URL at which they were found, after
// redirects. Relative URLs in them refer to that URL.
func (d *Dialer) fetch(ctx context.Context, from *url.URL) (c htttx.Capabilities, at *url.URL, err error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, from.String(), nil)
	if err != nil {
		return c, nil, err
	}
	resp, err := d.client.Do(req)
	if err != nil {
		if ctx.Err() == context.DeadlineExceeded {
			err = fmt.Errorf("no answer within %v", fetchTimeout)
		}
		return c, nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return c, nil, errors.New("the answer is " + resp.Status)
	}
	body, err := readBody(resp.Body)
	if err != nil {
		return c, nil, err
	}
	c, err = htttx.ParseCapabilities(body)
	return c, resp.Request.URL, err
}

// readBody reads a body of at most MaxMessage bytes.
func readBody(r io.Reader) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r, MaxMessage+1))
	if err == nil && len(body) > MaxMessage {
		return nil, errTooLong
	}
	return body, err
}
