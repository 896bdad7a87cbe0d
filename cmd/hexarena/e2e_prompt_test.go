package main

import (
	"fmt"
	"strings"
)

func promptCases() []e2eCase {
	return []e2eCase{
		{"prompt: lines", []string{
			"prompt/print a variable", "prompt/print all", "prompt/set with =", "prompt/set with a space",
			"prompt/set no number",
			"prompt/set out of range", "prompt/print an unknown variable", "prompt/set an unknown variable",
			"prompt/malformed start",
			"prompt/malformed quit", "prompt/malformed print", "prompt/malformed set",
			"prompt/malformed set, second line",
			"prompt/anything else", "prompt/white space behind a command", "prompt/longest variable",
			"prompt/longest line", "prompt/white space around a line", "prompt/no prompt characters",
			"prompt/quit", "exit/0: quit",
		}, playPromptLines},
		{"prompt: start", []string{
			"prompt/start", "prompt/start without a game logic", "prompt/start a second time",
			"prompt/set during a match",
		}, playPromptStart},
		{"prompt: end of input", []string{"prompt/end of input"}, playEndOfInput},
		{"prompt: quiet", []string{"prompt/quiet"}, playQuietPrompt},
	}
}

const variableNames = "nb-turns-max nb-players-max nb-splayers-max nb-visus-max delay-first-turn " +
	"delay-turns"

func playPromptLines(s *netorcaiRun) {
	s.open()
	// reply is an input line and the row whose text it prints.
	reply := func(line, id string, args ...any) {
		s.Helper()
		s.expectReply(line, fmt.Sprintf(rowText(id), args...))
		s.markProved(id)
	}
	reply("print nb-turns-max", "prompt/print a variable", "nb-turns-max", "100")
	s.expectReply("print all", "nb-turns-max=100", "nb-players-max=4", "nb-splayers-max=0",
		"nb-visus-max=1", "delay-first-turn=1000", "delay-turns=1000")
	for _, o := range numbers[1:] {
		least := strings.Replace(o.least, "0", "1", 1) // there has to be a player
		if strings.HasPrefix(o.name, "delay") {
			least = o.least
		}
		s.typeLines("set " + o.name + "=" + least)
		reply("print "+o.name, "prompt/print a variable", o.name, least)
		s.typeLines("set " + o.name + " " + o.most)
		reply("print "+o.name, "prompt/print a variable", o.name, o.most)
		lowest := o.least
		if o.name == "nb-players-max" {
			lowest = "1"
			reply("set nb-players-max=0", "prompt/set out of range", "0", "1", "1024")
		}
		reply("set "+o.name+"="+o.below, "prompt/set out of range", o.below, lowest, o.most)
		reply("set "+o.name+" "+o.above, "prompt/set out of range", o.above, lowest, o.most)
	}
	s.markProved("prompt/print all", "prompt/set with =", "prompt/set with a space")
	s.typeLines("set delay-turns=50.50", "set nb-turns-max=0x10", "set nb-visus-max 010")
	reply("print delay-turns", "prompt/print a variable", "delay-turns", "50.5")
	reply("print nb-turns-max", "prompt/print a variable", "nb-turns-max", "16")
	reply("print nb-visus-max", "prompt/print a variable", "nb-visus-max", "8")
	reply("set delay-turns=1e5", "prompt/set out of range", "100000", "50", "10000")
	reply("set nb-turns-max=0x10000", "prompt/set out of range", "65536", "1", "65535")
	const syntax, tooLong = "invalid syntax", "value out of range"
	reply("set nb-turns-max=1.5", "prompt/set no number", "1.5", "ParseInt", syntax)
	reply("set nb-visus-max=many", "prompt/set no number", "many", "ParseInt", syntax)
	reply("set nb-visus-max=9999999999999999999", "prompt/set no number", "9999999999999999999",
		"ParseInt", tooLong)
	reply("set delay-turns=1s", "prompt/set no number", "1s", "ParseFloat", syntax)
	reply("set delay-turns=1e999", "prompt/set no number", "1e999", "ParseFloat", tooLong)
	reply("print speed", "prompt/print an unknown variable", "speed", variableNames)
	reply("print port", "prompt/print an unknown variable", "port", variableNames)
	reply("set speed=3", "prompt/set an unknown variable", "speed", variableNames)
	reply("set all 3", "prompt/set an unknown variable", "all", variableNames)
	for _, line := range []string{"starting", "start now", "start  x"} {
		reply(line, "prompt/malformed start")
	}
	for _, line := range []string{"quit now", "quitting"} {
		reply(line, "prompt/malformed quit")
	}
	for _, line := range []string{"print", "print all all", "printall", "print\u00a0all"} {
		reply(line, "prompt/malformed print")
	}
	for _, line := range []string{
		"set", "set delay-turns", "set a = 5", "set delay-turns  5", "set a 5 6", "settings",
	} {
		s.expectReply(line, rowText("prompt/malformed set"), rowText("prompt/malformed set, second line"))
	}
	s.markProved("prompt/malformed set", "prompt/malformed set, second line")
	s.typeLines("set  nb-visus-max=9")
	reply("print  nb-visus-max", "prompt/print a variable", "nb-visus-max", "9")
	s.typeLines("set\tnb-visus-max\t10")
	reply("print \t nb-visus-max", "prompt/print a variable", "nb-visus-max", "10")
	s.markProved("prompt/white space behind a command")
	reply("set nb-turns-max==11", "prompt/set an unknown variable", "nb-turns-max=", variableNames)
	reply("set nb-turns-max=11=12", "prompt/set an unknown variable", "nb-turns-max=11", variableNames)
	reply("set nb_turns_max=11", "prompt/set an unknown variable", "nb_turns_max", variableNames)
	s.markProved("prompt/longest variable")
	long := strings.Repeat("x", 64<<10-len("print "))
	reply("print "+long, "prompt/print an unknown variable", long, variableNames)
	s.markProved("prompt/longest line")
	s.typeLines("", "   ", "hello", "help", "Start", "\x00 all", "日本語", strings.Repeat("x", 100000),
		strings.Repeat("quit ", 20000))
	s.markProved("prompt/anything else")
	reply(" \t print nb-turns-max \r", "prompt/print a variable", "nb-turns-max", "16")
	// each reply was a whole line
	s.markProved("prompt/white space around a line", "prompt/no prompt characters")
	s.typeLines("quit")
	if line := s.nextLine(); !strings.Contains(line, rowText("prompt/quit")) {
		s.Errorf("after quit: %q", line)
	}
	s.markProved("prompt/quit")
	s.expectExitRow("exit/0: quit")
}

