package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/recording"
)

// exportNotation writes a game of hexagonal tic-tac-toe in its notation.
func exportNotation(x *export, w io.Writer) error {
	var record htttx.Record
	var last *botapi.Position
	err := x.replay(func(p *recording.Replay, t *recording.Turn) (err error) {
		if t.Step == 0 {
			if record.Tags, err = notationTags(p.Reader().Header()); err != nil {
				return err
			}
		}
		now, err := botapi.ReadPosition(p.State())
		if err != nil {
			return err
		}
		if last != nil && now.Moves > last.Moves {
			record.Moves = append(record.Moves, htttx.RecordedMove{Pieces: now.LastMove().Pieces})
		}
		last = now
		return nil
	})
	switch {
	case err != nil:
		return err
	case last == nil:
		return errNoTurns(x.path)
	}
	record.Tags = append(record.Tags, endTags(last)...)
	_, err = w.Write(record.AppendText(nil))
	return err
}

// notationTags are what is known of a game before its first move.
func notationTags(h *recording.Header) ([]htttx.Tag, error) {
	if h.Rules != hextictactoe.Rules {
		return nil, fmt.Errorf("its rules are %q, and the notation is for those of %s", h.Rules, hextictactoe.Rules)
	}
	o, err := hextictactoe.ParseOptions(h.Map)
	if err != nil {
		return nil, err
	}
	if o.Setup != nil {
		return nil, fmt.Errorf("it begins from a position of its own, which the notation cannot hold; --format json has the states")
	}
	tags := []htttx.Tag{
		{Key: htttx.TagVersion, Value: "1"},
		{Key: htttx.TagPlatform, Value: "hexarena"},
		{Key: htttx.TagUTCDateTime, Value: h.Started.UTC().Format(htttx.TagTimeLayout)},
		{Key: htttx.TagPlayerCross, Value: h.Seats[0].Name()},
		{Key: htttx.TagPlayerCircle, Value: h.Seats[1].Name()},
	}
	if c := o.Clock; c.Kind == hextictactoe.MatchClock || c.Kind == hextictactoe.Incremental {
		tc := htttx.TimeControl{Base: time.Duration(c.Base) * time.Millisecond, Increment: time.Duration(c.Increment) * time.Millisecond}
		tags = append(tags, htttx.Tag{Key: htttx.TagTimeControl, Value: tc.String()})
	}
	return tags, nil
}

// endTags say how a game ended. The notation has no word for a forfeit but to
// be out of time; whoever forfeits has resigned.
func endTags(p *botapi.Position) []htttx.Tag {
	if p.Update().Status == htttx.InProgress && p.Reason() == "" {
		return nil // it was broken off
	}
	end := p.End()
	reason := "resign"
	switch {
	case end.Reason != htttx.EndForfeit:
		reason = string(end.Reason)
	case strings.HasSuffix(p.Reason(), "out of time"):
		reason = "time"
	}
	tags := []htttx.Tag{{Key: htttx.TagEndReason, Value: reason}}
	switch end.Winner {
	case htttx.Cross:
		tags = append(tags, htttx.Tag{Key: htttx.TagWinner, Value: "cross"})
	case htttx.Circle:
		tags = append(tags, htttx.Tag{Key: htttx.TagWinner, Value: "circle"})
	}
	return tags
}
