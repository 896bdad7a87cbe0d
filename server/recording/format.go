// Package recording stores matches in files and verifies them by replaying them. A
// recording contains the rules' name, the map, the setup and the inputs in the order
// applied; replaying these gives the states of the match byte for byte, which a digest
// of every state proves. If the rules are not part of this program, it contains the states
// themselves. docs/recording.md describes the format.
//
// A [Recorder] watches one match and writes its file during the match. A [Reader] reads
// a file, complete or truncated, and a [Replay] replays it. The package knows no game:
// callers pass a function that makes one ([Games]).
//
// A Recorder belongs to the goroutine of its match; a timer that ends with the match syncs data
// to the disk. Readers and replays start no goroutine. Recorders and keepers have their files
// on a [disk.Disk].
package recording

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"hash/crc32"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/match"
)

// Extension is the extension of recordings' file names.
const Extension = ".hexarena"

// formatVersion increases when older readers could not read a file correctly.
const formatVersion = 1

// External is the name of rules that are not part of this program. Their states are
// recorded.
const External = "external"

// Limits of a recording. Reading takes memory in proportion to them, not to what a file
// claims.
const (
	frameTurns = 32       // records that are compressed together
	framePlain = 1 << 20  // bytes after which a frame ends earlier
	maxLine    = 48 << 20 // bytes of one record
	windowSize = 1 << 20  // bytes of the compression window
	maxPlayers = 1 << 10
	maxCounts  = 64
	maxTurns   = 1 << 30
)

// Header is the first record: it describes the match as a whole.
type Header struct {
	Format  int       `json:"hexarena_recording"`
	Program string    `json:"program"` // program that recorded the match, with its version
	Started time.Time `json:"started"`
	Rules   string    `json:"rules"` // name and version, as the game has them, or External
	// what the game logic of External rules said; nil: nothing
	Logic *Logic `json:"logic,omitempty"`

	Players  int    `json:"players"`  // without special players
	Specials int    `json:"specials"` // ids 0 to Specials-1
	Turns    int    `json:"turns"`    // most turns of the match
	Seed     uint64 `json:"seed"`

	DelayFirst float64 `json:"delay_first_ms"` // before the first turn, as players were told
	DelayTurns float64 `json:"delay_turns_ms"`
	// for an answer; 0: none, clocks count, or it is not known
	Limit   float64           `json:"limit_ms,omitempty"`
	Options map[string]string `json:"options"` // other settings of the match
	// what the match belongs to: its series, round, table and match
	Labels  map[string]string `json:"labels,omitempty"`
	MapName string            `json:"map_name,omitempty"`
	Map     json.RawMessage   `json:"map,omitempty"` // the whole map
	Seats   []Seat            `json:"seats"`         // by player id
	Counts  []string          `json:"counts"`        // names of the figures in each player's tally
}

// Logic is what a game logic said of its rules.
type Logic struct {
	Rules string          `json:"rules,omitempty"` // name and version
	View  json.RawMessage `json:"view,omitempty"`  // how the states are drawn: a netorcai.View
}

// Describe sets what a header says of the rules of a match.
func (h *Header) Describe(rules match.Rules) {
	logic, external := rules.(match.Logic)
	if !external {
		h.Rules = rules.Rules()
		return
	}
	h.Rules = External
	if l := (Logic{logic.Rules(), logic.View()}); l.Rules != "" || l.View != nil {
		h.Logic = &l
	}
}

// RulesName returns the name and version of the rules: of External rules those that the game logic
// gave, or else External.
func (h *Header) RulesName() string {
	if h.Logic != nil {
		return cmp.Or(h.Logic.Rules, h.Rules)
	}
	return h.Rules
}

// Setup returns the setup to start the game with.
func (h *Header) Setup() engine.Setup {
	return engine.Setup{Players: h.Players, Specials: h.Specials, Turns: h.Turns, Seed: h.Seed}
}

// Seat is a player's seat.
type Seat struct {
	Bot
	Nickname string `json:"nickname"`
	Address  string `json:"address"`
	Special  bool   `json:"special,omitempty"`
	Version  string `json:"version,omitempty"`  // a digest of the player's code, as it said
	Language string `json:"language,omitempty"` // in which the player is written, as it said
	Untimed  bool   `json:"untimed,omitempty"`  // no deadline held for it
}

// Name returns the seat's label, or its nickname if it has no label.
func (s *Seat) Name() string { return cmp.Or(s.Label, s.Nickname) }

// Bot is what is known of a bot that was started for the match.
type Bot struct {
	Label   string   `json:"label,omitempty"`   // short and unique
	Command []string `json:"command,omitempty"` // of its process
	Seed    uint64   `json:"seed,omitempty"`    // passed to it at the start
}

// Turn is one turn that was played, or the initial state. Its contents are valid until the
// next one is read.
type Turn struct {
	Step    int           // 1 for the first turn, 0 for the initial state
	At      time.Duration // when it was played, since the start of the match
	Inputs  []Input       // in the order applied, including lapses
	Refused []engine.Refusal
	Left    []Departure // players that left since the previous turn
	Printed []Output    // what started bots printed since the previous turn
	Tally   []int64     // the counts of all players, player by player
	Digest  Digest      // of the state after it
	Winner  engine.PlayerID
	State   []byte // after it, only with External rules

	parser parser // of the turn, with what it reuses from turn to turn
}

// Input is one player's input in a turn, with the time that it took.
type Input struct {
	engine.Input
	Took  time.Duration
	Debug []byte // JSON that the player showed beside its actions; may be nil
	sum   uint32 // checksum as recorded

	Abridged Abridged // describes the original actions, if Actions are others
}

// Departure is a player that left.
type Departure struct {
	Player engine.PlayerID `json:"player"`
	Reason string          `json:"reason"`
}

// End is how a match ended.
type End struct {
	Turns  int             `json:"turns"`  // number of turns that were played
	Winner engine.PlayerID `json:"winner"` // engine.NoPlayer if no player leads alone
	Reason string          `json:"reason,omitempty"`
	Error  string          `json:"error,omitempty"` // why the match was not played to its end
	// the recording reached its limit, and the match went on
	Cut  bool        `json:"cut,omitempty"`
	Left []Departure `json:"left,omitempty"` // since the last turn
	// Printed is what started bots printed after the last turn.
	Printed []Output `json:"printed,omitempty"`
}

// Digest identifies a state: the first bytes of its SHA-256.
type Digest [8]byte

func digestOf(state []byte) (d Digest) {
	sum := sha256.Sum256(state)
	copy(d[:], sum[:])
	return d
}

func (d Digest) String() string { return hex.EncodeToString(d[:]) }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// summer computes the checksums of inputs. They detect an input that was changed later even
// if the change has no effect on the game. It holds the buffer.
type summer struct{ head [13]byte }

func (s *summer) sum(in *engine.Input) uint32 {
	binary.LittleEndian.PutUint32(s.head[0:], uint32(in.Player))
	binary.LittleEndian.PutUint64(s.head[4:], uint64(in.Turn))
	s.head[12] = byte(in.Lapse)
	return crc32.Update(crc32.Checksum(s.head[:], castagnoli), castagnoli, in.Actions)
}

// answers returns the number of the TURN that players answer in a step.
func answers(step int) int { return step - 2 }
