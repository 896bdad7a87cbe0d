// Package recording keeps matches in files, and checks them by playing them again. A recording
// holds the rules' name, the map, the setup and the inputs in the order applied;
// playing these again gives the states of the match byte for byte, and a digest
// of every state shows it. Of a game whose rules are elsewhere it holds the
// states themselves. docs/recording.md describes the format.
//
// A [Recorder] watches one match and writes its file as the match goes. A
// [Reader] reads a file, finished or cut, and a [Replay] plays it again. No game
// is known here: whoever replays says how to make one ([Games]).
//
// A Recorder belongs to the goroutine of its match, and has one more that sends
// data to the disk; it ends with the match. The others start none.
package recording

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"time"

	"github.com/hexarena/hexarena/engine"
)

// Extension is how the names of recordings end.
const Extension = ".hexarena"

// formatVersion is raised when older readers could not make sense of a file.
const formatVersion = 1

// External is the name of rules that are not in this program: their states are
// recorded.
const External = "external"

// Bounds of a recording. Reading takes memory in proportion to them, and not to
// what a file claims.
const (
	frameTurns = 32       // records that are compressed together
	framePlain = 1 << 20  // bytes after which a frame ends earlier
	maxLine    = 48 << 20 // bytes of one record
	windowSize = 1 << 20  // bytes that decompression looks back
	maxPlayers = 1 << 10
	maxCounts  = 64
	maxTurns   = 1 << 30
)

// Header is what a recording says about its match as a whole.
type Header struct {
	Format  int       `json:"hexarena_recording"`
	Program string    `json:"program"` // that recorded it, with its version
	Started time.Time `json:"started"`
	Rules   string    `json:"rules"` // such as "hexabomb/1", or External

	Players  int    `json:"players"`  // without the special ones
	Specials int    `json:"specials"` // ids 0 to Specials-1
	Turns    int    `json:"turns"`    // to be played at the most
	Seed     uint64 `json:"seed"`

	DelayFirst float64           `json:"delay_first_ms"` // before the first turn, as players are told
	DelayTurns float64           `json:"delay_turns_ms"`
	Options    map[string]string `json:"options"` // how the match was played otherwise
	MapName    string            `json:"map_name,omitempty"`
	Map        json.RawMessage   `json:"map,omitempty"` // the whole map
	Seats      []Seat            `json:"seats"`         // by player id
	Counts     []string          `json:"counts"`        // names of the figures in each player's tally
}

// Setup is what the game is started with.
func (h *Header) Setup() engine.Setup {
	return engine.Setup{Players: h.Players, Specials: h.Specials, Turns: h.Turns, Seed: h.Seed}
}

// Seat is who played.
type Seat struct {
	Bot
	Nickname string `json:"nickname"`
	Address  string `json:"address"`
	Special  bool   `json:"special,omitempty"`
}

// Name is what to call the seat.
func (s *Seat) Name() string {
	if s.Label != "" {
		return s.Label
	}
	return s.Nickname
}

// Bot is what is known of a seat whose bot was started for the match.
type Bot struct {
	Label   string   `json:"label,omitempty"`   // short and unique
	Command []string `json:"command,omitempty"` // of a process
	Seed    uint64   `json:"seed,omitempty"`    // that it was started with
}

// Turn is one turn that was played, or how the board was set before the first.
// What it holds is valid until the next one is read.
type Turn struct {
	Step    int           // 1 for the first turn, 0 for the board as it was set
	At      time.Duration // when it was played, since the start of the match
	Inputs  []Input       // in the order applied, lapses included
	Refused []engine.Refusal
	Left    []Departure // who left since the turn before
	Printed []Output    // what started bots printed since the turn before
	Tally   []int64     // each player's figures, player after player
	Digest  Digest      // of the state after it
	Winner  engine.PlayerID
	State   []byte // after it, of External rules

	reasons map[string]string // that were read, by their text
}

// Input is one player's part of a turn, and how long it took the player.
type Input struct {
	engine.Input
	Took  time.Duration
	Debug []byte // JSON that the player showed beside its actions; nil: none
	sum   uint32 // as recorded

	Abridged Abridged // what the actions were, if these are others
}

// Departure is a player who left.
type Departure struct {
	Player engine.PlayerID `json:"player"`
	Reason string          `json:"reason"`
}

// End is how a match ended.
type End struct {
	Turns  int             `json:"turns"`  // that were played
	Winner engine.PlayerID `json:"winner"` // engine.NoPlayer: nobody leads alone
	Reason string          `json:"reason,omitempty"`
	Error  string          `json:"error,omitempty"` // why it did not come to its end
	Cut    bool            `json:"cut,omitempty"`   // the recording was full: the match went on
	Left   []Departure     `json:"left,omitempty"`  // since the last turn
	// Printed is what started bots printed after the last turn.
	Printed []Output `json:"printed,omitempty"`
}

// Digest stands for a state: the first bytes of its SHA-256.
type Digest [8]byte

func digestOf(state []byte) (d Digest) {
	sum := sha256.Sum256(state)
	copy(d[:], sum[:])
	return d
}

func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// MarshalText implements encoding.TextMarshaler.
func (d Digest) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, d[:]), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *Digest) UnmarshalText(text []byte) error {
	if len(text) != hex.EncodedLen(len(d)) {
		return fmt.Errorf("digest %.40q does not have %d digits", text, hex.EncodedLen(len(d)))
	}
	_, err := hex.Decode(d[:], text)
	return err
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// summer makes the checksums of inputs, by which one that was changed later is
// found even if the change made no difference to the game. It holds the buffer.
type summer struct{ head [13]byte }

func (s *summer) sum(in *engine.Input) uint32 {
	binary.LittleEndian.PutUint32(s.head[0:], uint32(in.Player))
	binary.LittleEndian.PutUint64(s.head[4:], uint64(in.Turn))
	s.head[12] = byte(in.Lapse)
	return crc32.Update(crc32.Checksum(s.head[:], castagnoli), castagnoli, in.Actions)
}

// answers is the number of the TURN that players have before them when a turn is
// played.
func answers(step int) int { return step - 2 }
