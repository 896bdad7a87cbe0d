package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/games/env"
)

// addTools adds all tools, whose commands end with life.
func (a *assistant) addTools(life context.Context, s *mcp.Server) {
	tool(life, a, s, "rules", "The rules of a game, with its states and actions: "+
		strings.Join(gamesWithRules(), " (the usual one), ")+".", a.rules)
	tool(life, a, s, "play", `Play one match between bots, and record it below recordings. The result
has the ranking, refused actions, times and the file of the recording.`, a.play)
	tool(life, a, s, "cup", `Play many matches between bots, and rate them. Of two bots, the older
first, it finds out whether the newer is better. The same call goes on where one ended.`, a.cup)
	tool(life, a, s, "digest", `What the author of a bot needs to know of a recorded match, or of a
cup: where it loses, and the turns that decided.`, a.digest)
	tool(life, a, s, "step", `Simulate: play a match turn by turn, where you say what each player does,
and go back to positions that you saved. Each answer has the board as text; "show" is "none" unless
given, and the answer is the tool's. What is played begins another simulation. `+env.Help, a.step)
	tool(life, a, s, "legal", `The actions that a player may take in the position of step; or what is
wrong with actions that you give.`, a.legal)
}

type rulesCall struct {
	Game string `json:"game" jsonschema:"name of the game"`
}

func (a *assistant) rules(_ context.Context, in rulesCall) (string, error) {
	if g := gameList.Find(in.Game); g != nil && g.Brief != "" {
		return g.Brief, nil
	}
	return "", fmt.Errorf("there are no rules of a game %.40q; there are those of %s", in.Game,
		strings.Join(gamesWithRules(), ", "))
}

// gamesWithRules returns the names of the games whose rules are here.
func gamesWithRules() (names []string) {
	for _, g := range gameList.That(func(g *games.Game) bool { return g.Brief != "" }) {
		names = append(names, g.Name)
	}
	return names
}

type playCall struct {
	Seats []string `json:"seats,omitempty" jsonschema:"built-in bots, files or folders with bots"`
	Seed  int      `json:"seed,omitempty" jsonschema:"the same seed gives the same random choices"`
	board
}

func (a *assistant) play(ctx context.Context, in playCall) (string, error) {
	return a.match(ctx, in, "--map", "play", "--json", "--http=", "--port=0", "--pace=fast", "--tps=0")
}

type cupCall struct {
	Count int `json:"count,omitempty" jsonschema:"matches to play at most, 1 to 1000"`
	playCall
}

func (a *assistant) cup(ctx context.Context, in cupCall) (string, error) {
	args, err := number([]string{"cup", "--json", "--keep=all"}, "--count", in.Count, maxMCPCount)
	if err != nil {
		return "", err
	}
	return a.match(ctx, in.playCall, "--maps", args...)
}

// match runs a command with the flags and seats of a call.
func (a *assistant) match(
	ctx context.Context, in playCall, maps string, args ...string,
) (string, error) {
	flags, err := a.flags(in.board, maps)
	if err == nil {
		flags, err = number(flags, "--seed", in.Seed, math.MaxInt)
	}
	if err != nil {
		return "", err
	}
	seats, err := a.seats(in.Seats)
	if err != nil {
		return "", err
	}
	return a.run(ctx, slices.Concat(args, flags, seats)...)
}

type digestCall struct {
	Of  string `json:"of" jsonschema:"file of a recording, or folder of a cup"`
	For string `json:"for" jsonschema:"name of the bot, as the ranking has it"`
}

func (a *assistant) digest(ctx context.Context, in digestCall) (string, error) {
	path, err := a.file(in.Of)
	if err != nil {
		return "", err
	}
	kind := "replay"
	if info, err := a.folder.Stat(in.Of); err == nil && info.IsDir() {
		kind = "cup"
	}
	return a.run(ctx, kind, "digest", "--for="+in.For, path)
}

type stepCall struct {
	Request map[string]any `json:"request" jsonschema:"as the description has it"`
	Players int            `json:"players,omitempty" jsonschema:"usually as many as the map has seats"`
	board
}

func (a *assistant) step(_ context.Context, in stepCall) (string, error) {
	if err := a.begin(&in); err != nil {
		return "", err
	}
	if in.Request["show"] == nil && in.Request != nil {
		in.Request["show"] = "none"
	}
	request, _ := json.Marshal(in.Request) // it was JSON
	answer, err := a.session.Answer(request)
	if err != nil {
		return "", err
	}
	board, err := a.session.Board()
	return fmt.Sprintf("%s\n\n%s", answer, board), err
}

// begin makes a session, unless there is one and the call names no board.
func (a *assistant) begin(in *stepCall) error {
	if a.session != nil && in.Players == 0 && in.board == (board{}) {
		return nil
	}
	args, err := a.flags(in.board, "--map")
	if err != nil {
		return err
	}
	if args, err = number(args, "--players", in.Players, maxMCPBots); err != nil {
		return err
	}
	f := pflag.NewFlagSet("step", pflag.ContinueOnError)
	envScope.Flags(f)
	if err := f.Parse(args); err != nil {
		return err
	}
	v, err := envScope.Load(f, nil)
	if err != nil {
		return err
	}
	w, err := env.NewWorld(gameList, v)
	if err != nil {
		return err
	}
	a.session = env.NewSession(w)
	return nil
}

type legalCall struct {
	Player  int   `json:"player" jsonschema:"id of the player"`
	Actions []any `json:"actions,omitempty" jsonschema:"actions of the player in one turn"`
}

func (a *assistant) legal(_ context.Context, in legalCall) (string, error) {
	if a.session == nil {
		return "", errors.New("no match has begun; call step first")
	}
	if in.Actions == nil {
		list, err := a.session.Legal(in.Player)
		return "[" + strings.Join(list, ",\n") + "]", err
	}
	actions, _ := json.Marshal(in.Actions) // it was JSON
	why, err := a.session.Fault(in.Player, string(actions))
	return cmp.Or(why, "possible"), err
}
