package main

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/server/servertest"
)

// originalGame is a game of the original; engine/hexabomb/testdata/FORMAT.md
// describes it.
type originalGame struct {
	Rules    string          `json:"rules"`
	Map      json.RawMessage `json:"map"`
	Players  int             `json:"nb_players"`
	Specials int             `json:"nb_special_players"`
	Features []string        `json:"features"`
	State    json.RawMessage `json:"initial_game_state"`

	turns []originalTurn
}

type originalTurn struct {
	Actions []playerActions `json:"player_actions"`
	Winner  int             `json:"winner_player_id"`
	State   json.RawMessage `json:"game_state"`
	Changed [][3]int        `json:"cells_changed"`
}

type playerActions struct {
	PlayerID int             `json:"player_id"`
	Turn     int             `json:"turn_number"`
	Actions  json.RawMessage `json:"actions"`
}

// beyondNetorcai lists features of recorded games that netorcai cannot produce.
var beyondNetorcai = []string{
	"integral_float", "int_beyond_53bit", "dup_entries", "init_error", "error_after_init",
}

func readGame(t *testing.T, file string) (g originalGame) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bufio.NewReader(z))
	if err := d.Decode(&g); err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(g.Features, func(f string) bool { return slices.Contains(beyondNetorcai, f) }) {
		return g
	}
	for d.More() {
		var turn originalTurn
		if err := d.Decode(&turn); err != nil {
			t.Fatal(err)
		}
		g.turns = append(g.turns, turn)
	}
	return g
}

