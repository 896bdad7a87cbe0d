package seating_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/seating"
	"github.com/hexarena/hexarena/server/servertest"
)

// stayAsChild plays all matches over one connection, or over its standard input and output, and
// notes each in a file. A word after the file says what it does wrong in its second match, or that
// it connects again in its first, or once more after it.
func stayAsChild(arg string, stdio bool) {
	file, fault, _ := strings.Cut(arg, " ")
	send, lines := stayingWire(stdio)
	login := fmt.Sprintf(`{"message_type":"LOGIN","nickname":%q,"role":"player","metaprotocol_version":"2.0.0","stay":true}`, os.Getenv("BOT_NICKNAME"))
	send(login)
	matches := 0
	for {
		var m struct {
			Type   string `json:"message_type"`
			Turn   int    `json:"turn_number"`
			Seed   uint64 `json:"seed"`
			Reason string `json:"kick_reason"`
		}
		if err := json.Unmarshal(lines(), &m); err != nil {
			os.Exit(5)
		}
		if m.Type == "GAME_STARTS" {
			matches++
			note(file, fmt.Sprintln(os.Getpid(), m.Seed, os.Getenv("BOT_SEED")))
		}
		switch {
		case m.Type == "KICK":
			note(file, m.Reason+"\n")
			os.Exit(0)
		case m.Type == "GAME_STARTS" && matches == 2 && fault == "leaves", m.Type == "GAME_ENDS" &&
			fault == "exits":
			os.Exit(0)
		case m.Type == "TURN" && m.Turn == 3 && matches == 2 && fault == "crashes":
			os.Exit(9)
		case m.Type == "TURN" && m.Turn == 3 && matches == 2 && fault == "hangs":
			hang()
		case m.Type == "TURN" && m.Turn == 3 && matches == 1 && fault == "reconnects":
			send, lines = stayingWire(false)
			send(login)
		case m.Type == "GAME_ENDS" && matches == 1 && fault == "connects twice":
			other, _ := stayingWire(false)
			other(login)
		case m.Type == "TURN":
			send(fmt.Sprintf(`{"message_type":"TURN_ACK","turn_number":%d,"actions":[]}`, m.Turn))
		}
	}
}

// stayingWire returns what sends a message to the server, and what returns the next one, nil at the
// end.
func stayingWire(stdio bool) (send func(message string), receive func() []byte) {
	if stdio {
		in := bufio.NewReader(os.Stdin)
		return func(message string) { fmt.Println(message) }, func() []byte {
			line, _ := in.ReadBytes('\n')
			return line
		}
	}
	conn, err := net.Dial("tcp", net.JoinHostPort(os.Getenv("BOT_HOST"), os.Getenv("BOT_PORT")))
	if err != nil {
		os.Exit(4)
	}
	in := bufio.NewReader(conn)
	return func(message string) {
			content := message + "\n"
			_, _ = conn.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(content))), content...))
		}, func() []byte {
			content, _ := netorcai.ReadFrame(in, nil, netorcai.Limit)
			return content
		}
}

// note appends a text to a file.
func note(file, text string) {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(text)
	}
	if err != nil {
		os.Exit(6)
	}
	_ = f.Close()
}

// A started bot that asks to stay plays match after match in one process, whichever way it is
// connected, with the seed of each. One that crashes or hangs in a match is started again for the
// next, and so is one that ends after each match.
func TestBotsStay(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	const matches = 3
	for _, tt := range []struct {
		fault     string
		status    result.Status // in the second match
		answers   int           // in it
		processes int
	}{
		{"", result.Held, 9, 1},
		{"crashes", result.Crashed, 3, 2},
		{"hangs", result.Held, 3, 2},
		{"leaves", result.Left, 0, 2},
		{"exits", result.Held, 9, matches},
	} {
		for _, way := range []string{"port", "own port", "stdio"} {
			t.Run(strings.TrimSpace(tt.fault+" by "+way), func(t *testing.T) {
				t.Parallel()
				file := t.TempDir() + "/notes"
				h, err := host.Open(host.Options{Bind: "127.0.0.1", StayingBots: 1, Log: zerolog.Nop()})
				if err != nil {
					t.Fatal(err)
				}
				limit := time.Minute
				if tt.fault == "hangs" {
					limit = 2 * time.Second // in which a busy machine answers the other turns
				}
				bot := seats(t, "(stays "+file+" "+tt.fault+")")[0]
				if way == "stdio" {
					bot.Stdio, bot.Argv = true, []string{os.Args[0], stdioWord, "stays " + file + " " + tt.fault}
				}
				for n := 1; n <= matches; n++ {
					bot.Seed = uint64(100 * n)
					r := open(t, Options{
						Seats: append(seats(t, "walker"), bot), Host: h, StaysOn: true, Pace: fast(limit),
						Options: seating.Options{Launch: seating.Launch{OwnPorts: way == "own port"}},
						Once:    seating.Once{Strict: true},
					}).Play(t.Context())
					s := r.Seats[1]
					status, answers := result.Held, 9
					if n == 2 {
						status, answers = tt.status, tt.answers
					}
					if r.Err != nil || s.Untraced || len(s.Remarks) > 0 {
						t.Fatalf("match %d: %+v, want the bot to play", n, r)
					}
					if tt.fault == "exits" && s.Resumed && s.Answers == 0 { // its end was not seen before
						n--
						continue
					}
					if s.Status != status || s.Answers != answers {
						t.Errorf("match %d: %s after %d answers, %s; want %s after %d", n, s.Status, s.Answers,
							s.Error, status, answers)
					}
				}
				h.Shutdown(t.Context())
				checkNotes(t, file, tt.processes)
			})
		}
	}
}

