package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/server/servertest"
)

func matchCases() []e2eCase {
	return []e2eCase{
		{"no players", []string{"match/no players"}, playNoPlayers},
		{"one player", []string{
			"match/one player", "match/fewer players than seats", "match/N turns are N-1 TURNs",
			"match/GAME_STARTS",
		}, playOne},
		{"many", []string{
			"match/many players, special players and visualizations", "match/ids", "match/players_info",
			"match/fast pace",
			"match/visualizations are not waited for",
		}, playMany},
		{"autostart", []string{
			"match/autostart waits for all, the game logic too", "log/automatic start",
		}, playAutostart},
		{"autostart and set", []string{"match/autostart is judged at logins"}, playAutostartAndSet},
		{"late visualization", []string{"match/late visualization"}, playLateVisu},
		{"by other names", []string{"match/hexarena netorcai and hexarena serve"}, playOtherNames},
	}
}

// A match starts without players, with or without seats for them.
func playNoPlayers(s *netorcaiRun) {
	for _, seats := range []string{"--nb-players-max=0", "--nb-players-max=3"} {
		s.open(seats, "--nb-visus-max=0", "--nb-turns-max=5", "--fast")
		s.playAlone()
	}
	s.markProved("match/no players")
}

// playAlone plays a match of five turns in which the game logic is the only client.
func (s *netorcaiRun) playAlone() {
	s.Helper()
	logic := s.logic()
	if m := s.begin(logic); m.Players != 0 || m.Specials != 0 || m.TurnsMax != 5 {
		s.Errorf("DO_INIT: %s", m.Raw)
	}
	for i := range 5 {
		if m := turn(logic, i); len(m.Actions) != 0 {
			s.Errorf("DO_TURN: %s", m.Raw)
		}
	}
	s.finish(logic)
}

func playOne(s *netorcaiRun) {
	const turns = 4
	// on a busy machine, too, an answer takes less than the time of a turn
	s.open("--nb-players-max=3", "--nb-turns-max=4", "--delay-first-turn=60.5", "--delay-turns=700")
	logic, player := s.logic(), s.player()
	if m := s.begin(logic); m.Players != 1 || m.Specials != 0 || m.TurnsMax != turns {
		s.Errorf("DO_INIT: %s", m.Raw)
	}
	const want = `{"message_type":"GAME_STARTS","player_id":0,"players_info":[],"nb_players":1,"nb_special_players":0,"nb_turns_max":4,` +
		`"milliseconds_before_first_turn":60.5,"milliseconds_between_turns":700,"initial_game_state":{"board":0}}` + "\n"
	if m := player.Expect("GAME_STARTS"); !sameJSON(m.Raw, []byte(want)) {
		s.Errorf("GAME_STARTS:\n%swant\n%s", m.Raw, want)
	}
	s.markProved("match/fewer players than seats", "match/GAME_STARTS")
	if m := turn(logic, 1); len(m.Actions) != 0 {
		s.Errorf("the first DO_TURN: %s", m.Raw)
	}
	for n := range turns - 1 {
		m := player.Expect("TURN")
		if want := fmt.Sprintf(`{"board":%d}`, n+1); m.Turn != n || string(m.State) != want ||
			len(m.Infos) != 0 {
			s.Errorf("TURN %d: %s", n, m.Raw)
		}
		player.Answer(n, fmt.Sprintf(`["action",%d]`, n))
		m = turn(logic, n+2)
		if len(m.Actions) != 1 || m.Actions[0].PlayerID != 0 || m.Actions[0].Turn != n ||
			string(m.Actions[0].Actions) != fmt.Sprintf(`["action",%d]`, n) {
			s.Errorf("DO_TURN after TURN %d: %s", n, m.Raw)
		}
	}
	if m := player.Expect("GAME_ENDS"); string(m.State) != `{"board":4}` || m.Winner != -1 {
		s.Errorf("GAME_ENDS: %s", m.Raw)
	}
	s.finish(player, logic)
	s.markProved("match/one player", "match/N turns are N-1 TURNs")
}

// participants holds the clients of a large match.
type participants struct {
	logic                    *servertest.Client
	specials, players, visus []*servertest.Client
	watcher                  *servertest.Client // the only one of visus that answers
}

