// Package config holds the settings of hexarena's commands in one table; a row is a [Setting].
// Values come from four places, of which later ones take precedence: the defaults in the table, a
// YAML file, the environment and the command line. [Scope.Load] checks every value wherever it
// comes from and reports all mistakes at once; no wrong value is silently replaced. The program
// netorcai has some of these settings, and reads only its command line: [ParseNetorcai].
//
// It is the only package that imports koanf. It knows neither maps nor games: it checks the form
// of a value, and the code that uses it checks what it names. It starts no goroutines.
package config

import (
	"math"
	"time"
)

// Config holds the general settings as fields, for the code that needs many of them.
type Config struct {
	Port           int
	MaxTurns       int
	MaxPlayers     Optional[int] // not given: the seats of the game
	MaxSpecials    int
	MaxVisus       int
	Matches        Optional[int] // played one after another; not given: no limit
	DelayFirstTurn time.Duration
	// least time from one turn to the next, 0 for none; not given: that of the pace
	TurnInterval Optional[time.Duration]
	Autostart    bool
	Pace         Pace
	SimplePrompt bool
	LogLevel     LogLevel
	JSONLogs     bool

	MaxConnections int // 0: no limit, and so below
	MaxPerAddress  int

	MaxPage, MaxPagePerAddress int // the same for HTTP

	MaxMessageSize Optional[int] // bytes; not given: the game's
	MaxMessageRate int           // a second

	MaxVisuMessageSize, MaxVisuMessageRate int // the same for visualizations

	MaxLogicMessageSize int // the same for a game logic
	MaxMessageDepth     int // levels of JSON

	Game         string
	Bind         string        // IP address or host name; empty: all interfaces
	Public       bool          // a game dials bots on the public Internet only
	TurnTimeout  time.Duration // for an awaited answer; 0: none
	GameTimeout  time.Duration // of a game whose logic connects, for a turn; 0: none
	LoginTimeout time.Duration
	Reconnect    time.Duration // for a player to reconnect and get its seat back; 0: none
	WriteTimeout time.Duration // for a client to read what it is sent; 0: none
	// after the last match, for clients that owe an answer; 0: as for other clients
	Linger       time.Duration
	DrainTimeout time.Duration // for a match to end after SIGTERM; 0: none
	Tokens       string        // file of the clients that may take part; empty: all clients may
	Order        Order
	Seed         Optional[uint64] // not given: drawn at random
	HTTP         string
	PageHosts    string // further names of the page, separated by spaces
	// TrustedProxies are proxies before the page whose X-Forwarded-For is believed, as ParseNetworks
	// reads them.
	TrustedProxies string
	Health         string // separate address for probes; empty: none
	TLSCert        string // files for https; empty: http
	TLSKey         string
	Record         string // folder; empty: none
	Durable        string // turn, second or end
	Keep           Keep   // of the recordings
}

// Config returns the settings by field.
func (v Values) Config() Config {
	return Config{
		Port:                v.Int("port"),
		MaxTurns:            v.Int("turns"),
		MaxPlayers:          optionalOf[int](v, "players"),
		MaxSpecials:         v.Int("special-players"),
		MaxVisus:            v.Int("visualizations"),
		Matches:             optionalOf[int](v, "matches"),
		DelayFirstTurn:      v.Duration("delay-first-turn"),
		TurnInterval:        optionalOf[time.Duration](v, "tps"),
		Autostart:           v.Bool("autostart"),
		Pace:                Pace(v.Text("pace")),
		SimplePrompt:        v.Bool("simple-prompt"),
		LogLevel:            v.logLevel(),
		JSONLogs:            v.Bool("json-logs"),
		MaxConnections:      v.Int("max-connections"),
		MaxPerAddress:       v.Int("max-connections-per-address"),
		MaxPage:             v.Int("max-page-connections"),
		MaxPagePerAddress:   v.Int("max-page-connections-per-address"),
		MaxMessageSize:      optionalOf[int](v, "max-message-size"),
		MaxMessageRate:      v.Int("max-message-rate"),
		MaxVisuMessageSize:  v.Int("max-visu-message-size"),
		MaxVisuMessageRate:  v.Int("max-visu-message-rate"),
		MaxLogicMessageSize: v.Int("max-logic-message-size"),
		MaxMessageDepth:     v.Int("max-message-depth"),
		Game:                v.Text("game"),
		Bind:                v.Text("bind"),
		Public:              v.Bool("public"),
		TurnTimeout:         v.Duration("turn-timeout"),
		GameTimeout:         v.Duration("game-timeout"),
		LoginTimeout:        v.Duration("login-timeout"),
		Reconnect:           v.Duration("reconnect"),
		WriteTimeout:        v.Duration("write-timeout"),
		Linger:              v.Duration("linger"),
		DrainTimeout:        v.Duration("drain-timeout"),
		Tokens:              v.Text("tokens"),
		Order:               Order(v.Text("order")),
		Seed:                optionalOf[uint64](v, "seed"),
		HTTP:                v.Text("http"),
		PageHosts:           v.Text("page-hosts"),
		TrustedProxies:      v.Text("trusted-proxies"),
		Health:              v.Text("health"),
		TLSCert:             v.Text("tls-cert"),
		TLSKey:              v.Text("tls-key"),
		Record:              v.Text("record"),
		Durable:             v.Text("durable"),
		Keep:                get[Keep](v, "keep-recordings"),
	}
}

// Optional is a setting that may be left for the program to fill in.
type Optional[T any] struct {
	Value T
	Given bool
}

// Given returns a setting with the value v.
func Given[T any](v T) Optional[T] { return Optional[T]{Value: v, Given: true} }

func optionalOf[T any](v Values, name string) (o Optional[T]) {
	o.Value, o.Given = optional[T](v, name)
	return o
}

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

// Pace determines when a turn ends.
type Pace string

// The paces: when all have answered, or when its time is up.
const (
	Fast  Pace = "fast"
	Timer Pace = "timer"
)

// Interval returns the time from one turn to the next that clients are told: that of tps, and
// otherwise a second. At the timer's pace it is the length of a turn.
func (c *Config) Interval() time.Duration {
	if d := c.TurnInterval.Or(defaultInterval); d > 0 {
		return d
	}
	return defaultInterval
}

// FromMillis returns a number of milliseconds as a duration, rounded to nanoseconds.
func FromMillis(ms float64) time.Duration {
	return time.Duration(math.Round(ms * float64(time.Millisecond)))
}

// ToMillis returns a duration in milliseconds, including fractions.
func ToMillis(d time.Duration) float64 {
	return float64(d) / float64(time.Millisecond)
}
