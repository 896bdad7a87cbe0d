package htttx

import (
	"strconv"
	"time"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// NewGame is the body of Hivemaker's POST /game/new: the players and the settings.
type NewGame struct {
	Cross, Circle Participant
	Match         MatchConfig
}

// Participant is the player of a side.
type Participant struct {
	Bot     bool   // false: a person
	URL     string // the address of a bot
	BuiltIn string // instead of URL, the name of a built-in bot of the server
}

// MatchConfig holds the settings of a game.
type MatchConfig struct {
	Heartbeat    time.Duration
	ViewDistance int
	WinDistance  int
	TurnLimit    int // moves until a draw; 0: no limit
	Clock        ClockType
	Time         time.Duration // on the clock: for a move or for the whole game
	Increment    time.Duration // after each move
}

// ClockType is the kind of a clock.
type ClockType string

// The clocks.
const (
	NoClock          ClockType = "none"
	MatchClock       ClockType = "match"
	TurnClock        ClockType = "turn"
	IncrementalClock ClockType = "incremental"
)

// DefaultBotURL is the default address of a bot.
const DefaultBotURL = "http://localhost:8002"

// DefaultMatch returns the default settings.
func DefaultMatch() MatchConfig {
	return MatchConfig{Heartbeat: 5 * time.Second, ViewDistance: 8, WinDistance: 6, Clock: NoClock}
}

const (
	minHeartbeat = 100 // ms: ten packets a second to a player that waits

	maxDistance = 64
	maxTurns    = 1 << 20
)

// ParseNewGame parses the body of POST /game/new. Every field is optional. The error is a
// *Fault.
func ParseNewGame(body []byte) (NewGame, error) {
	obj, err := parseObject(body)
	if err != nil {
		return NewGame{}, err
	}
	g := NewGame{Match: DefaultMatch()}
	if g.Cross, err = participant(obj, "player_x"); err != nil {
		return g, err
	}
	if g.Circle, err = participant(obj, "player_o"); err != nil {
		return g, err
	}
	err = g.Match.read(obj)
	return g, err
}

func participant(obj jsonscan.Value, name string) (Participant, error) {
	human := Participant{}
	v := optional(obj, name)
	if v == nil {
		return human, nil
	}
	if err := need(v, name, jsonscan.Object); err != nil {
		return human, err
	}
	typ := optional(v, "type")
	switch {
	case typ == nil || typ.Is("human"):
		return human, nil
	case typ.Is("built-in"):
		own := v.Field("name")
		if err := need(own, name+".name", jsonscan.String); err != nil {
			return human, err
		}
		return Participant{Bot: true, BuiltIn: own.Text()}, nil
	case !typ.Is("bot"):
		return human, &Fault{name + ".type", `is not "human", "bot" or "built-in": ` + quoted(typ)}
	}
	bot := Participant{Bot: true, URL: DefaultBotURL}
	if address := optional(v, "bot_url"); address != nil {
		if err := need(address, name+".bot_url", jsonscan.String); err != nil {
			return human, err
		}
		bot.URL = address.Text()
	}
	if _, err := CapabilitiesURL(bot.URL); err != nil {
		return human, &Fault{name + ".bot_url", "cannot be used: " + err.Error()}
	}
	return bot, nil
}

const matchConfig = "match_config"

func (m *MatchConfig) read(obj jsonscan.Value) error {
	v := optional(obj, matchConfig)
	if v == nil {
		return nil
	}
	if err := need(v, matchConfig, jsonscan.Object); err != nil {
		return err
	}
	heartbeat := int(m.Heartbeat.Milliseconds())
	for _, f := range []struct {
		name       string
		to         *int
		least, top int
	}{
		{"heartbeat", &heartbeat, minHeartbeat, maxSeconds * 1000},
		{"view_distance", &m.ViewDistance, 1, maxDistance},
		{"win_distance", &m.WinDistance, 2, maxDistance},
		{"turn_limit", &m.TurnLimit, 1, maxTurns},
	} {
		if err := boundedInt(v, f.name, f.to, f.least, f.top); err != nil {
			return err
		}
	}
	m.Heartbeat = time.Duration(heartbeat) * time.Millisecond
	return m.readClock(v)
}

func boundedInt(obj jsonscan.Value, name string, to *int, least, top int) error {
	v := optional(obj, name)
	if v == nil {
		return nil
	}
	path := matchConfig + "." + name
	n, err := integer(v, path)
	if err != nil {
		return err
	}
	if int(n) < least || int(n) > top {
		return &Fault{
			path, "is not from " + strconv.Itoa(least) + " to " + strconv.Itoa(top) + ": " + quoted(v),
		}
	}
	*to = int(n)
	return nil
}

func (m *MatchConfig) readClock(obj jsonscan.Value) (err error) {
	if v := optional(obj, "clock_type"); v != nil {
		m.Clock = ClockType(v.Text())
		switch m.Clock {
		case NoClock, MatchClock, TurnClock, IncrementalClock:
		default:
			return &Fault{
				matchConfig + ".clock_type", `is not "none", "match", "turn" or "incremental": ` + quoted(v),
			}
		}
	}
	if m.Time, err = boundedSeconds(obj, "clock"); err != nil {
		return err
	}
	if m.Increment, err = boundedSeconds(obj, "clock_increment"); err != nil {
		return err
	}
	if m.Clock != NoClock && m.Time == 0 {
		return &Fault{matchConfig + ".clock", "must be above 0 for a clock of type " + string(m.Clock)}
	}
	return nil
}

func boundedSeconds(obj jsonscan.Value, name string) (time.Duration, error) {
	v := optional(obj, name)
	if v == nil {
		return 0, nil
	}
	path := matchConfig + "." + name
	if err := need(v, path, jsonscan.Number); err != nil {
		return 0, err
	}
	s, _ := v.Float()
	if s < 0 || s > maxSeconds {
		return 0, &Fault{path, "is not from 0 to " + strconv.Itoa(maxSeconds) + " seconds: " + quoted(v)}
	}
	return seconds(s), nil
}

// GameCreated is the answer to POST /game/new. It has a token for each person.
type GameCreated struct {
	GameID      string `json:"game_id"`
	TokenCross  string `json:"token_x,omitempty"`
	TokenCircle string `json:"token_o,omitempty"`
}