// Recorded games of the original, played over netorcai's wire by the programs
// netorcai and hexabomb, agree state for state.
func TestRecordedGamesOverTheWire(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	games, err := filepath.Glob("../../engine/hexabomb/testdata/vectors/dev/*.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	quirks, err := filepath.Glob("../../engine/hexabomb/testdata/vectors/quirks/*.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	drafts, err := filepath.Glob("../../engine/hexabomb/testdata/vectors/draft/*.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range drafts {
		if !strings.Contains(file, "old_bad_revive") { // netorcai passes its 0.0 on as 0
			games = append(games, file)
		}
	}
	for i := 0; i < len(quirks); i += 2 {
		if !strings.Contains(quirks[i], "map_dup_cell") { // hexarena refuses this map
			games = append(games, quirks[i])
		}
	}
	if len(games) < 80 {
		t.Fatalf("found %d recorded games", len(games))
	}
	for i := 0; i < len(games); i += thorough.Size(10, 1) {
		file := games[i]
		if g := readGame(t, file); len(g.turns) > 0 {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl.gz"), func(t *testing.T) {
				t.Parallel()
				playRecorded(t, g)
			})
		}
	}
}

// playRecorded sends the recorded actions of the players. The test sits between netorcai
// and hexabomb: it checks every state, and sorts the answers of a turn, which arrive in
// any order, into the order of the recording. Netorcai's first turn has no actions; it is
// answered without hexabomb.
func playRecorded(t *testing.T, g originalGame) {
	server := startServer(t, func(port string) *exec.Cmd {
		return program(t, "netorcai", "--port", port, "--fast", "--autostart", "--nb-visus-max=0",
			fmt.Sprintf("--nb-players-max=%d", g.Players), fmt.Sprintf("--nb-splayers-max=%d", g.Specials),
			fmt.Sprintf("--nb-turns-max=%d", len(g.turns)+1))
	})
	var players sync.WaitGroup
	enter := func(n int, role string) {
		for i := range n {
			c := servertest.Login(t, server.addr, role[:1]+strconv.Itoa(i), role)
			players.Go(func() { playRecordedPlayer(t, c, g) })
		}
	}
	enter(g.Specials, "special player")
	enter(g.Players, "player")
	refereeBetween(t, server.addr, g)
	players.Wait()
	server.expectExit(0)
}

// playRecordedPlayer sends the recorded actions of the player that the client becomes.
func playRecordedPlayer(t *testing.T, c *servertest.Client, g originalGame) {
	id := c.Expect("GAME_STARTS").PlayerID
	for turn := range g.turns {
		if m := c.Expect("TURN"); m.Turn != turn {
			t.Errorf("player %d: TURN %d, want %d", id, m.Turn, turn)
		}
		actions := "[]"
		for _, a := range g.turns[turn].Actions {
			if a.PlayerID == id {
				actions = string(a.Actions)
			}
		}
		c.Answer(turn, actions)
	}
	c.Expect("GAME_ENDS")
	c.ExpectKick("Game is finished")
	c.Close()
}

// refereeBetween connects netorcai at addr to a new hexabomb.
func refereeBetween(t *testing.T, addr string, g originalGame) {
	t.Helper()
	logic := startHexabomb(t, g.Map, cmp.Or(g.Rules, "1.1"))
	netorcai := servertest.LoginLogic(t, addr)
	logic.Send("%s", netorcai.Expect("DO_INIT").Raw)
	var want hexabomb.State
	initial := stateOf(t, logic.Expect("DO_INIT_ACK").Raw, "initial_game_state")
	follow(t, &want, g.State, nil)
	same(t, "the initial state", initial, &want)
	netorcai.AckInit(string(g.State))
	netorcai.Expect("DO_TURN")
	netorcai.AckTurn(-1, string(g.State))
	for k, turn := range g.turns {
		var asked struct {
			Actions []playerActions `json:"player_actions"`
		}
		if err := json.Unmarshal(netorcai.Expect("DO_TURN").Raw, &asked); err != nil {
			t.Fatal(err)
		}
		slices.SortStableFunc(asked.Actions, func(a, b playerActions) int {
			return recordedPlace(turn, a.PlayerID) - recordedPlace(turn, b.PlayerID)
		})
		sorted, err := json.Marshal(asked.Actions)
		if err != nil {
			t.Fatal(err)
		}
		logic.Send(`{"message_type":"DO_TURN","player_actions":%s}`, sorted)
		ack := logic.Expect("DO_TURN_ACK")
		follow(t, &want, turn.State, turn.Changed)
		what := fmt.Sprint("turn ", k+1)
		state := stateOf(t, ack.Raw, "game_state")
		same(t, what, state, &want)
		if ack.Winner != turn.Winner {
			t.Fatalf("%s: winner %d, want %d", what, ack.Winner, turn.Winner)
		}
		netorcai.AckTurn(ack.Winner, `{}`)
	}
	netorcai.ExpectKick("Game is finished")
	netorcai.Close()
	logic.Send(`{"message_type":"KICK","kick_reason":"Game is finished"}`)
	logic.Close()
}

// recordedPlace returns the index of a player's actions in a turn. Players without
// actions come last.
func recordedPlace(turn originalTurn, id int) int {
	if i := slices.IndexFunc(turn.Actions, func(a playerActions) bool { return a.PlayerID == id }); i >= 0 {
		return i
	}
	return len(turn.Actions)
}

// startHexabomb starts the program hexabomb on a map and returns the server's end of its
// connection.
func startHexabomb(t *testing.T, board json.RawMessage, rules string) *servertest.Client {
	t.Helper()
	file := filepath.Join(t.TempDir(), "map.json")
	writeText(t, file, string(board))
	l := servertest.Listen(t)
	port := strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	cmd := program(t, "hexabomb", file, "-h", "127.0.0.1", "-p", port, "--rules", rules)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cmd.Wait(); err != nil {
			t.Errorf("hexabomb: %v", err)
		}
	})
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	c := servertest.NewClient(t, conn)
	if m := c.Expect("LOGIN"); !strings.Contains(string(m.Raw), `"role":"game logic"`) {
		t.Fatalf("hexabomb logs in with %s", m.Raw)
	}
	c.Send(`{"message_type":"LOGIN_ACK","metaprotocol_version":"2.0.0"}`)
	return c
}

// The command line of the program hexabomb, and its output.
func TestHexabombCommandLine(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		line   string
		code   int
		stdout string
	}{
		{"", 255, "usage: hexabomb MAP"},
		{"lagoon pebble", 255, "usage: hexabomb MAP"},
		{"lagoon --nonsense", 255, "--nonsense"},
		{"lagoon --h=localhost", 255, "could be --help or --hostname"},
		{"lagoon --port", 255, "no value"},
		{"lagoon --port=x", 1, `port = "x": want an integer`},
		{"lagoon -p 65536", 1, `port = "65536"`},
		{"lagoon -p 0", 1, `port = "0"`},
		{"lagoon -p -1", 1, `port = "-1"`},
		{"lagoon -p 1 -p 2", 255, "given twice"},
		{"lagoon -h a --hostname=b", 255, "given twice"},
		{"--hel", 0, "hexabomb MAP"},
		{"--help", 0, "hexabomb MAP"},
		{"lagoon --rules 1.0", 255, `rules = "1.0": want 1.1 or draft`},
		{"nosuchmap", 1, "no such map"},
	} {
		code, stdout, stderr := runToEnd(t, program(t, "hexabomb", strings.Fields(tt.line)...))
		if code != tt.code || !strings.Contains(stdout, tt.stdout) || stderr != "" {
			t.Errorf("hexabomb %s: exit code %d, %q and %q, want %d and %q", tt.line, code, stdout, stderr,
				tt.code, tt.stdout)
		}
	}
}

// A match with the program hexabomb, on a map that hexarena itself refuses, with
// abbreviated options. Hexabomb prints its progress on standard output.
func TestHexabombProgress(t *testing.T) {
	t.Parallel()
	server := startServer(t, func(port string) *exec.Cmd {
		return program(t, "netorcai", "--port", port, "--fast", "--autostart", "--nb-visus-max=0",
			"--nb-players-max=0", "--nb-turns-max=3")
	})
	file := filepath.Join(t.TempDir(), "map.json")
	board := `{"cells":[{"q":0,"r":0},],"initial_positions":{"0":[{"q":0,"r":0}]},"x":` +
		strings.Repeat("[", 600) + strings.Repeat("]", 600) + `,"y":1e999} that is all`
	writeText(t, file, board)
	code, stdout, stderr := runToEnd(t,
		program(t, "hexabomb", file, "--host=127.0.0.1", "--po="+strconv.Itoa(server.port)))
	if code != 0 || stderr != "" {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	want := fmt.Sprintf(`Loading map %s... done
Connecting to netorcai (%s)... done
Logging in as a game logic... done
Waiting for DO_INIT... done
Waiting for DO_TURN 0... done
Waiting for DO_TURN 1... done
Waiting for DO_TURN 2... done
`, file, server.addr)
	if stdout != want {
		t.Errorf("standard output:\n%swant\n%s", stdout, want)
	}
	server.expectExit(0)
	if code, _, stderr := runToEnd(t, command(t, "serve", "--map", file)); code != exitUsage ||
		!strings.Contains(stderr, "map.json") {
		t.Errorf("hexarena serve takes the map: exit code %d, %s", code, stderr)
	}
}

// Hexabomb leaves when it has sent the last state, whatever the server then does, prints errors of
// a match on standard output and actions without effect on standard error.
func TestHexabombEnds(t *testing.T) {
	t.Parallel()
	const init = `{"message_type":"DO_INIT","nb_players":1,"nb_special_players":0,"nb_turns_max":1}`
	const turn = `{"message_type":"DO_TURN","player_actions":[{"player_id":0,"turn_number":0,"actions":[{"id":9,"movement":"revive"}]}]}`
	for name, tt := range map[string]struct {
		sent           []string
		code           int
		stdout, stderr string // part of what is printed
	}{
		"the last turn": {[]string{init, turn}, 0, "Waiting for DO_TURN 0... done\n", "[info] turn 0, " +
			"player 0, action 0: Ignoring a character action: "},
		"another version": {[]string{
			"3.0.0", init, turn,
		}, 0, "Waiting for DO_TURN 0... done\n", "[info]"},
		"a turn at once": {[]string{turn}, 1, "Waiting for DO_INIT...\nhexabomb: play a turn: " +
			"DO_TURN came before DO_INIT\n", ""},
		"2.0 players": {[]string{
			strings.Replace(init, ":1", ":2.0", 1),
		}, 1, "Non-integral value for field 'nb_players'", ""},
		"2.5 players": {[]string{
			strings.Replace(init, ":1", ":2.5", 1),
		}, 1, "Non-integral value for field 'nb_players'", ""},
		"more than the board": {[]string{
			strings.Replace(init, ":1", ":99", 1),
		}, 1, "hexabomb: set the board: ", ""},
		"a kick": {[]string{
			init, `{"message_type":"KICK","kick_reason":"netorcai abort"}`,
		}, 1, "Waiting for DO_TURN 0...\nhexabomb: kicked: netorcai abort\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := servertest.Listen(t)
			cmd := program(t, "hexabomb", "lagoon", "--port", strconv.Itoa(l.Addr().(*net.TCPAddr).Port))
			go func() { // holds the connection
				conn, err := l.Accept()
				if err != nil {
					return
				}
				c := servertest.NewClient(t, conn)
				c.Expect("LOGIN")
				version := "2.0.0"
				if tt.sent[0] == "3.0.0" {
					version, tt.sent = tt.sent[0], tt.sent[1:]
				}
				c.Send(`{"message_type":"LOGIN_ACK","metaprotocol_version":"%s"}`, version)
				for _, m := range tt.sent {
					c.Send("%s", m)
				}
			}()
			code, stdout, stderr := runToEnd(t, cmd)
			if code != tt.code || !strings.Contains(stdout, tt.stdout) ||
				!strings.HasPrefix(stderr, tt.stderr) || (stderr != "") != (tt.stderr != "") {
				t.Errorf("exit code %d, %q and %q, want %d, %q and %q", code, stdout, stderr, tt.code,
					tt.stdout, tt.stderr)
			}
		})
	}
}

// stateOf returns the state in an acknowledgement.
func stateOf(t *testing.T, content []byte, field string) *hexabomb.State {
	t.Helper()
	var fields map[string]json.RawMessage
	var envelope struct {
		Clients hexabomb.State `json:"all_clients"`
	}
	if err := json.Unmarshal(content, &fields); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(fields[field], &envelope); err != nil {
		t.Fatal(err)
	}
	return &envelope.Clients
}

// follow updates a recorded state to the next one, whose cells may be given as changes.
func follow(t *testing.T, s *hexabomb.State, next json.RawMessage, changed [][3]int) {
	t.Helper()
	cells := s.Cells
	*s = hexabomb.State{}
	if err := json.Unmarshal(next, s); err != nil {
		t.Fatal(err)
	}
	if s.Cells == nil {
		s.Cells = cells
		for _, c := range changed {
			at := slices.IndexFunc(cells,
				func(cell hexabomb.Cell) bool { return cell.Coord == hexgrid.Coord{Q: c[0], R: c[1]} })
			cells[at].Color = hexabomb.Color(c[2])
		}
	}
}

func same(t *testing.T, what string, got, want *hexabomb.State) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s:\n%+v\nwant\n%+v", what, got, want)
	}
}
