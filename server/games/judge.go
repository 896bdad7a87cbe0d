package games

import (
	"context"
	"io"
	"net"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/recording"
)

// ServeBot serves the built-in player of that name on l until ctx ends. version is
// that of the program.
type ServeBot func(ctx context.Context, l net.Listener, name, version string, seed uint64) error

// Notation is a game's own way to write matches down as text.
type Notation struct {
	Format string // name of the format
	About  string // one line

	// New returns a transcript of a recorded match, or says why the notation cannot
	// hold that match.
	New func(m *Match) (Transcript, error)

	// Parse reads the matches of a text, at least one.
	Parse func(text string) ([]*Noted, error)
}

// Transcript writes one match in a notation.
type Transcript interface {
	// Add takes the next state, from the one as the board was set on.
	Add(state []byte) error
	// Text returns the match as far as it was added.
	Text() []byte
}

// Noted is a match that was read from its notation.
type Noted struct {
	Setup []byte            // Instance.Setup
	Tags  map[string]string // what the text says of the match
	recording.Moves
}

// Judge judges recorded matches by a bot.
type Judge struct {
	Names []string // of the built-in judges, the best first
	Run   func(context.Context, *Judgement) error
}

// Judgement is one match to be judged.
type Judgement struct {
	Path string // a recording, or a text in the game's notation

	Judge   string        // name of a built-in judge, or an address
	Public  bool          // an address has to be on the public Internet
	Moves   string        // such as 12,30-34; empty: all
	Time    time.Duration // for each answer
	Depth   int           // search depth, for judges that support it; zero is the judge's default
	Line    int           // the number of moves that the judge shows ahead of each move; zero: none
	Threats bool          // say what a side would play if it could move again
	Blunder float64       // loss that makes a blunder
	Version string        // of the program, as a judge of its own is told

	Log      zerolog.Logger       // of the connection to the judge
	JSON     bool                 // write one JSON object instead of text
	Lines    bool                 // write a line of JSON for the judge, and for each move
	Out, Err io.Writer            // for the judgement, and for remarks
	Progress func(judged, of int) // is called after each answer of the judge; may be nil
}