// A bot that stays, and whose turn to be seated comes when an operator has started the match, waits
// for the next one.
func TestStayingBotMissesAMatch(t *testing.T) {
	thorough.Long(t)
	t.Parallel()
	h, err := host.Open(host.Options{Bind: "127.0.0.1", StayingBots: 1, Log: zerolog.Nop()})
	if err != nil {
		t.Fatal(err)
	}
	file := t.TempDir() + "/notes"
	bot, mute := seats(t, "(stays "+file+")")[0], seats(t, "(mute)")[0]
	for n := 1; n <= 3; n++ {
		bot.Seed = uint64(100 * n)
		o := Options{Seats: append(seats(t, "walker"), bot), Host: h, StaysOn: true}
		var a *arena
		if n == 2 {
			o.Seats = append(seats(t, "walker"), mute, bot)
			o.Launch.Timeout = time.Millisecond
			o.Progress = func(s *seat.Spec, what string) {
				if s.Label != mute.Label {
					return
				}
				a.room.Match().Pause(true)
				if err := a.room.Match().Start(); err != nil {
					t.Error(err)
				}
			}
			o.Failed = func(s *seat.Spec, _ error) {
				if s.Label == bot.Label {
					a.room.Match().Pause(false)
				}
			}
		}
		a = open(t, o)
		r := a.Play(t.Context())
		s, want := r.Seats[len(r.Seats)-1], result.Held
		if n == 2 {
			want = result.Absent
		}
		if r.Err != nil || s.Status != want || s.Resumed != (n == 3) {
			t.Errorf("match %d: %s, %s, resumed: %v, %v; want it to be %s", n, s.Status, s.Error, s.Resumed,
				r.Err, want)
		}
	}
	h.Shutdown(t.Context())
	text, err := os.ReadFile(file)
	lines := strings.Fields(string(text))
	if err != nil || len(lines) < 6 || lines[0] != lines[3] || lines[1] != "100" ||
		lines[4] != "300" || !strings.HasSuffix(string(text), netorcai.KickFinished+"\n") {
		t.Errorf("the bot notes %q, %v, want the seeds 100 and 300 in one process, and the end", text,
			err)
	}
}

// A bot that stays, and connects again during a match, plays the next one in the same process.
func TestStayingBotReconnects(t *testing.T) {
	t.Parallel()
	h, err := host.Open(host.Options{Bind: "127.0.0.1", StayingBots: 1, Log: zerolog.Nop()})
	if err != nil {
		t.Fatal(err)
	}
	file := t.TempDir() + "/notes"
	bot := seats(t, "(stays "+file+" reconnects)")[0]
	for n := 1; n <= 2; n++ {
		bot.Seed = uint64(100 * n)
		r := open(
			t,
			Options{Seats: append(seats(t, "walker"), bot), Host: h, StaysOn: true, Reconnect: time.Minute},
		).Play(t.Context())
		if s := r.Seats[1]; r.Err != nil || s.Answers != 9 || s.Resumed != (n == 2) {
			t.Errorf("match %d: %d answers, resumed: %v, %v; want the bot to play on", n, s.Answers,
				s.Resumed, r.Err)
		}
	}
	h.Shutdown(t.Context())
	text, err := os.ReadFile(file)
	lines := strings.Fields(string(text))
	if err != nil || len(lines) < 9 || lines[0] != lines[3] || lines[3] != lines[6] ||
		lines[7] != "200" || !strings.HasSuffix(string(text), netorcai.KickFinished+"\n") {
		t.Errorf("the bot notes %q, %v, want three starts, the last with the seed 200, in one process, "+
			"and the end", text, err)
	}
}

