package hextictactoe

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"

	bots "github.com/hexarena/hexarena/bots/hextictactoe"
	"github.com/hexarena/hexarena/bots/hextictactoe/serve"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/games/hextictactoe/analysis"
)

// judge implements games.Judge.
func judge(ctx context.Context, j *games.Judgement) error {
	g, err := judgedGame(ctx, j.Path)
	if err != nil {
		return err
	}
	o := analysis.Options{
		Time: j.Time, Depth: j.Depth, Line: j.Line, Threats: j.Threats, Blunder: j.Blunder,
	}
	if o.Moves, err = parseMoves(j.Moves, len(g.Moves)); err != nil {
		return games.UsageError{Err: fmt.Errorf("--moves: %w", err)}
	}
	address, dismiss, err := summon(ctx, j, &g.Rules)
	if err != nil {
		return err
	}
	defer dismiss()
	_, builtin := bots.New(j.Judge)
	dialer := botapi.NewDialer(j.Public && !builtin, j.Log)
	defer dialer.Close()
	o.Dialer, o.Address = dialer, address
	return writeJudgement(ctx, j, g, o)
}

// summon makes sure that the judge can be reached: a built-in one is served on a port of
// its own, with every capability.
func summon(
	ctx context.Context, j *games.Judgement, o *rules.Options,
) (address string, dismiss func(), err error) {
	bot, ok := bots.New(j.Judge)
	if !ok {
		if !strings.ContainsAny(j.Judge, ".:/") && j.Judge != "localhost" {
			return "", nil, games.UsageError{Err: fmt.Errorf("the judge %q is not a built-in bot; "+
				"there are %s, or give an address such as http://localhost:8002",
				j.Judge, strings.Join(judgeNames(), ", "))}
		}
		if usual := rules.Defaults(); o.ViewDistance != usual.ViewDistance ||
			o.WinDistance != usual.WinDistance {
			fmt.Fprintf(j.Err, "the game has view distance %d and win distance %d; the judge is not told, "+
				"and takes them for %d and %d\n",
				o.ViewDistance, o.WinDistance, usual.ViewDistance, usual.WinDistance)
		}
		return j.Judge, func() {}, nil
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx)) // it is to hear of an interrupt
	done := make(chan error, 1)
	go func() {
		done <- serve.Run(ctx, l, serve.Options{
			Bot: bot, Name: j.Judge, Version: j.Version, // always the same seed: an analysis can be repeated
			ViewDistance: o.ViewDistance, WinDistance: o.WinDistance,
		})
	}()
	return "http://" + l.Addr().String(), func() {
		cancel()
		<-done
	}, nil
}

// judgeNames returns the built-in players that judge games: each at its strongest.
func judgeNames() (names []string) {
	for _, d := range bots.Describe() {
		if !strings.Contains(d.Name, ":") {
			names = append(names, d.Name)
		}
	}
	return names
}

// parseMoves reads numbers of moves and ranges of them, with commas in between.
func parseMoves(text string, most int) (list []int, err error) {
	if text == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		from, to, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if !isRange {
			to = from
		}
		a, errFrom := strconv.Atoi(from)
		b, errTo := strconv.Atoi(to)
		if errors.Join(errFrom, errTo) != nil || a < 1 || b < a || b > most {
			return nil, fmt.Errorf("%q is not a move or a range of moves from 1 to %d, such as 3 or 5-7",
				part, most)
		}
		for n := a; n <= b; n++ {
			list = append(list, n)
		}
	}
	return list, nil
}
