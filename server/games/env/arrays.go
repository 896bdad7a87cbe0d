package env

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/match"
)

// The commands of a program that shares arrays, a byte each. They concern the matches whose byte in
// the array "reset" is set.
const (
	cmdReset = 'r' // begin these matches again, with the seeds in "seed"
	cmdStep  = 's' // the same, and play a turn of the others that are not over
	cmdSave  = 'S' // keep these positions, one of each match
	cmdLoad  = 'L' // return to the positions that were kept
	cmdQuit  = 'q'
)

// Bounds of the memory that is shared: a match takes some 10 KiB, on the
// largest shipped map and of tic-tac-toe.
const (
	maxEnvs   = 1 << 20
	maxShared = 1 << 34
)

// alignment is that of the largest elements, in bytes, and of a cache line.
const alignment = 64

// array is an array of all matches in the shared memory.
type array struct {
	Name   string `json:"name"`
	Type   string `json:"type"`
	Shape  []int  `json:"shape"`
	Offset int    `json:"offset"`
	each   int    // bytes of a match
}

func newArray(name, kind string, envs int, shape ...int) array {
	one := games.EnvArray{Type: kind, Shape: shape}
	return array{Name: name, Type: kind, Shape: append([]int{envs}, shape...), each: one.Size()}
}

// The arrays that all games have, before those of a game.
const (
	actionsAt = iota // what the characters or sides of each seat do
	resetAt          // which matches a command concerns
	seedAt           // the seed of each match that begins
	turnAt           // the turn that is to be answered
	overAt           // 1: the rules ended the match, 2: its last turn did
	aliveAt          // 1: the seat can still do something
	askedAt          // 1: the match waits for the seat
	scoreAt          // the figure by which seats are ranked
	rewardAt         // by how much the lead over the best other seat changed in the last step
	commonArrays
)

// arrays is the state of a program that shares arrays.
type arrays struct {
	world   *World
	list    []array
	memory  []byte
	envs    []slot
	shuffle *match.Shuffler
	inputs  []engine.Input
	ordered []engine.Input
}

// slot is one of the matches.
type slot struct {
	now, saved *position
	view       games.EnvView
	lead       []int64
	scores     []int64
}

// Arrays plays matches in arrays of a file that it shares with the program that started it. It
// writes a line of JSON that describes them, and then answers each command with a byte, until the
// input ends.
func Arrays(w *World, envs int, path string, in io.Reader, out io.Writer) error {
	if envs < 1 || envs > maxEnvs {
		return fmt.Errorf("envs = %d: want 1 to %d", envs, maxEnvs)
	}
	if info, err := os.Stat(path); err == nil && info.Size() > 0 {
		return fmt.Errorf("--shared %s: the file is not empty; make a new one", path)
	}
	if w.Game.Env == nil {
		return fmt.Errorf("the game %s has no arrays; --json plays it", w.Game.Name)
	}
	a := &arrays{world: w, envs: make([]slot, envs)}
	first, err := w.start(0)
	if err != nil {
		return err
	}
	described, err := w.Game.Env(first.game)
	if err != nil {
		return err
	}
	if described.Play != nil {
		a.world = w.by(described)
	}
	size := a.layOut(described, first.players())
	if size > maxShared {
		return fmt.Errorf("%d matches take %d bytes of shared memory, more than %d; lower --envs", envs,
			size, maxShared)
	}
	memory, unmap, err := share(path, size)
	if err != nil {
		return fmt.Errorf("%d bytes of shared memory in %s: %w; lower --envs", size, path, err)
	}
	defer unmap()
	a.memory = memory
	a.begin(described, first.players())
	header, err := json.Marshal(map[string]any{
		"game": w.Game.Name, "rules": first.game.Rules(), "players": first.players(),
		"specials": w.Setup.Specials, "turns": a.world.Setup.Turns, "size": size, "arrays": a.list,
		"about": described.About,
	})
	if err != nil {
		return err
	}
	if _, err := out.Write(append(header, '\n')); err != nil {
		return err
	}
	return a.serve(in, out)
}

// by returns the world whose games d plays in steps of its own.
func (w *World) by(d *games.Env) *World {
	own := *w
	own.Setup.Turns = (w.Setup.Turns-1)*d.Steps + 1
	own.Instance.New = func() engine.Game { return d.Play(w.Instance.New()) }
	return &own
}

