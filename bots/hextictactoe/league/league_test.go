//go:build thorough

package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	bots "github.com/hexarena/hexarena/bots/hextictactoe"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// TestSample plays a few games against each bot; the command plays a hundred.
func TestSample(t *testing.T) {
	thorough.Long(t)
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-games", "12", "-nodes", "128"}, &out, io.Discard); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if n := strings.Count(out.String(), " 12/12 "); n != 2 {
		t.Errorf("the table is\n%s", out.String())
	}
}

// TestOpenings checks that the openings of the hundred games differ and have no threats.
func TestOpenings(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(100) {
		text, err := bots.Opening(seed + 1).MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		seen[string(text)] = true
	}
	if len(seen) != 100 {
		t.Errorf("100 seeds give %d openings", len(seen))
	}
}

func TestRefused(t *testing.T) {
	for _, args := range []string{"-games=0", "-nodes=0", "more"} {
		if err := run(t.Context(), []string{args}, io.Discard, io.Discard); err == nil {
			t.Errorf("league %s does not fail", args)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(io.ErrUnexpectedEOF)
	if err := run(ctx, nil, io.Discard, io.Discard); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("interrupted: %v", err)
	}
}