func playMany(s *netorcaiRun) {
	const specials, players, visus, turns = 3, 20, 4, 5
	s.open(fmt.Sprintf("--nb-splayers-max=%d", specials), fmt.Sprintf("--nb-players-max=%d", players),
		fmt.Sprintf("--nb-visus-max=%d",
			visus), fmt.Sprintf("--nb-turns-max=%d", turns), "--fast", "--autostart")
	var c participants
	for i := range players { // one after another, so that the order is known
		c.players = append(c.players, s.login(fmt.Sprint("bot", i), "player"))
		if i < visus {
			c.visus = append(c.visus, s.login(fmt.Sprint("visu", i), "visualization"))
		}
		if i < specials {
			c.specials = append(c.specials, s.login(fmt.Sprint("ghost", i), "special player"))
		}
	}
	c.watcher = c.visus[0]
	c.logic = s.logic()
	c.logic.Expect("DO_INIT")
	c.logic.AckInit(`{"board":0}`)
	byID := c.start(s)
	turn(c.logic, 1)
	for n := range turns - 1 {
		c.turn(s, n, byID)
		if m := turn(c.logic, n+2); len(m.Actions) != len(byID) {
			s.Errorf("DO_TURN %d: %d answers, want %d", n+1, len(m.Actions), len(byID))
		}
	}
	for _, one := range slices.Concat(byID, c.visus) {
		one.Until("GAME_ENDS")
		one.ExpectKick("Game is finished")
		one.Close()
	}
	s.finish(c.logic)
	s.markProved("match/many players, special players and visualizations", "match/fast pace",
		"match/visualizations are not waited for")
}

// start checks every GAME_STARTS and returns the players by id.
func (c *participants) start(s *netorcaiRun) (byID []*servertest.Client) {
	s.Helper()
	byID = make([]*servertest.Client, len(c.specials)+len(c.players))
	order := ""
	for i, one := range slices.Concat(c.specials, c.players) {
		m := one.Expect("GAME_STARTS")
		if m.PlayerID < 0 || m.PlayerID >= len(byID) || byID[m.PlayerID] != nil || len(m.Infos) != 0 {
			s.Fatalf("GAME_STARTS of number %d: %s", i, m.Raw)
		}
		if i < len(c.specials) && m.PlayerID != i {
			s.Errorf("special player %d has id %d", i, m.PlayerID)
		}
		byID[m.PlayerID] = one
		order += fmt.Sprint(m.PlayerID, " ")
	}
	s.Logf("ids by login: %s", order) // the players' ids are random
	s.markProved("match/ids")
	for _, visu := range c.visus {
		m := visu.Expect("GAME_STARTS")
		if m.PlayerID != -1 || m.Players != len(c.players) || m.Specials != len(c.specials) {
			s.Errorf("GAME_STARTS of a visualization: %s", m.Raw)
		}
		c.checkInfos(s, m, byID)
	}
	s.markProved("match/players_info")
	return byID
}

// checkInfos checks the list of players.
func (c *participants) checkInfos(s *netorcaiRun, m servertest.Message, byID []*servertest.Client) {
	s.Helper()
	if len(m.Infos) != len(byID) {
		s.Fatalf("players_info: %s", m.Raw)
	}
	for i, info := range m.Infos {
		name := "bot"
		if i < len(c.specials) {
			name = "ghost"
		}
		if info.PlayerID != i || !strings.HasPrefix(info.Nickname, name) ||
			info.Remote != byID[i].LocalAddr().String() || !info.Connected {
			s.Errorf("players_info[%d] = %+v", i, info)
		}
	}
}

// turn checks that all clients get the same TURN. All players and special players answer
// it, and one of the visualizations.
func (c *participants) turn(s *netorcaiRun, number int, byID []*servertest.Client) {
	s.Helper()
	var first []byte
	for _, one := range byID {
		m := one.Expect("TURN")
		if first == nil {
			first = m.Raw
		}
		if m.Turn != number || string(m.Raw) != string(first) {
			s.Errorf("TURN %d: %s, others got %s", number, m.Raw, first)
		}
	}
	m := c.watcher.Expect("TURN")
	if m.Turn != number {
		s.Errorf("TURN %d of a visualization: %s", number, m.Raw)
	}
	c.checkInfos(s, m, byID)
	c.watcher.Answer(number, "")
	for _, one := range byID {
		one.Answer(number, "[1]")
	}
}

func playAutostart(s *netorcaiRun) {
	for last := range 4 {
		s.open("--autostart", "--nb-players-max=1", "--nb-splayers-max=1", "--nb-visus-max=1")
		arrive := []func(){
			func() { s.login("bot", "player") },
			func() { s.login("ghost", "special player") },
			func() { s.login("visu", "visualization") },
			func() { s.logic() },
		}
		for i := range arrive {
			arrive[(last+1+i)%4]()
			if i == 2 && last != 0 {
				// Otherwise this login is refused because the game has started.
				late := s.dial()
				late.SendLogin("late", "player")
				late.ExpectKick("LOGIN denied: Maximum number of players reached")
			}
		}
		s.waitLog("log/automatic start")
		s.waitLine("Starting game")
	}
	s.markProved("match/autostart waits for all, the game logic too")
}