// layOut makes the list of arrays and returns their size together.
func (a *arrays) layOut(d *games.Env, players int) int {
	n := len(a.envs)
	a.list = []array{
		actionsAt: newArray("actions", d.Actions.Type, n, d.Actions.Shape...),
		resetAt:   newArray("reset", "u1", n),
		seedAt:    newArray("seed", "u8", n),
		turnAt:    newArray("turn", "i4", n),
		overAt:    newArray("over", "u1", n),
		aliveAt:   newArray("alive", "u1", n, players),
		askedAt:   newArray("asked", "u1", n, players),
		scoreAt:   newArray("score", "i8", n, players),
		rewardAt:  newArray("reward", "f4", n, players),
	}
	for _, one := range d.Arrays {
		a.list = append(a.list, newArray(one.Name, one.Type, n, one.Shape...))
	}
	size := 0
	for i := range a.list {
		a.list[i].Offset = size
		size += (a.list[i].each*n + alignment - 1) / alignment * alignment
	}
	return size
}

// part returns the part of a match in an array.
func (a *arrays) part(list, env int) []byte {
	l := &a.list[list]
	start := l.Offset + env*l.each
	return a.memory[start : start+l.each : start+l.each]
}

// begin makes the views.
func (a *arrays) begin(d *games.Env, players int) {
	a.shuffle = match.NewShuffler(players)
	a.ordered = make([]engine.Input, players)
	for env := range a.envs {
		var parts [][]byte
		for i := commonArrays; i < len(a.list); i++ {
			parts = append(parts, a.part(i, env))
		}
		s := &a.envs[env]
		s.view, s.lead, s.scores = d.New(parts), make([]int64, players), make([]int64, players)
	}
}

// serve answers commands.
func (a *arrays) serve(in io.Reader, out io.Writer) error {
	command := make([]byte, 1)
	for {
		if _, err := io.ReadFull(in, command); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, os.ErrClosed) {
				return nil
			}
			return err
		}
		if command[0] == cmdQuit {
			return nil
		}
		answer := []byte{'.'}
		if err := a.do(command[0]); err != nil {
			answer = append(appendText([]byte{'!'}, err.Error()), '\n')
		}
		if _, err := out.Write(answer); err != nil {
			return err
		}
	}
}

// do carries out a command for all matches.
func (a *arrays) do(command byte) error {
	for env := range a.envs {
		chosen := a.part(resetAt, env)[0] != 0
		s := &a.envs[env]
		var err error
		switch {
		case (command == cmdReset || command == cmdStep) && chosen:
			if s.now, err = a.world.start(games.Elements[uint64](a.part(seedAt, env))[0]); err == nil {
				a.show(env, true)
			}
		case command == cmdStep && s.now == nil:
			err = errors.New("step: the match has not begun; reset it first")
		case command == cmdStep && !s.now.over():
			a.step(env)
		case command == cmdSave && chosen && s.now == nil:
			err = errors.New("save: the match has not begun; reset it first")
		case command == cmdSave && chosen:
			s.saved, err = s.now.copy()
		case command == cmdLoad && chosen && s.saved == nil:
			err = errors.New("load: no position of the match was saved")
		case command == cmdLoad && chosen:
			if s.now, err = s.saved.copy(); err == nil {
				a.show(env, true)
			}
		case command != cmdReset && command != cmdStep && command != cmdSave && command != cmdLoad:
			err = fmt.Errorf("command %q is unknown", command)
		}
		if err != nil {
			return fmt.Errorf("match %d: %w", env, err)
		}
	}
	return nil
}

// step plays a turn of a match, in the order in which a server with that seed does.
func (a *arrays) step(env int) {
	s := &a.envs[env]
	a.inputs = s.view.Inputs(a.inputs[:0], a.part(actionsAt, env))
	rank := a.shuffle.Rank(s.now.setup.Seed, s.now.steps)
	for i := range a.inputs {
		a.inputs[i].Turn = s.now.turn()
		a.ordered[rank[a.inputs[i].Player]] = a.inputs[i]
	}
	s.now.step(a.ordered)
	a.show(env, false)
}

// show writes a match to the arrays; fresh: it did not come from a step of the match before.
func (a *arrays) show(env int, fresh bool) {
	s := &a.envs[env]
	m := s.now
	s.view.Show(m.game)
	games.Elements[int32](a.part(turnAt, env))[0] = int32(m.turn())
	over := byte(0)
	if m.over() {
		over = 2
	}
	if m.result.Over {
		over = 1
	}
	a.part(overAt, env)[0] = over
	alive, asked := a.part(aliveAt, env), a.part(askedAt, env)
	for p := range s.scores {
		id := engine.PlayerID(p)
		alive[p], asked[p] = bit(s.view.Alive(id)), bit(over == 0 && m.result.Await.Has(id))
		s.scores[p] = m.score(id)
	}
	copy(games.Elements[int64](a.part(scoreAt, env)), s.scores)
	reward := games.Elements[float32](a.part(rewardAt, env))
	for p, lead := range games.Leads(s.scores) {
		if reward[p] = float32(lead - s.lead[p]); fresh {
			reward[p] = 0
		}
		s.lead[p] = lead
	}
}

func bit(yes bool) byte {
	if yes {
		return 1
	}
	return 0
}
