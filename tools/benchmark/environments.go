package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/hexarena/hexarena/bots/learn"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/tools/harness"
)

// Matches of hexarena env: random codes on 268 cells.
const (
	envMap     = "lagoon"
	envPlayers = 4
	envEach    = 5 // characters of a player
	envMatches = 256
	envTurns   = 100
)

const (
	envRate  = 1e6 // answers of players a second through Python, on a core
	envShare = 0.4 // of those of the rules alone
)

//go:embed environments.py
var envDriver []byte

// environments measures the answers of players a second: by the rules alone, through Python with
// arrays, through JSON lines one by one, and through a server.
func (b *bench) environments(ctx context.Context) error {
	python := numpyPython(ctx)
	if python == "" {
		b.Report("env: there is no Python with numpy: apt-get install python3-numpy, or pip install " +
			"numpy; PYTHON names another interpreter")
	}
	var alone, shown, through, busy, lines, served harness.Series
	for range b.rounds {
		alone = append(alone, b.steps(false))
		shown = append(shown, b.steps(true))
		if python != "" {
			rate, share, err := b.throughPython(ctx, python)
			if err != nil {
				return err
			}
			through, busy = append(through, rate), append(busy, share)
		}
		rate, err := b.throughLines(ctx)
		if err != nil {
			return err
		}
		lines = append(lines, rate)
		crowd := harness.Crowd{Players: envPlayers, Characters: envEach}
		g := game{crowd: crowd, board: envMap, turns: b.turns, flags: plainFlags}
		o, err := g.play(ctx, b.Hexarena)
		if err != nil {
			return err
		}
		served = append(served, o.Rate*envPlayers/1000)
	}
	const format = "%.0f k/s"
	if python != "" {
		b.table.Add(harness.Row{
			What: "answers through Python with arrays", Figure: through.Format(0, " k/s"),
			Target: fmt.Sprintf("≥ %.0f k/s", envRate/1000), Met: through.Median() >= envRate/1000,
		})
		row, ratios := b.table.Ratio("through Python with arrays, and by the rules alone", format,
			through, alone)
		row.Target, row.Met = fmt.Sprintf("≥ %.1f", envShare), ratios.Median() >= envShare
		worked, rules := busy.Median(), shown.Over(alone).Median()
		b.table.Add(harness.Row{
			What: "the child's time: rules, encoding, waiting",
			Figure: fmt.Sprintf("%.0f, %.0f, %.0f %%", 100*worked*rules, 100*worked*(1-rules),
				100*(1-worked)),
		})
	}
	b.table.Ratio("through JSON lines, and by the rules alone", format, lines, alone)
	b.table.Ratio("through a server over TCP, and by the rules alone", format, served, alone)
	return b.simulators(ctx)
}

// envSteps returns how many turns all matches play in a measurement.
func (b *bench) envSteps() int { return max(2, b.turns/40) }

// steps returns the thousands of answers a second by the rules alone, or with what the arrays
// show, in as many matches side by side.
func (b *bench) steps(show bool) float64 {
	board, err := maps.Load(envMap)
	if err != nil {
		panic(err) // it is in the program
	}
	rnd := rand.New(rand.NewPCG(1, 1))
	codes := make([]byte, 1<<16)
	for i := range codes {
		codes[i] = byte(rnd.IntN(hexabomb.Codes))
	}
	var games [envMatches]*hexabomb.Game
	var views [envMatches]*hexabomb.View
	for i := range views {
		views[i] = &hexabomb.View{
			Each: envEach, Cells: make([]byte, len(board.Cells)*hexabomb.CellBytes),
			Characters: make([]int32, envPlayers*envEach*hexabomb.CharacterFields),
			Mask:       make([]int8, envPlayers*envEach*hexabomb.Codes), Count: make([]int32, envPlayers),
		}
	}
	var prepared [envPlayers]any
	inputs := make([]engine.Input, envPlayers)
	began, total := time.Now(), b.envSteps()
	for n := range total {
		for i, v := range views {
			if n%envTurns == 0 {
				games[i] = hexabomb.New(board)
				if _, err := games[i].Start(engine.Setup{Players: envPlayers, Turns: envTurns}); err != nil {
					panic(err) // the map has that many
				}
				games[i].Step(nil)
				games[i].Show(v)
				continue
			}
			for p := range prepared {
				at := ((n*envMatches+i)*envPlayers + p) * envEach % (len(codes) - envEach)
				prepared[p] = v.PrepareCodes(prepared[p], engine.PlayerID(p), codes[at:at+envEach])
				inputs[p] = engine.Input{Player: engine.PlayerID(p), Prepared: prepared[p]}
			}
			games[i].Step(inputs)
			if show {
				games[i].Show(v)
			}
		}
	}
	return float64(total*envMatches*envPlayers) / time.Since(began).Seconds() / 1000
}

// numpyPython returns a Python that has numpy, or "".
func numpyPython(ctx context.Context) string {
	for _, python := range []string{os.Getenv("PYTHON"), "python3", "/usr/bin/python3", "python"} {
		if python != "" && exec.CommandContext(ctx, python, "-c", "import numpy").Run() == nil {
			return python
		}
	}
	return ""
}

// throughPython returns the thousands of answers a second through the module for Python, and the
// share of the time in which the child works.
func (b *bench) throughPython(
	ctx context.Context, python string,
) (rate, busy float64, err error) {
	dir, err := os.MkdirTemp(b.Dir, "env")
	if err != nil {
		return 0, 0, err
	}
	driver := filepath.Join(dir, "driver.py")
	err = errors.Join(os.WriteFile(filepath.Join(dir, learn.ModuleName), learn.Module, 0o600),
		os.WriteFile(driver, envDriver, 0o600))
	if err != nil {
		return 0, 0, err
	}
	cmd := exec.CommandContext(ctx, python, driver, envMap, strconv.Itoa(envMatches),
		strconv.Itoa(envTurns), strconv.Itoa(b.envSteps()))
	cmd.Env = append(os.Environ(), "HEXARENA="+b.Hexarena)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return 0, 0, fmt.Errorf("%s: %w: %s", python, err, said.String())
	}
	var report struct{ Rate, Busy float64 }
	err = json.Unmarshal(out, &report)
	return report.Rate * envPlayers / 1000, report.Busy, err
}

// throughLines returns the thousands of answers a second through JSON lines, a request at a time.
func (b *bench) throughLines(ctx context.Context) (float64, error) {
	p, err := harness.Start(ctx, b.Hexarena, "env", "--json", "--map", envMap, "--turns",
		strconv.Itoa(envTurns))
	if err != nil {
		return 0, err
	}
	defer p.Stop()
	rnd := rand.New(rand.NewPCG(2, 2))
	total, began := b.turns, time.Now()
	for n := range total {
		request := `{"reset":{}}`
		if n%envTurns != 0 {
			var list []string
			for player := range envPlayers {
				list = append(list, harness.RandomActions(rnd, player, envEach))
			}
			request = `{"step":[` + strings.Join(list, ",") + `]}`
		}
		if err := p.Tell(request); err != nil {
			return 0, err
		}
		line, err := p.Line()
		if err != nil {
			return 0, err
		}
		if bytes.HasPrefix(line, []byte(`{"error"`)) {
			return 0, fmt.Errorf("hexarena env: %s", line)
		}
	}
	return float64(total*envPlayers) / time.Since(began).Seconds() / 1000, nil
}
