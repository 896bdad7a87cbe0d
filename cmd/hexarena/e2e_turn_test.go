package main

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/hexarena/hexarena/server/servertest"
)

func turnCases() []e2eCase {
	return []e2eCase{
		{"timer pace", []string{"match/timer pace", "match/kept TURN is dropped at the end"}, playTimer},
		{"skipped turns", []string{"match/skipped turns", "match/late answer"}, playSkipped},
		{"late answer beside the next", []string{"match/late answer beside the next"}, playDoubleAnswer},
		{"order of arrival", []string{"match/order of arrival"}, playArrival},
		{"numbers in actions", []string{"match/numbers in actions"}, playNumbers},
	}
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// settle waits until the server has handled everything that was sent before.
func (s *netorcaiRun) settle() {
	s.Helper()
	for range 5 {
		s.typeLines("print nb-turns-max")
		s.waitLine("nb-turns-max=")
	}
}

// At the timer's pace a silent player does not delay the others.
func playTimer(s *netorcaiRun) {
	s.open("--nb-turns-max=4", "--delay-first-turn=50", "--delay-turns=50")
	logic, silent := s.logic(), s.player()
	s.begin(logic)
	silent.Expect("GAME_STARTS")
	for n := range 4 {
		if m := turn(logic, n+1); len(m.Actions) != 0 {
			s.Errorf("DO_TURN: %s", m.Raw)
		}
	}
	if m := silent.Expect("TURN"); m.Turn != 0 {
		s.Errorf("TURN: %s", m.Raw)
	}
	if m := silent.Expect("GAME_ENDS"); string(m.State) != `{"board":4}` {
		s.Errorf("GAME_ENDS: %s", m.Raw)
	}
	s.finish(silent, logic)
	s.markProved("match/timer pace", "match/kept TURN is dropped at the end")
}

// A slow player gets the newest TURN after its answer, and the answer counts in the turn
// in which it arrives.
func playSkipped(s *netorcaiRun) {
	s.open("--nb-turns-max=100", "--delay-first-turn=50", "--delay-turns=50")
	logic, slow := s.logic(), s.player()
	s.begin(logic)
	for n := range 3 {
		turn(logic, n+1)
	}
	logic.Expect("DO_TURN") // TURN 2 stays the newest until this is answered
	slow.Expect("GAME_STARTS")
	if m := slow.Expect("TURN"); m.Turn != 0 {
		s.Errorf("TURN: %s", m.Raw)
	}
	slow.Answer(0, `["late"]`)
	if m := slow.Expect("TURN"); m.Turn != 2 {
		s.Errorf("the next TURN: %s", m.Raw)
	}
	s.markProved("match/skipped turns")
	logic.AckTurn(-1, "{}")
	answers := turn(logic, 5).Actions
	for n := 6; len(answers) == 0 && n < 20; n++ { // the turn in which the server reads it varies
		answers = turn(logic, n).Actions
	}
	if len(answers) != 1 || answers[0].Turn != 0 || string(answers[0].Actions) != `["late"]` {
		s.Errorf("the late answer: %+v", answers)
	}
	s.markProved("match/late answer")
}

// disconnect sends an answer of a client and then breaks the rules. When it is kicked, its answer
// has been received.
func (s *netorcaiRun) disconnect(c *servertest.Client, turn int, actions string) {
	s.Helper()
	c.Answer(turn, actions)
	c.Send("garbage")
	c.Until("KICK")
	c.Close()
}

// threePlayers logs three players in and returns them by id.
func (s *netorcaiRun) threePlayers() []*servertest.Client {
	s.Helper()
	return []*servertest.Client{s.player(), s.player(), s.player()}
}

// byID sorts clients by the ids that GAME_STARTS gives them.
func (s *netorcaiRun) byID(clients []*servertest.Client) []*servertest.Client {
	s.Helper()
	sorted := make([]*servertest.Client, len(clients))
	for _, c := range clients {
		sorted[c.Expect("GAME_STARTS").PlayerID] = c
	}
	return sorted
}

// answeredPlayers returns the answers in a DO_TURN as player:turn.
func answeredPlayers(m servertest.Message) (list []string) {
	for _, a := range m.Actions {
		list = append(list, fmt.Sprintf("%d:%d", a.PlayerID, a.Turn))
	}
	return list
}

func playDoubleAnswer(s *netorcaiRun) {
	s.open("--delay-first-turn=50", "--delay-turns=50")
	logic, players := s.logic(), s.threePlayers()
	s.begin(logic)
	players = s.byID(players)
	turn(logic, 1)
	turn(logic, 2)
	logic.Expect("DO_TURN") // later answers count for the next turn
	for _, p := range players {
		p.Expect("TURN")
	}
	players[0].Answer(0, "[]")
	if m := players[0].Expect("TURN"); m.Turn != 1 {
		s.Errorf("TURN: %s", m.Raw)
	}
	s.settle()
	s.disconnect(players[1], 0, "[]")
	s.disconnect(players[2], 0, "[]")
	s.disconnect(players[0], 1, "[]")
	logic.AckTurn(-1, "{}")
	if got, want := answeredPlayers(logic.Expect("DO_TURN")), []string{"2:0", "1:0", "0:1"}; !reflect.DeepEqual(got, want) {
		s.Errorf("DO_TURN: %v, want %v", got, want)
	}
	s.markProved("match/late answer beside the next")
}

func playArrival(s *netorcaiRun) {
	for _, order := range [][]int{{2, 0, 1}, {1, 2, 0}} {
		s.open("--fast")
		logic, players := s.logic(), s.threePlayers()
		s.begin(logic)
		players = s.byID(players)
		turn(logic, 1)
		var want []string
		for _, id := range order {
			players[id].Expect("TURN")
			s.disconnect(players[id], 0, "[]")
			want = append(want, fmt.Sprintf("%d:0", id))
		}
		if got := answeredPlayers(logic.Expect("DO_TURN")); !reflect.DeepEqual(got, want) {
			s.Errorf("DO_TURN: %v, want %v", got, want)
		}
	}
	s.markProved("match/order of arrival")
}

func playNumbers(s *netorcaiRun) {
	s.open("--fast")
	logic, player := s.logic(), s.player()
	s.begin(logic)
	turn(logic, 1)
	player.Until("TURN")
	player.Answer(0,
		`[2.0, 2e0, 12345678901234567890, {"a" : -0.50, "b":[1e-7,"2.0"]}, true, null, "\u00e9"]`)
	const want = `[2,2,12345678901234567000,{"a":-0.5,"b":[1e-7,"2.0"]},true,null,"é"]`
	if m := logic.Expect("DO_TURN"); len(m.Actions) != 1 || string(m.Actions[0].Actions) != want {
		s.Errorf("DO_TURN: %s, want actions %s", m.Raw, want)
	}
	s.markProved("match/numbers in actions")
}
