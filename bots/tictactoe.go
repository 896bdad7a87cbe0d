package bots

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hexarena/hexarena/bots/hextictactoe"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/netorcai"
)

// tictactoe adapts a bot of hexagonal tic-tac-toe to Strategy.
type tictactoe struct {
	bot       hextictactoe.Bot
	seed      uint64
	past      hextictactoe.Past
	side      rules.Side      // None before the first match
	thinking  context.Context // of all turns
	interrupt context.CancelFunc
	limit     time.Duration        // for a turn of a game without a clock; 0: none
	answer    *hextictactoe.Answer // to the last turn; nil: the other side was to move
}

// NewTicTacToe returns a new strategy for hexagonal tic-tac-toe with that seed: package
// hextictactoe lists the names.
func NewTicTacToe(name string, seed uint64) (Strategy, error) {
	return RepeatTicTacToe(nil)(name, seed)
}

// RepeatTicTacToe returns NewTicTacToe for strategies that repeat the timed answers of a game.
func RepeatTicTacToe(past hextictactoe.Past) func(name string, seed uint64) (Strategy, error) {
	return func(name string, seed uint64) (Strategy, error) { return newTicTacToe(name, seed, past) }
}

func newTicTacToe(name string, seed uint64, past hextictactoe.Past) (Strategy, error) {
	bot, ok := hextictactoe.New(name)
	if !ok {
		return nil, fmt.Errorf("there is no strategy %q for hexagonal tic-tac-toe", name)
	}
	t := &tictactoe{bot: bot, seed: seed, past: past}
	t.thinking, t.interrupt = context.WithCancel(context.Background())
	return t, nil
}

// Start implements Strategy.
func (t *tictactoe) Start(info Info, state []byte) error {
	t.side = rules.None
	if info.Player < 0 || info.Player > 1 || info.Specials > 0 {
		return fmt.Errorf("%w: there is no player %d", hextictactoe.ErrState, info.Player)
	}
	if _, _, err := hextictactoe.ReadState(state); err != nil {
		return err
	}
	t.side = rules.X + rules.Side(info.Player)
	return nil
}

// usualThinking is the time that a bot without a clock may think where a turn has a limit: long
// enough to be strong, short enough to be watched.
const usualThinking = 1200 * time.Millisecond

// Turn implements Strategy. The answer is empty while the other side is to move.
func (t *tictactoe) Turn(turn int, state, dst []byte) ([]byte, error) {
	t.answer = nil
	if t.side == rules.None {
		return dst, fmt.Errorf("turn %d: no match has started", turn)
	}
	q, over, err := hextictactoe.ReadState(state)
	if err != nil {
		return dst, fmt.Errorf("turn %d: %w", turn, err)
	}
	if over || q.ToMove != t.side {
		return append(dst, "[]"...), nil
	}
	q.Seed = t.seed
	if q.Nodes == 0 && t.limit > 0 {
		q.SetTime(hextictactoe.Clock{Left: min(t.limit, usualThinking), PerMove: true})
	}
	repeats := t.past.Repeat(&q)
	ctx, cancel := q.WithLimit(t.thinking)
	defer cancel()
	answer := t.bot.Move(ctx, q)
	t.answer = &answer
	if repeats && !q.Spent.Fixed { // it came over the HTTTX Bot API, whose moves are pieces only
		return answer.AppendPieces(dst), nil
	}
	return answer.AppendActions(dst), nil
}

// Debug returns what the bot thinks of its last answer.
func (t *tictactoe) Debug() (d netorcai.Debug) {
	if t.answer == nil {
		return d
	}
	d.Values = map[string]float64{"heuristic": t.answer.Heuristic}
	if t.answer.WinIn != 0 {
		d.Values["win_in"] = float64(t.answer.WinIn)
	}
	if t.answer.Cut {
		d.Text = "cut off by the time limit"
	}
	key := `"considerations":`
	if s := t.answer.Spent; s.Plan > 0 {
		key = `"nodes":` + strings.ReplaceAll(fmt.Sprint(s.Nodes()), " ", ",") + "," + key
	}
	room := netorcai.DebugLimit - len(netorcai.AppendDebug(nil, &d)) - len(","+key)
	d.More = t.answer.AppendConsidered([]byte(key), room)
	return d
}

// Interrupt cuts off the turn that is under way, and those that follow. It may be called
// from any goroutine.
func (t *tictactoe) Interrupt() { t.interrupt() }

// SetLimit bounds the time of each turn of a game without a clock.
func (t *tictactoe) SetLimit(limit time.Duration) { t.limit = limit }
