package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/docs/examples/claim"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/servertest"
)

// toys is hexarena with two more games: the toy game, whose players alternate and which
// ends early, and the example of docs/add-a-game.md. Each is one line here.
func toys() {
	gameList = append(gameList, toy(), claim.Entry())
	playScope.Games, serveScope.Games = gameList.Settings(), gameList.Settings()
	cupScope.Games, checkScope.Games = playScope.Games, playScope.Games
	main()
}

// toy is the entry of the toy game.
func toy() *games.Game {
	newToy := func(string, []byte) (engine.Game, error) { return enginetest.NewToy(), nil }
	return &games.Game{
		Name: "toy", Title: "the toy game", Rules: []string{"toy/1"},
		New: func(config.Values) (games.Instance, error) {
			return games.Instance{
				Map: "toy", Setup: []byte("{}"), Players: 2, New: enginetest.NewToy,
				AnswerSize: games.UsualAnswer,
			}, nil
		},
		Replay:   newToy,
		Builtins: []games.Builtin{{Name: "taker", New: func(uint64) netorcai.Bot { return new(taker) }}},
		Mix:      func(int) []string { return []string{"taker", "taker"} },
	}
}

// taker takes the stones above a multiple of four, so that the first one to do so wins.
type taker struct{ id int }

func (b *taker) Start(m netorcai.GameStarts) error { b.id = m.PlayerID; return nil }

func (b *taker) Turn(m netorcai.Turn) ([]byte, error) {
	var state struct {
		Stones int
		TurnOf int `json:"turn_of"`
	}
	if err := json.Unmarshal(m.State, &state); err != nil || state.TurnOf != b.id {
		return nil, err
	}
	return fmt.Appendf(nil, `[{"take":%d}]`, max(1, state.Stones%(enginetest.ToyMost+1))), nil
}

func (b *taker) End(netorcai.GameEnds) {}

// TestToysPlay plays games that only their entry knows, in a match and in a cup.
func TestToysPlay(t *testing.T) {
	builtin := map[string]string{"toy": "taker", "claim": "claimer"}
	for game, figure := range map[string]string{"toy": "taken", "claim": "cells"} {
		t.Run(game, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			var served struct {
				Winner, Recording string
				Seats             []struct{ Counts map[string]int }
			}
			runJSON(t, &served, "play", "--game", game, "--json", "--http", "", "--port", "0", "--record",
				dir, "--seed", "3")
			if served.Winner == "" && game == "toy" || served.Seats[0].Counts[figure] == 0 {
				t.Errorf("play: %+v", served)
			}
			checkRecording(t, served.Recording)
			var many struct{ Matches int }
			runJSON(t, &many, "cup", "--game", game, "--json", "--count", "10", "--jobs", "2",
				"--format", "round-robin", "--out", filepath.Join(dir, "many"), builtin[game],
				builtin[game])
			if many.Matches < 10 {
				t.Errorf("cup: %+v", many)
			}
		})
	}
}

// TestToysPlayOn plays recordings of such games again, and checks their built-in bots.
func TestToysPlayOn(t *testing.T) {
	thorough.Full(t)
	for game, builtin := range map[string]string{"toy": "taker", "claim": "claimer"} {
		t.Run(game, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			var served, again struct {
				Recording string
				Seats     []struct{ Counts map[string]int }
			}
			runJSON(t, &served, "play", "--game", game, "--json", "--http", "", "--port", "0",
				"--record", dir, "--seed", "3", builtin, builtin)
			runJSON(t, &again, "replay", "play", served.Recording, "--from", "0", "--json", "--http", "",
				"--port", "0", "--record", dir, builtin, builtin)
			if fmt.Sprint(again.Seats[0].Counts, again.Seats[1].Counts) != fmt.Sprint(served.Seats[0].Counts, served.Seats[1].Counts) &&
				fmt.Sprint(again.Seats[0].Counts, again.Seats[1].Counts) != fmt.Sprint(served.Seats[1].Counts,
					served.Seats[0].Counts) {
				t.Errorf("replay play: %+v, want the result of %+v", again, served)
			}
			var checked struct {
				Game  string
				Cases []struct{ Key string }
			}
			bot := launch.Quote(
				[]string{
					program(t, "hexarena-toys").Path, "bot", builtin, "--port", "{port}", "--seed", "{seed}",
				},
			)
			cmd := program(t, "hexarena-toys", "check", "--game", game, "--json", bot)
			out, _ := cmd.Output() // exit code 1: taker also moves when it is not its turn
			if err := json.Unmarshal(out, &checked); err != nil || checked.Game != game ||
				len(checked.Cases) == 0 {
				t.Errorf("check: %v\n%s", err, out)
			}
		})
	}
}

// runJSON runs a command and decodes the JSON that it prints.
func runJSON(t *testing.T, to any, args ...string) {
	t.Helper()
	cmd := program(t, "hexarena-toys", args...)
	var problems strings.Builder
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, to)
	}
	if err != nil {
		t.Fatalf("%v: %v\n%s%s", args, err, out, &problems)
	}
}

