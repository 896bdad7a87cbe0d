// Command evaluation learns the evaluation of the bot threat of hexagonal tic-tac-toe from games of
// that bot against itself without it, and writes it to a file that becomes part of the program.
//
//	go run ./tools/evaluation -o bots/hextictactoe/evaluation.bin
//	go run ./tools/evaluation -without evaluation -nodes 1000
//
// The second command shows that threat is stronger with it, or with another part, and exits with 1
// if it is not. The same flags give the same file, and the same games, on every machine.
package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"

	bots "github.com/hexarena/hexarena/bots/hextictactoe"
	"github.com/hexarena/hexarena/tools/harness"
)

var program = harness.Program{Name: "evaluation", Setup: setup}

func main() { program.Main() }

var parts = strings.Join(bots.Parts, ", ")

// The flags' values for the file of the repository.
const (
	allGames  = 5000
	gameNodes = 600 // enough to find short attacks
)

// job is one run of the command.
type job struct {
	*harness.Job
	games int
	nodes int // for each answer
	jobs  int // games at once
	seed  uint64
	file  string

	without string   // the part to compare without
	other   bots.Bot // threat without it
}

func setup(j *harness.Job) func(context.Context) error {
	l := &job{Job: j}
	j.Int(&l.games, "games", allGames, 20, math.MaxInt, "games to learn from")
	j.Int(&l.nodes, "nodes", gameNodes, 128, math.MaxInt, "positions that a bot tries for a move")
	j.Int(&l.jobs, "jobs", runtime.GOMAXPROCS(0), 1, 1024, "games at once")
	j.Flags.Uint64Var(&l.seed, "seed", 1000, "seed of the first game; the next one has the next")
	j.Flags.StringVar(&l.file, "o", "", "the file to write")
	j.Flags.StringVar(&l.without, "without", "",
		"play threat against threat without this part until a sequential test decides: "+parts)
	j.Check(func() error {
		j.Alone = true
		if (l.file == "") == (l.without == "") {
			return errors.New("give -o with the file to write, or -without with " + parts)
		}
		var ok bool
		if l.other, ok = bots.Without(l.without); !ok && l.without != "" {
			return fmt.Errorf("-without: unknown part %q; want one of %s", l.without, parts)
		}
		if l.without == "evaluation" && l.nodes < bots.LearnedNodes {
			return fmt.Errorf("-nodes=%d: threat uses its evaluation from %d nodes on", l.nodes,
				bots.LearnedNodes)
		}
		return nil
	})
	return func(ctx context.Context) error {
		if l.without != "" {
			return l.compare(ctx)
		}
		return l.learn(ctx)
	}
}

func (l *job) learn(ctx context.Context) error {
	games, err := l.play(ctx)
	if err != nil {
		return err
	}
	// one game in ten shows how well the evaluation predicts games that it did not learn from
	var learn, test []position
	for i, g := range games {
		if i%10 == 9 {
			test = g.appendPositions(test)
		} else {
			learn = g.appendPositions(learn)
		}
	}
	l.Report("%d games, %d positions to learn from", len(games), len(learn))
	m := newModel(l.seed)
	for epoch := range epochs {
		if err := ctx.Err(); err != nil {
			return err
		}
		m.learn(learn, epoch)
		l.Report("epoch %d: loss %.4f, of other games %.4f", epoch+1, m.loss(learn), m.loss(test))
	}
	w, err := m.weights()
	if err != nil {
		return err
	}
	var file bytes.Buffer
	if err := binary.Write(&file, binary.LittleEndian, w); err != nil {
		return err
	}
	return os.WriteFile(l.file, file.Bytes(), 0o644)
}
