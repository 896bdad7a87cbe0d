package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/games/env"
)

// newLLM returns the command that plays a seat llm:COMMAND. Users write the seat.
func newLLM() *cobra.Command {
	return &cobra.Command{
		Use: "llm COMMAND…", Short: "Let a program that answers text play a match", Hidden: true,
		Args: cobra.MinimumNArgs(1), DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			bot := &modelBot{ask: func(prompt string) (string, error) {
				return askModel(cmd.Context(), args, prompt)
			}}
			login := netorcai.Login{Nickname: os.Getenv("BOT_NICKNAME"), Role: netorcai.RolePlayer}
			return connect(cmd.Context(), net.JoinHostPort(os.Getenv("BOT_HOST"), os.Getenv("BOT_PORT")),
				login, func() {}, func(c *netorcai.Client) error { return c.Play(cmd.Context(), bot) })
		},
	}
}

const (
	maxModelAnswer = 1 << 20  // bytes of a model's output: far more than an answer with its thoughts
	maxThoughts    = 4 << 10  // bytes of thoughts that are shown, within what a debug may have
	modelReturns   = 2        // how often an answer is returned with the reason
	maxPrompted    = 64 << 10 // bytes of an answer that a prompt repeats
)

// askModel runs a program with the prompt on its standard input, and returns its output.
func askModel(ctx context.Context, argv []string, prompt string) (string, error) {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Stdin, cmd.Stderr = strings.NewReader(prompt), os.Stderr
	var out limitedBuffer
	cmd.Stdout = &out
	err := cmd.Run()
	if errors.Is(err, errLongAnswer) {
		err = nil // the beginning is judged
	}
	return out.String(), err
}

var errLongAnswer = errors.New("the answer is too long")

// limitedBuffer takes the beginning of what is written to it.
type limitedBuffer struct{ bytes.Buffer }

func (b *limitedBuffer) Write(p []byte) (int, error) {
	n, _ := b.Buffer.Write(p[:min(len(p), maxModelAnswer-b.Len())])
	if n < len(p) {
		return n, errLongAnswer
	}
	return n, nil
}

// modelBot is a netorcai.Bot that a program plays which answers text. It checks each answer with
// the rules of the game before it is sent.
type modelBot struct {
	ask func(prompt string) (string, error)

	game     *games.Game
	about    games.Match
	rules    engine.Restorer
	setup    engine.Setup
	id       engine.PlayerID
	instead  netorcai.Bot // plays where an empty answer would lose the match
	thoughts string
}

// Start implements netorcai.Bot.
func (b *modelBot) Start(m netorcai.GameStarts) error {
	b.id = engine.PlayerID(m.PlayerID)
	b.setup = engine.Setup{Players: m.NbPlayers, Specials: m.NbSpecialPlayers, Turns: m.NbTurnsMax}
	for _, g := range slices.Backward(gameList) {
		if g.FromClient == nil {
			continue
		}
		name, setup, err := g.FromClient(m.State, m.NbPlayers, m.NbSpecialPlayers)
		if err != nil {
			continue
		}
		game, err := g.Replay(name, setup)
		if err != nil {
			return err
		}
		b.game, b.rules = g, game.(engine.Restorer)
		b.about = games.Match{
			Setup: setup, Rules: name, Specials: m.NbSpecialPlayers, Turns: m.NbTurnsMax,
			Names: make([]string, m.NbPlayers+m.NbSpecialPlayers),
		}
		for id := range b.about.Names {
			b.about.Names[id] = fmt.Sprintf("player %d", id)
		}
		b.about.Names[b.id] = "you"
		b.instead = g.Builtins[len(g.Builtins)-1].New(m.Seed)
		return b.instead.Start(m)
	}
	return errors.New("models play " + strings.Join(gameList.That(func(g *games.Game) bool {
		return g.FromClient != nil
	}).Titles(), " and ") + "; this is another game")
}

// Turn implements netorcai.Bot.
func (b *modelBot) Turn(m netorcai.Turn) ([]byte, error) {
	b.thoughts = ""
	other, err := b.instead.Turn(m)
	if err != nil {
		return nil, err
	}
	now, err := b.rules.Restore(b.setup, m.Number+1, m.State)
	if err != nil || !now.Await.Has(b.id) {
		return nil, err
	}
	prompt, err := b.prompt(m)
	if err != nil {
		return nil, err
	}
	question := prompt
	for range 1 + modelReturns {
		text, err := b.ask(question)
		why := ""
		if err != nil {
			why = "the program failed: " + err.Error()
		} else {
			actions, thoughts := answerIn(text)
			b.thoughts = strings.TrimSpace(b.thoughts + "\n" + thoughts)
			if why = b.fault(m.Number, actions); why == "" {
				return actions, nil
			}
		}
		b.thoughts += "\nnot possible: " + why
		question = fmt.Sprintf("%s\nYou answered:\n%s\nThat is not possible: %s\nAnswer again.\n", prompt,
			text[:min(len(text), maxPrompted)], why)
	}
	if b.fault(m.Number, []byte("[]")) == "" {
		return []byte("[]"), nil
	}
	return other, nil
}

// End implements netorcai.Bot.
func (b *modelBot) End(m netorcai.GameEnds) { b.instead.End(m) }

// Debug implements netorcai.Debugger.
func (b *modelBot) Debug() netorcai.Debug {
	text := strings.ToValidUTF8(b.thoughts[:min(len(b.thoughts), maxThoughts)], "")
	return netorcai.Debug{Text: tui.PlainLines(text)}
}

// prompt returns what the model is asked in a turn.
func (b *modelBot) prompt(m netorcai.Turn) (string, error) {
	board, err := b.game.Text(&b.about, m.State)
	if err != nil {
		return "", err
	}
	var s strings.Builder
	fmt.Fprintf(&s, "%s\nYou are player_id %d. Turn %d of %d:\n\n%s", b.game.Brief, b.id, m.Number,
		b.setup.Turns, board)
	if b.game.Candidates != nil {
		s.WriteString("\nActions that are possible now, at most one for each character:\n")
		for _, action := range b.game.Candidates(m.State, b.id) {
			if b.fault(m.Number, []byte("["+action+"]")) == "" {
				s.WriteString(action + "\n")
			}
		}
	}
	s.WriteString("\nThink in a few words, then answer with the JSON array of your actions, last.\n")
	return s.String(), nil
}

// fault returns why an answer is not possible, as far as that depends on this player alone; "" if
// it is.
func (b *modelBot) fault(turn int, actions []byte) string {
	if actions == nil {
		return "it has no JSON array of actions"
	}
	return env.Fault(b.game, b.rules, engine.Input{
		Player: b.id, Turn: turn, Actions: actions, Valid: true,
	})
}

// answerIn returns the last JSON array of objects in a text, or nil, and the rest of
// the text.
func answerIn(text string) (actions []byte, thoughts string) {
	thoughts = text
	for from := 0; ; {
		i := strings.IndexByte(text[from:], '[')
		if i < 0 {
			return actions, thoughts
		}
		from += i
		d := json.NewDecoder(strings.NewReader(text[from:]))
		var list []map[string]json.RawMessage
		if d.Decode(&list) != nil {
			from++
			continue
		}
		to := from + int(d.InputOffset())
		actions = []byte(text[from:to])
		thoughts = text[:from] + text[to:]
		from = to
	}
}
