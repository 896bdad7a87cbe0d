// Package export writes recordings of matches in other forms: as JSON, CSV, a picture, an
// animation, the page with the match in it, or a game's notation. It also makes recordings
// from a notation, and collects the course of a match.
package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/result"
)

// Format is a format in which a recording can be written.
type Format struct {
	Name  string
	About string   // one line
	Takes []string // the names of the Options that have an effect
	Text  bool     // it can be written to a terminal

	write func(*exporter, io.Writer) error
}

// Formats returns the formats of all games, and after them the notations of the games that
// have one.
func Formats(list games.List) []Format {
	formats := []Format{
		{"json", "every state, with the actions that led to it", nil, true, writeJSON},
		{"csv", "the figures of each player after each turn, a line for each", nil, true, writeCSV},
		{"svg", "a drawing of the board after the last turn, or the one of " +
			"--turn", []string{"turn"}, true, writeSVG},
		{"png", "a picture of the board after the last turn, or the one of --turn", []string{
			"turn", "size", "light",
		}, false, writePNG},
		{"gif", "an animation of the match, or of some turns of it", []string{
			"size", "light", "from", "to", "every", "fps",
		}, false, writeGIF},
		{
			"npz", "the states, answers and rewards as arrays of numpy, to learn from",
			nil, false, writeNPZ,
		},
		{"html", "the page with the match in it, one file that opens without a " +
			"network", nil, false, writeHTML},
	}
	for _, g := range list {
		if g.Notation != nil {
			formats = append(formats,
				Format{g.Notation.Format, g.Notation.About, nil, true, writeNotation(g)})
		}
	}
	return formats
}

// Takers returns the names of the formats in which an option has an effect.
func Takers(formats []Format, option string) (names []string) {
	for i := range formats {
		if slices.Contains(formats[i].Takes, option) {
			names = append(names, formats[i].Name)
		}
	}
	return names
}

// LastTurn stands for the last turn of a recording.
const LastTurn = -1

// EndName is the name of the last board of a match.
const EndName = "end"

// TurnArg returns how a flag names the turn whose board is that after a step.
func TurnArg(step int) string {
	switch step {
	case LastTurn:
		return EndName
	case 0:
		return match.StartName
	}
	return strconv.Itoa(match.ShownIn(step))
}

// Options say what a picture or an animation shows. Turns may be LastTurn.
type Options struct {
	Turn  int  // of a picture
	Size  int  // of the longer side in pixels; 0: the format's default
	Light bool // draw on a light ground

	From, To int     // turns of an animation
	Every    int     // turns from one picture to the next; 0: as many as give up to GIFFrames pictures
	FPS      float64 // turns that an animation shows in a second
}

// Recording is a recording that is played again.
type Recording struct {
	Path     string
	Games    games.List            // the games whose recordings can be played again
	Progress func(step, turns int) // called after each turn of a match of that many turns
}

// Write writes the recording to w. It returns a games.UsageError that names the command-line
// flag if an option does not suit the recording, and the error of ctx if that has ended.
func (f *Format) Write(ctx context.Context, w io.Writer, r Recording, o Options) error {
	return f.write(&exporter{ctx: ctx, Recording: r, Options: o}, w)
}

// exporter writes a recording in a format.
type exporter struct {
	ctx context.Context // of the call of Write
	Recording
	Options

	skip      int  // the first turn that a drawing follows
	unchecked bool // compare nothing with what was recorded, which is faster
}

func (x *exporter) replay(see func(*recording.Replay, *recording.Turn) error) error {
	return x.Replay(x.ctx, func(p *recording.Replay, t *recording.Turn) error {
		if x.unchecked {
			p.Uncheck()
		}
		return see(p, t)
	})
}

// Replay plays the recording again and calls see after each turn; io.EOF from see ends it. It
// returns nil at the end of the recording, also if that is truncated after a turn, and the error
// of ctx if that has ended. All other errors name the file.
func (r *Recording) Replay(
	ctx context.Context, see func(*recording.Replay, *recording.Turn) error,
) error {
	file, err := recording.Open(r.Path)
	if err != nil {
		return err
	}
	defer file.Close()
	p, err := recording.NewReplay(file, r.Games.Replay)
	if err != nil {
		return r.named(err)
	}
	for t, err := range p.Turns() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			err = see(p, t)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return r.named(err)
		}
		r.Progress(t.Step, file.Header().Turns)
	}
	if file.Step() < 0 {
		return r.named(recording.ErrEmpty)
	}
	return nil
}

// Course returns the course of the recorded match and the report on it. The report has a digest
// only if that is asked for, which takes time in proportion to the states.
func (r *Recording) Course(
	ctx context.Context, digest bool,
) (c *result.Course, report *result.Report, err error) {
	var file *recording.Reader
	var account *result.Replayed
	err = r.Replay(ctx, func(p *recording.Replay, t *recording.Turn) error {
		if file == nil {
			file = p.Reader()
			c, account = result.NewCourse(file.Header()), result.NewReplayed(file.Header(), digest)
		}
		account.Add(p, t)
		c.Add(p, t)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	c.Close(file.End())
	return c, account.Report(file.End()), nil
}

// Decisions returns the turns that decided between two players of the match whose course it is.
func (r *Recording) Decisions(
	ctx context.Context, c *result.Course, a, b engine.PlayerID,
) ([]result.Decision, error) {
	d := c.Between(a, b)
	err := r.Replay(ctx, func(p *recording.Replay, t *recording.Turn) error {
		p.Uncheck()
		d.Add(p, t)
		return nil
	})
	return d.Turns, err
}

// A See function looks at a step that was replayed.
type See func(*recording.Replay, *recording.Turn) error

// ReplayTo plays the recording up to a step, which may be LastTurn. It calls board for this step,
// whose state is the board of a TURN, and then answers, unless it is nil, for the next step, which
// plays the answers to that TURN. The last step has no next one.
func (r *Recording) ReplayTo(ctx context.Context, step int, board, answers See) error {
	x := &exporter{ctx: ctx, Recording: *r}
	step, err := x.turn("turn", step)
	if err != nil {
		return err
	}
	return r.Replay(ctx, func(p *recording.Replay, t *recording.Turn) error {
		switch {
		case t.Step < step:
			return nil
		case t.Step > step:
			return done(answers(p, t))
		}
		if err := board(p, t); err != nil || answers != nil {
			return err
		}
		return io.EOF
	})
}

// done returns what ends a replay: err, or io.EOF if that is nil.
func done(err error) error {
	if err == nil {
		return io.EOF
	}
	return err
}

// named returns err with the path of the recording, once.
func (r *Recording) named(err error) error {
	if inner := errors.Unwrap(err); inner != nil && err.Error() == r.Path+": "+inner.Error() {
		return err
	}
	return fmt.Errorf("%s: %w", r.Path, err)
}

// errTurn returns the error for an option that names a turn that the recording does not have.
func (r *Recording) errTurn(option string, turn, last int) error {
	return usageErrorf("--%s: %s: %s has turns 0 to %d", option, TurnArg(turn), r.Path,
		match.ShownIn(last))
}

func usageErrorf(format string, args ...any) error {
	return games.UsageError{Err: fmt.Errorf(format, args...)}
}
