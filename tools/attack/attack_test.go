//go:build linux && thorough

package main

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"testing"
)

func TestWrongFlags(t *testing.T) {
	for _, args := range [][]string{
		{"-only", "H9"}, {"-quiet", "0s"}, {"-duration", "-1s"}, {"-scale", "0"}, {"more"},
	} {
		if err := program.Run(t.Context(), args, io.Discard, io.Discard); err == nil {
			t.Errorf("attack %v is accepted", args)
		}
	}
}

// Attackers connect again when the server has closed their connection.
func TestAttackersReturn(t *testing.T) {
	for _, kind := range []string{"garbage", "player"} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		a := &attackers{
			plan:  plan{Addr: l.Addr().String(), Crowds: []crowd{many(kind, 1, 0)}},
			begun: make(chan struct{}),
		}
		close(a.begun)
		ctx, leave := context.WithCancel(t.Context())
		a.all.Go(func() { a.start(ctx, false) })
		for range 3 {
			conn, err := l.Accept()
			if err != nil {
				t.Fatal(err)
			}
			_ = conn.Close()
		}
		leave()
		a.all.Wait()
		if n, held := a.requests.Load(), a.held.Load(); n < 3 || held != 0 {
			t.Errorf("%s: %d requests, %d connections are left, want 3 or more and none", kind, n, held)
		}
	}
}

func TestPayloads(t *testing.T) {
	for name, payload := range payloads {
		for _, size := range []int{2 << 10, largestAnswer, 1_000_000} {
			p := payload(size)
			text := p.append(nil)
			var list []any
			if err := json.Unmarshal(text, &list); err != nil {
				t.Errorf("%s of %d bytes: %v", name, size, err)
			}
			if len(text) < size*9/10-200 || len(text) > size+2*levels {
				t.Errorf("%s of %d bytes has %d", name, size, len(text))
			}
		}
	}
}

func TestJudge(t *testing.T) {
	good := row{
		attack: attack{honest: 1, room: 100}, before: phase{P99: 2}, during: phase{Turns: 95, P99: 9},
		peak: memoryBound, disk: 100,
	}
	for name, test := range map[string]struct {
		change func(*row)
		faults int
	}{
		"good":    {func(*row) {}, 0},
		"alone":   {func(r *row) { r.honest, r.during = 0, phase{} }, 0},
		"memory":  {func(r *row) { r.peak++ }, 1},
		"disk":    {func(r *row) { r.disk++ }, 1},
		"no disk": {func(r *row) { r.room, r.disk = 0, 1000 }, 0},
		"lost":    {func(r *row) { r.during.Lost = 1 }, 1},
		"refused": {func(r *row) { r.during.Refused = 1 }, 1},
		"late":    {func(r *row) { r.during.P99 = 9.1 }, 1},
		"slow":    {func(r *row) { r.during.Turns = 89 }, 1},
		"stuck":   {func(r *row) { r.during = phase{} }, 1},
		"all":     {func(r *row) { r.peak, r.disk, r.during = 1<<30, 1<<30, phase{Lost: 1} }, 4},
	} {
		r := good
		test.change(&r)
		if r.judge(100); len(r.faults) != test.faults {
			t.Errorf("%s: %q, want %d faults", name, r.faults, test.faults)
		}
	}
}
