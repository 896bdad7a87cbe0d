package hextictactoe

import (
	"errors"
	"strings"
	"time"

	rules "github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/games"
)

// transcript is a games.Transcript.
type transcript struct {
	record htttx.Record
	last   *botapi.Position // nil: there was no state yet
}

func newTranscript(m *games.Match) (games.Transcript, error) {
	tags, err := tagsOf(m)
	return &transcript{record: htttx.Record{Tags: tags}}, err
}

// Add implements games.Transcript.
func (t *transcript) Add(state []byte) error {
	now, err := botapi.ReadPosition(state)
	if err != nil {
		return err
	}
	if t.last != nil && now.Moves > t.last.Moves {
		t.record.Moves = append(t.record.Moves, htttx.RecordedMove{Pieces: now.LastMove().Pieces})
	}
	t.last = now
	return nil
}

// Text implements games.Transcript.
func (t *transcript) Text() []byte {
	record := t.record
	if t.last != nil {
		record.Tags = append(record.Tags[:len(record.Tags):len(record.Tags)], endTags(t.last)...)
	}
	return record.AppendText(nil)
}

// tagsOf returns what is known of a game before its first move.
func tagsOf(m *games.Match) ([]htttx.Tag, error) {
	o, err := rules.ParseOptions(m.Setup)
	if err != nil {
		return nil, err
	}
	if o.Setup != nil {
		return nil, errors.New("it begins from a position of its own, which the notation cannot hold; " +
			"--format json has the states")
	}
	tags := []htttx.Tag{
		{Key: htttx.TagVersion, Value: "1"},
		{Key: htttx.TagPlatform, Value: "hexarena"},
		{Key: htttx.TagUTCDateTime, Value: m.Started.UTC().Format(htttx.TagTimeLayout)},
		{Key: htttx.TagPlayerCross, Value: m.Names[0]},
		{Key: htttx.TagPlayerCircle, Value: m.Names[1]},
	}
	if c := o.Clock; c.Kind == rules.MatchClock || c.Kind == rules.Incremental {
		tc := htttx.TimeControl{
			Base:      time.Duration(c.Base) * time.Millisecond,
			Increment: time.Duration(c.Increment) * time.Millisecond,
		}
		tags = append(tags, htttx.Tag{Key: htttx.TagTimeControl, Value: tc.String()})
	}
	return tags, nil
}

// endTags returns how a game ended. Of forfeits the notation knows running out of time
// alone; in all others the player has resigned.
func endTags(p *botapi.Position) []htttx.Tag {
	if p.Update().Status == htttx.InProgress && p.Reason == "" {
		return nil // it was broken off
	}
	end := p.End()
	reason := "resign"
	switch {
	case end.Reason != htttx.EndForfeit:
		reason = string(end.Reason)
	case strings.HasSuffix(p.Reason, "out of time"):
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
