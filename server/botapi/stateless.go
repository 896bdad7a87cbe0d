package botapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// stateless is the transport to a bot over HTTP. Each request holds the whole
// position. Packets other than requests for moves are dropped.
type stateless struct {
	client   *http.Client
	url      string
	ctx      context.Context // of the requests
	cancel   context.CancelFunc
	incoming chan message
	requests sync.WaitGroup
}

func newStateless(client *http.Client, url string) *stateless {
	s := &stateless{client: client, url: url, incoming: make(chan message)}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

func (s *stateless) send(p htttx.Packet) error {
	m, ok := p.(htttx.MoveRequest)
	if !ok {
		return nil
	}
	turn := htttx.TurnRequest{
		ToMove: m.Side, Cells: cellsOf(m.Board), Limit: m.Limit, RequestID: m.RequestID,
	}
	body := turn.Append(nil)
	s.requests.Go(func() {
		h := receiveSafely(func(h *message) {
			h.packet, h.err = s.post(body)
			h.at = time.Now()
		})
		select {
		case s.incoming <- h:
		case <-s.ctx.Done():
		}
	})
	return nil
}

// cellsOf returns the array of pieces in a board of this server.
func cellsOf(board jsonscan.Value) jsonscan.Value {
	for key, v := range board.Fields() {
		if key.Is("cells") {
			return v
		}
	}
	return jsonscan.Value("[]")
}

func (s *stateless) post(body []byte) (htttx.Packet, error) {
	req, err := http.NewRequestWithContext(s.ctx, http.MethodPost, s.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := s.client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("cannot be asked: %w", err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return nil, &violation{"answered " + resp.Status}
	}
	text, err := readBody(resp.Body)
	switch {
	case errors.Is(err, errTooLong):
		return nil, errTooLong
	case err != nil:
		return nil, fmt.Errorf("broke off its answer: %w", err)
	}
	m, err := htttx.ParseTurnResponse(text)
	if err != nil {
		return nil, &violation{"answered something malformed: " + err.Error()}
	}
	return m, nil
}

func (s *stateless) messages() <-chan message { return s.incoming }

// ping does nothing: between requests there is no connection.
func (s *stateless) ping(context.Context) error { return nil }

func (s *stateless) close(string) {
	s.cancel()
	s.requests.Wait()
}
