package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/harness"
)

// server is a hexarena serve whose log is read.
type server struct {
	*harness.Server
	log    sync.WaitGroup // the reader of the log
	errors map[string]int // how often each error was logged; complete after close
}

// quitTime is the time that the server may take to quit.
const quitTime = 5 * time.Second

// open starts a server with a page and recordings. It ends when ctx is done or close is
// called.
func (o *options) open(ctx context.Context, flags ...string) (*server, error) {
	h, err := harness.Serve(ctx, o.binary, append([]string{
		"--http", "127.0.0.1:0", "--record", o.records(), "--nb-turns-max", strconv.Itoa(o.turns), "--fast",
	}, flags...)...)
	if err != nil {
		return nil, err
	}
	s := &server{Server: h, errors: map[string]int{}}
	s.log.Go(s.readLog)
	return s, nil
}

// readLog reads the log to its end and counts errors.
func (s *server) readLog() {
	for text := range s.Lines() {
		var line struct{ Level, Msg, Error string }
		if json.Unmarshal(text, &line) == nil && line.Level == "error" {
			s.errors[line.Msg+": "+line.Error]++
		}
	}
}

// close makes the server quit. It returns an error if the server failed or has logged one.
func (s *server) close() error {
	_ = s.Tell("quit")
	kill := time.AfterFunc(quitTime, s.Interrupt)
	defer kill.Stop()
	s.log.Wait()
	err := s.Wait()
	for text, times := range s.errors {
		err = errors.Join(err, fmt.Errorf("hexarena serve logged %d times: %s", times, text))
	}
	return err
}