// A setting does not start the match; the next login does.
func playAutostartAndSet(s *netorcaiRun) {
	s.open("--autostart", "--nb-players-max=2")
	logic := s.logic()
	s.player()
	s.typeLines("set nb-players-max=1")
	s.expectReply("print nb-players-max")
	for s.nextLine() != "nb-players-max=1" { // log lines precede it
	}
	s.visu()
	for _, want := range []string{
		"New visualization accepted", "Automatic starting conditions are met", "Starting game",
	} {
		if line := s.nextLine(); !strings.Contains(line, want) {
			s.Errorf("next is %q, want %q", line, want)
		}
	}
	logic.Expect("DO_INIT")
	s.markProved("match/autostart is judged at logins")
}

// A visualization that logs in late gets the initial board, and then the newest turn.
func playLateVisu(s *netorcaiRun) {
	s.open("--nb-turns-max=3", "--fast", "--nb-visus-max=2")
	logic, player := s.logic(), s.player()
	s.typeLines("start")
	logic.Expect("DO_INIT")
	early := s.login("early", "visualization") // before the initial board is known
	logic.AckInit(`{"board":0}`)
	turn(logic, 1)
	player.Until("TURN")
	late := s.login("late", "visualization")
	for _, visu := range []*servertest.Client{early, late} {
		if m := visu.Expect("GAME_STARTS"); m.PlayerID != -1 || string(m.Initial) != `{"board":0}` {
			s.Errorf("GAME_STARTS: %s", m.Raw)
		}
		if m := visu.Expect("TURN"); m.Turn != 0 || string(m.State) != `{"board":1}` {
			s.Errorf("TURN: %s", m.Raw)
		}
		visu.Answer(0, "")
	}
	player.Answer(0, "")
	turn(logic, 2)
	if m := late.Expect("TURN"); m.Turn != 1 {
		s.Errorf("TURN: %s", m.Raw)
	}
	s.markProved("match/late visualization")
}

// The server under its own name, with hexarena's additions.
func playOtherNames(s *netorcaiRun) {
	_, want, _ := s.run("--version")
	if code, got, _ := runToEnd(s.T, command(s.T, "netorcai", "--version", "--no-such-option")); code != 0 || got != want {
		s.Errorf("hexarena netorcai --version: exit code %d, %q, want %q", code, got, want)
	}
	if code, _, _ := runToEnd(s.T, command(s.T, "netorcai", "--autostart=true")); code != 1 {
		s.Errorf("hexarena netorcai --autostart=true: exit code %d", code)
	}
	s.process = startServer(s.T, func(port string) *exec.Cmd {
		cmd := command(s.T, "serve", "--game=external", "--bind=127.0.0.1", "--port", port, "--fast")
		cmd.Env = append(cmd.Env, "HEXARENA_NB_TURNS_MAX=2", "HEXARENA_GAME_TIMEOUT=50ms")
		return cmd
	})
	s.expectReply("print all", "nb-turns-max=2", "nb-players-max=4", "nb-splayers-max=0",
		"nb-visus-max=1", "delay-first-turn=1000", "delay-turns=1000")
	logic, player := s.logic(), s.player()
	s.begin(logic)
	logic.Expect("DO_TURN")
	logic.ExpectKick("Did not receive DO_TURN_ACK after 50ms.")
	if got := player.Until("KICK"); got.Reason != "netorcai abort" {
		s.Errorf("kick_reason = %q", got.Reason)
	}
	player.Close()
	logic.Close()
	s.expectExit(1)

	file := filepath.Join(s.TempDir(), "arena.yaml")
	if err := os.WriteFile(file, []byte("map: lagoon\n"), 0o600); err != nil {
		s.Fatal(err)
	}
	code, _, stderr := runToEnd(s.T,
		command(s.T, "serve", "--game=external", "--config", file, "--turn-timeout=1s"))
	if code != exitUsage || !strings.Contains(stderr, "map =") ||
		!strings.Contains(stderr, "turn-timeout =") {
		s.Errorf("an external game on a map: exit code %d, %s", code, stderr)
	}
	code, _, stderr = runToEnd(s.T, command(s.T, "serve", "--game-timeout=1s"))
	if code != exitUsage || !strings.Contains(stderr, "game-timeout =") {
		s.Errorf("a limit for no game logic: exit code %d, %s", code, stderr)
	}
	s.markProved("match/hexarena netorcai and hexarena serve")
}

// hasIPv6 reports whether this machine can be reached over IPv6.
func hasIPv6() bool {
	l, err := net.Listen("tcp6", "[::1]:0")
	if err == nil {
		l.Close()
	}
	return err == nil
}
