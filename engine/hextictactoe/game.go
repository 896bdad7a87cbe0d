package hextictactoe

import (
	"errors"
	"fmt"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// Rules is the name and version of these rules.
const Rules = "hextictactoe/1"

// Reasons for the end of a game, apart from forfeits.
const (
	won   = "win: a row complete"
	drawn = "draw: turn limit"
)

// Game is one game of hexagonal tic-tac-toe; it implements [engine.Game]. Player 0 is x,
// player 1 is o. A step without input of the side to move is not a move; the first step of
// a netorcai match is one.
//
// The cost of a step does not depend on the size of the board, and a step allocates only
// what the growing board needs.
type Game struct {
	options Options
	limit   int // moves until a draw; 0: no limit

	// The position.
	board  Board
	toMove Side
	moves  int // played so far
	clocks clocks

	// The end.
	over   bool
	winner Side
	reason string
	row    []Coord // the cells of the winning rows

	// The last step.
	recent  [2]Move // the last two moves, the newest last
	before  int     // pieces on the board before the step
	counted int     // index of the input of the side that was to move, or -1
	refused []engine.Refusal

	cells []byte // the pieces as JSON
	text  int    // length of cells before the last step

	pieces [2]int64 // placed by each side
	played [2]int64 // moves of each side
	spent  [2]int64 // microseconds used by each side
}

// New returns a game that has not started.
func New(o Options) *Game { return &Game{options: o} }

// Rules implements engine.Game.
func (g *Game) Rules() string { return Rules }

// Board returns the board. It must not be modified and changes with the next step.
func (g *Game) Board() *Board { return &g.board }

// ToMove returns the side to move; once the game is over, the side that would be to move.
func (g *Game) ToMove() Side { return g.toMove }

// Start implements engine.Game. If the options have no turn limit, the game is a draw after
// setup.Turns moves.
func (g *Game) Start(setup engine.Setup) (engine.Result, error) {
	switch {
	case g.toMove != None:
		return engine.Result{}, errors.New("hextictactoe: the game has already started")
	case setup.Players != 2 || setup.Specials != 0:
		return engine.Result{}, fmt.Errorf(
			"hextictactoe: %d players and %d special players; the game needs 2 and 0", setup.Players,
			setup.Specials)
	case setup.Turns < 0:
		return engine.Result{}, fmt.Errorf("hextictactoe: the number of turns, %d, is negative",
			setup.Turns)
	}
	if err := g.options.check(); err != nil {
		return engine.Result{}, err
	}
	var board Board
	if err := g.options.place(&board); err != nil {
		return engine.Result{}, err
	}
	g.board, g.toMove = board, O
	if g.options.Setup != nil {
		g.toMove = g.options.Setup.ToMove
	}
	if g.limit = g.options.TurnLimit; g.limit == 0 {
		g.limit = setup.Turns
	}
	g.clocks = newClocks(g.options.Clock)
	for _, p := range g.board.Pieces() {
		g.count(p)
	}
	return g.result(), nil
}

// Step implements engine.Game.
func (g *Game) Step(inputs []engine.Input) engine.Result {
	g.before, g.text = len(g.board.Pieces()), len(g.cells)
	g.refused, g.counted = g.refused[:0], -1
	if g.over || g.toMove == None {
		return g.result()
	}
	counts, gone := g.newest(inputs), None
	g.counted = counts
	for i := range inputs {
		switch in := &inputs[i]; {
		case i == counts:
			g.judge(i, in)
		case counts >= 0 && in.Player == inputs[counts].Player:
			g.refuse(i, in, -1, oneAnswer)
		case in.Lapse == engine.Gone && (in.Player == X.Player() || in.Player == O.Player()):
			gone = sideOf(in.Player)
		case isEmptyAnswer(in):
		case in.Player != X.Player() && in.Player != O.Player():
			g.refuse(i, in, -1, unknownPlayer)
		default:
			g.refuse(i, in, -1, notYourTurn)
		}
	}
	if gone != None && !g.over { // a side may leave while the other is to move
		g.toMove = gone
		g.end(gone.Other(), forfeitLeft)
	}
	return g.result()
}

// newest returns the index of the input that counts, or -1: the first answer
// of the side to move to the newest turn that it answered. Late answers to older turns may
// still arrive, from when the other side was to move.
func (g *Game) newest(inputs []engine.Input) int {
	best := -1
	for i := range inputs {
		if inputs[i].Player == g.toMove.Player() && (best < 0 || inputs[i].Turn > inputs[best].Turn) {
			best = i
		}
	}
	return best
}

// sideOf returns the side of p, which must be one of the two players.
func sideOf(p engine.PlayerID) Side {
	if p == X.Player() {
		return X
	}
	return O
}

func (g *Game) refuse(i int, in *engine.Input, action int, why string) {
	g.refused = append(g.refused,
		engine.Refusal{Player: in.Player, Input: i, Action: action, Reason: why})
}

// judge plays the answer of the side to move.
func (g *Game) judge(i int, in *engine.Input) {
	if in.Lapse != engine.Answered {
		if in.Lapse == engine.TimedOut && g.clocks.Kind != NoClock {
			g.clocks.runOut(g.toMove)
		}
		g.end(g.toMove.Other(), forfeitOf(in.Lapse))
		return
	}
	micros := min(max(in.Micros, 0), 1000*maxClock)
	g.spent[g.toMove-X] += micros
	if !g.clocks.spend(g.toMove, micros) {
		g.refuse(i, in, -1, forfeitTime)
		g.end(g.toMove.Other(), forfeitTime)
		return
	}
	move, forfeit, action := readMove(in)
	if forfeit == "" {
		forfeit = g.play(move)
	}
	if forfeit != "" {
		g.refuse(i, in, action, forfeit)
		g.end(g.toMove.Other(), forfeit)
	}
}

// play places the pieces of a move, or none if the move is a forfeit.
func (g *Game) play(m Move) (forfeit string) {
	m.Side = g.toMove
	first, second := Piece{m.Pieces[0], m.Side}, Piece{m.Pieces[1], m.Side}
	if forfeit = g.fault(first.Coord, false); forfeit != "" {
		return forfeit
	}
	g.row = g.board.AppendRows(g.row[:0], first, g.options.WinDistance)
	switch {
	case len(g.row) > 0:
		m.Placed = 1
	case m.Placed == 1:
		return ForfeitOne
	case second == first:
		return ForfeitOccupied
	default:
		forfeit = g.fault(second.Coord,
			hexgrid.Distance(first.Coord, second.Coord) <= g.options.ViewDistance)
		if forfeit != "" {
			return forfeit
		}
	}
	g.place(first)
	if m.Placed == PiecesPerMove {
		g.place(second)
		g.row = g.board.AppendRows(g.row, second, g.options.WinDistance)
	}
	g.recent[0], g.recent[1] = g.recent[1], m
	g.moves++
	g.played[m.Side-X]++
	g.toMove = m.Side.Other()
	switch {
	case len(g.row) > 0:
		g.end(m.Side, won)
	case g.limit > 0 && g.moves >= g.limit:
		g.end(None, drawn)
	}
	return ""
}

// fault returns the reason why a piece cannot be placed on c, or "". nearFirst reports that
// c is near the first piece of the move, which is not on the board yet.
func (g *Game) fault(c Coord, nearFirst bool) string {
	switch {
	case !OnBoard(c):
		return forfeitEdge
	case g.board.At(c) != None:
		return ForfeitOccupied
	case !nearFirst && !g.board.Near(c, g.options.ViewDistance):
		return ForfeitFar
	}
	return ""
}

func (g *Game) place(p Piece) {
	g.board.Place(p)
	g.count(p)
}

func (g *Game) end(winner Side, why string) {
	g.over, g.winner, g.reason = true, winner, why
}

func (g *Game) result() engine.Result {
	await := engine.Only(g.toMove.Player())
	if g.over || g.toMove == None {
		await = engine.NoOne
	}
	return engine.Result{
		Await: await, Winner: g.winner.Player(), Over: g.over, Reason: g.reason, Refused: g.refused,
	}
}

// AppendTally implements engine.Game.
func (g *Game) AppendTally(dst []engine.Count, p engine.PlayerID) []engine.Count {
	var won, played, pieces, spent int64
	if p == X.Player() || p == O.Player() {
		played, pieces, spent = g.played[p], g.pieces[p], g.spent[p]
		if g.over && g.winner.Player() == p {
			won = 1
		}
	}
	return append(dst,
		engine.Count{Name: "won", Value: won},
		engine.Count{Name: "moves", Value: played},
		engine.Count{Name: "pieces", Value: pieces},
		engine.Count{Name: "ms", Value: spent / 1000})
}