func playPromptStart(s *netorcaiRun) {
	s.open("--nb-turns-max=3", "--delay-first-turn=50", "--delay-turns=10000")
	s.expectReply("start", rowText("prompt/start without a game logic"))
	s.markProved("prompt/start without a game logic")
	logic, player := s.logic(), s.player()
	s.waitLine("New player accepted")
	s.typeLines("set nb-turns-max=2")
	s.begin(logic)
	s.waitLine("Starting game")
	s.markProved("prompt/start")
	s.expectReply("start", rowText("prompt/start a second time"))
	s.markProved("prompt/start a second time")
	if m := player.Expect("GAME_STARTS"); m.TurnsMax != 2 {
		s.Errorf("nb_turns_max = %d, want 2", m.TurnsMax)
	}
	logic.Expect("DO_TURN")
	s.expectReply("print delay-turns", "delay-turns=10000")
	s.typeLines("set delay-turns=50") // from the next turn on; otherwise this test takes 10 s
	s.expectReply("print delay-turns", "delay-turns=50")
	logic.AckTurn(-1, "{}")
	turn(logic, 2)
	player.Until("GAME_ENDS")
	s.finish(player, logic)
	s.markProved("prompt/set during a match")
}

func playEndOfInput(s *netorcaiRun) {
	s.open("--nb-turns-max=1", "--autostart", "--fast", "--nb-players-max=1", "--nb-visus-max=0")
	s.stdin.Close()
	logic, player := s.logic(), s.player()
	logic.Expect("DO_INIT")
	logic.AckInit("{}")
	turn(logic, 1)
	player.Until("GAME_ENDS")
	s.finish(player, logic)
	s.markProved("prompt/end of input")
}

func playQuietPrompt(s *netorcaiRun) {
	port := freePort(s.T)
	s.process = start(s.T, program(s.T, "netorcai", "--quiet", "--port", fmt.Sprint(port)))
	s.expectReply("print nb-visus-max", "nb-visus-max=1")
	s.expectReply("start", rowText("prompt/start without a game logic"))
	s.typeLines("quit")
	if line := s.nextLine(); !strings.Contains(line, rowText("prompt/quit")) {
		s.Errorf("after quit: %q", line)
	}
	s.expectExit(0)
	s.markProved("prompt/quiet")
}