// checkRecording verifies a recording and exports it in all formats that need no drawing.
func checkRecording(t *testing.T, path string) {
	t.Helper()
	for _, tt := range []struct{ args, want string }{
		{"verify " + path, "turns, identical"},
		{"show " + path, "wins"},
		{"show --turn 2 --seat 0 " + path, `"game_state":`},
		{"export --format json " + path, `"state":{`},
		{"export --format csv " + path, "turn,player,name,"},
		{"export --format html -o - " + path, "<html"},
	} {
		out, err := program(t, "hexarena-toys",
			append([]string{"replay"}, strings.Fields(tt.args)...)...).CombinedOutput()
		if err != nil || !strings.Contains(string(out), tt.want) {
			t.Errorf("replay %s: %v, %.300s; want %s", tt.args, err, out, tt.want)
		}
	}
	file := path + ".png"
	out, err := program(t, "hexarena-toys", "replay", "export", "--format", "png", "-o", file,
		path).CombinedOutput()
	if strings.Contains(path, "claim") {
		if _, missing := os.Stat(file); err != nil || missing != nil {
			t.Errorf("a picture: %v, %v, %s", err, missing, out)
		}
	} else if err == nil ||
		!strings.Contains(string(out), "there are no pictures of matches whose rules are") {
		t.Errorf("picture of a game without a drawing: %v, %s", err, out)
	}
}

// TestToysServe hosts such a game. Its built-in bots take the free seats from the page, which
// shows the match and its recording.
func TestToysServe(t *testing.T) {
	thorough.Full(t)
	for _, game := range []string{"toy", "claim"} {
		t.Run(game, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			p := startServer(t, func(port string) *exec.Cmd {
				args := []string{
					"serve", "--game", game, "--bind", "127.0.0.1", "--port", port, "--http", "127.0.0.1:0",
					"--pace", "fast", "--players", "2", "--visualizations", "0", "--record", dir,
				}
				return program(t, "hexarena-toys", args...)
			})
			page := "http://" + p.addr + "/api/"
			var lobby struct{ Game string }
			fetch(t, page+"match", &lobby)
			if lobby.Game != game {
				t.Errorf("the page shows %q, want %s", lobby.Game, game)
			}
			for _, what := range []string{"fill", "start"} {
				answer, err := http.Post(page+"match/"+what, "", nil)
				if err != nil {
					t.Fatal(err)
				}
				_ = answer.Body.Close()
				if answer.StatusCode != http.StatusOK {
					t.Fatalf("%s: %s", what, answer.Status)
				}
			}
			if said := strings.Join(p.readRest(), "\n"); !strings.Contains(said, "Game is finished") {
				t.Errorf("the match: %s", said)
			}
			p.expectExit(0)
			files := recordingsIn(t, dir, 1)
			checkRecording(t, files[0])
			checkShown(t, game, dir, filepath.Base(files[0]))
		})
	}
}

// checkShown checks that the page of another server plays a recording.
func checkShown(t *testing.T, game, dir, name string) {
	t.Helper()
	p := startServer(t, func(port string) *exec.Cmd {
		return program(t, "hexarena-toys", "serve", "--bind", "127.0.0.1", "--port", port, "--http",
			"127.0.0.1:0", "--record", dir)
	})
	events := string(received(t, "http://"+p.addr+"/api/recordings/"+name))
	if !strings.Contains(events, `"rules":"`+game+`/1"`) ||
		!strings.Contains(events, `{"type":"end"`) {
		t.Errorf("the page shows the recording as %.300s…", events)
	}
}

// TestServeFillsTicTacToe seats built-in bots at both sides of a game with a clock.
func TestServeFillsTicTacToe(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	p := startServer(t, func(port string) *exec.Cmd {
		return command(t, "serve", "--game", "hextictactoe", "--bind", "127.0.0.1", "--port", port,
			"--http", "127.0.0.1:0", "--tc", "1", "--record", "", "--visualizations", "0", "--autostart")
	})
	answer, err := http.Post("http://"+p.addr+"/api/match/fill", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if said := strings.Join(p.readRest(), "\n"); answer.StatusCode != http.StatusOK ||
		!strings.Contains(said, "Game is finished") {
		t.Errorf("fill: %s, and the match: %s", answer.Status, said)
	}
	p.expectExit(0)
}

// TestClaimLogic plays the example as an external game logic.
func TestClaimLogic(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		thorough.Lack(t, "no Python to run the rules")
	}
	p := startServe(t, "--game", "external", "--seed", "3", "--players", "1", "--visualizations", "0",
		"--turns", "3", "--autostart", "--pace", "fast", "--record", "")
	_, port, _ := strings.Cut(p.addr, ":")
	logic := exec.Command(python, "../../bots/gamelogic/logic.py")
	logic.Env = append(os.Environ(), "BOT_PORT="+port)
	said := new(strings.Builder)
	logic.Stdout, logic.Stderr = said, said
	if err := logic.Start(); err != nil {
		t.Fatal(err)
	}
	c := servertest.Login(t, p.addr, "a", "player")
	c.Expect("GAME_STARTS")
	for turn := range 2 { // no player answers in the first turn
		c.Expect("TURN")
		c.Answer(turn, fmt.Sprintf(`[{"claim":%d}]`, 7+turn))
	}
	if end := c.Expect("GAME_ENDS"); !strings.Contains(string(end.State), `"score":[3]`) {
		t.Errorf("GAME_ENDS with %s, want three: the first one, and two claimed", end.State)
	}
	if err := logic.Wait(); err != nil || said.Len() > 0 {
		t.Errorf("the logic ended with %v: %s", err, said)
	}
}
