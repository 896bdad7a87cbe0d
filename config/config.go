// Package config holds the settings of hexarena serve. They come from four
// places, the later ones winning: the embedded defaults, a YAML file, the
// environment and the command line. [Load] judges every value wherever it
// comes from and reports all mistakes at once; nothing falls back in silence.
// The program netorcai has some of these settings, and its command line alone
// counts: [ParseNetorcai].
//
// It is the only package that imports koanf. It knows neither maps nor games:
// it checks the shape of a setting, and whoever uses it checks what it names.
// It starts no goroutines.
package config

import (
	"math"
	"time"
)

// Config is the settings as the rest of the program reads them.
type Config struct {
	Port           int
	MaxTurns       int
	MaxPlayers     Optional[int] // not given: what the game has seats for
	MaxSpecials    int
	MaxVisus       int
	Matches        Optional[int] // to play one after another; not given: no end of them
	DelayFirstTurn time.Duration
	DelayTurns     time.Duration
	Autostart      bool
	Fast           bool
	SimplePrompt   bool
	LogLevel       LogLevel
	JSONLogs       bool

	MaxConnections int // 0: no limit, and so below
	MaxPerAddress  int

	MaxPage, MaxPagePerAddress int // the same for those who speak HTTP

	MaxMessageSize Optional[int] // bytes; not given: what the game needs
	MaxMessageRate int           // a second

	MaxVisuMessageSize, MaxVisuMessageRate int // the same for visualizations

	MaxLogicMessageSize int // the same for a game logic
	MaxMessageDepth     int // levels of JSON

	Game         string
	Map          string        // a shipped map's name or a file
	Bind         string        // IP address or host name; empty: all interfaces
	TC           string        // seconds of a side, + and seconds that a move adds; empty: no clock
	Public       bool          // dial bots on the public Internet only
	TurnTimeout  time.Duration // of players; 0: none
	GameTimeout  time.Duration // of an external game logic; 0: none
	LoginTimeout time.Duration
	Reconnect    time.Duration // in which a player who is gone may come back; 0: none does
	WriteTimeout time.Duration // for a client to read what it is sent; 0: for ever
	Linger       time.Duration // after the last match, for clients that owe an answer; 0: as for the others
	DrainTimeout time.Duration // for a match to end after SIGTERM; 0: none
	Tokens       string        // file of those who may take part; empty: everybody may
	Order        Order
	Seed         Optional[uint64] // not given: drawn at random
	HTTP         string
	Health       string // address of its own for probes; empty: none
	TLSCert      string // files for https; empty: http
	TLSKey       string
	Record       string // folder; empty: none
	Durable      string // turn, second or end
	Keep         Keep   // of the recordings
}

// Optional is a setting that may be left for the program to fill in.
type Optional[T any] struct {
	Value T
	Given bool
}

// Given is a setting that has the value v.
func Given[T any](v T) Optional[T] { return Optional[T]{Value: v, Given: true} }

// Or returns the value that was given, and otherwise v.
func (o Optional[T]) Or(v T) T {
	if o.Given {
		return o.Value
	}
	return v
}

// Order is the order in which the players' actions of a turn are applied.
type Order string

// The orders: as the answers arrived, or a permutation drawn from the seed.
const (
	Arrival Order = "arrival"
	Seeded  Order = "seeded"
)

// FromMillis turns milliseconds, as the delays are written, into a duration
// rounded to nanoseconds.
func FromMillis(ms float64) time.Duration {
	return time.Duration(math.Round(ms * float64(time.Millisecond)))
}

// ToMillis turns a duration into milliseconds, fractions included.
func ToMillis(d time.Duration) float64 {
	return float64(d) / float64(time.Millisecond)
}