// Another connection of a bot that stays takes no seat of a client.
func TestStayingBotConnectsTwice(t *testing.T) {
	t.Parallel()
	waits := make(chan struct{}, 100)
	h, err := host.Open(host.Options{Bind: "127.0.0.1", StayingBots: 1, Log: zerolog.Nop(), Hold: func() { waits <- struct{}{} }})
	if err != nil {
		t.Fatal(err)
	}
	bot := seats(t, "(stays "+t.TempDir()+"/notes connects twice)")
	first := open(t, Options{Seats: append(bot, seats(t, "walker")...), Host: h, StaysOn: true})
	first.Play(t.Context())
	wait := func(clients int) {
		for len(h.Waiting()) < clients {
			<-waits
		}
	}
	wait(1)
	guest := servertest.Dial(t, first.Addr().String())
	guest.Send(`{"message_type":"LOGIN","nickname":"guest","role":"player","metaprotocol_version":"2.0.0","stay":true}`)
	wait(2)
	second := open(
		t,
		Options{
			Seats: append(seats(t, "walker"), seat.Spec{Kind: seat.Open, Label: "open"}), Host: h,
			Pace: fast(10 * time.Millisecond),
		},
	)
	if s := second.Play(t.Context()).Seats[1]; s.Nickname != "guest" {
		t.Errorf("the open seat is that of %q", s.Nickname)
	}
}

// checkNotes checks the seeds of all matches, in how many processes they were played, and that the
// last one was told the end.
func checkNotes(t *testing.T, file string, processes int) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	lines, told := cutLast(lines, netorcai.KickFinished)
	if told != (processes < 3) {
		t.Errorf("whether the bot is told the end: %v", told)
	}
	var pids, seeds []string
	for _, line := range lines {
		words := strings.Fields(line)
		if !slices.Contains(pids, words[0]) {
			pids = append(pids, words[0])
			if words[1] != words[2] {
				t.Errorf("in its first match the seed is %s, and BOT_SEED %s", words[1], words[2])
			}
		}
		seeds = append(seeds, words[1])
	}
	if want := []string{"100", "200", "300"}; len(pids) != processes || !slices.Equal(seeds, want) {
		t.Errorf("%d processes had the seeds %q, want %d with %q", len(pids), seeds, processes, want)
	}
}

// Of the bots that stay, no more go on between matches than the host allows: the one that has
// waited longest is told to end.
func TestNoMoreBotsStay(t *testing.T) {
	thorough.Long(t)
	t.Parallel()
	h, err := host.Open(host.Options{Bind: "127.0.0.1", StayingBots: 2, Log: zerolog.Nop()})
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for n := range 4 {
		files = append(files, t.TempDir()+"/notes")
		bot := seats(t, "(stays "+files[n]+")")[0]
		bot.Label += strconv.Itoa(n)
		r := open(t, Options{
			Seats: append(seats(t, "walker"), bot), Host: h, StaysOn: true,
			Once: seating.Once{Strict: true},
		}).Play(t.Context())
		if r.Err != nil || r.Seats[1].Status != result.Held {
			t.Fatalf("match %d: %+v", n, r)
		}
	}
	for n, file := range files {
		text, err := os.ReadFile(file)
		if told := strings.HasSuffix(string(text), netorcai.KickFinished+"\n"); err != nil ||
			told != (n < 2) {
			t.Errorf("bot %d was told to end: %v, %v", n, told, err)
		}
	}
	h.Shutdown(t.Context())
}

// A host on which no bots stay ends them after each match.
func TestNoBotsStay(t *testing.T) {
	thorough.Long(t)
	t.Parallel()
	file := t.TempDir() + "/notes"
	r := play(context.Background(), t,
		Options{Seats: append(seats(t, "walker"), seats(t, "(stays "+file+")")...), Seed: 5})
	text, err := os.ReadFile(file)
	want := fmt.Sprint(seat.Seed(5, 1), " ", seat.Seed(5, 1), "\n", netorcai.KickFinished, "\n")
	if err != nil || r.Seats[1].Status != result.Held || !strings.HasSuffix(string(text), want) {
		t.Errorf("the bot notes %q, %v, want %q at the end", text, err, want)
	}
}

// cutLast returns the lines without the last one, if that has the given text.
func cutLast(lines []string, text string) (rest []string, cut bool) {
	if last := len(lines) - 1; lines[last] == text {
		return lines[:last], true
	}
	return lines, false
}
