package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/proc"
)

// house is a hexarena serve.
type house struct {
	*proc.Server
	log  sync.WaitGroup // reads it to its end
	said map[string]int // its errors, and how often; known at its end
}

// endTime is how long the server may take to quit.
const endTime = 5 * time.Second

// open starts a server that shows and records its matches. It ends with ctx, or
// when close is called.
func (o *options) open(ctx context.Context, flags ...string) (*house, error) {
	s, err := proc.Serve(ctx, o.binary, append([]string{
		"--http", "127.0.0.1:0", "--record", o.records(), "--nb-turns-max", strconv.Itoa(o.turns), "--fast",
	}, flags...)...)
	if err != nil {
		return nil, err
	}
	h := &house{Server: s, said: map[string]int{}}
	h.log.Go(h.listen)
	return h, nil
}

// listen reads the log to its end, and remembers what is an error.
func (h *house) listen() {
	for text := range h.Lines() {
		var line struct{ Level, Msg, Error string }
		if json.Unmarshal(text, &line) == nil && line.Level == "error" {
			h.said[line.Msg+": "+line.Error]++
		}
	}
}

// close has the server quit, and is what went wrong with it from its start to
// its end.
func (h *house) close() error {
	_ = h.Tell("quit")
	hard := time.AfterFunc(endTime, h.Interrupt)
	defer hard.Stop()
	h.log.Wait()
	err := h.Wait()
	for text, times := range h.said {
		err = errors.Join(err, fmt.Errorf("hexarena serve logged %d times: %s", times, text))
	}
	return err
}
