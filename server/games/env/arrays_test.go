package env_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/server/games/env"
	"github.com/hexarena/hexarena/server/match"
)

// shared is a program that shares arrays, as its owner sees it.
type shared struct {
	t    *testing.T
	file *os.File
	in   io.WriteCloser
	out  *bufio.Reader
	at   map[string][2]int // offset and bytes of a match of each array
	all  []byte            // the memory, as read has found it
}

func share(t *testing.T, w *env.World, envs int) *shared {
	t.Helper()
	path := filepath.Join(t.TempDir(), "memory")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	inRead, in := io.Pipe()
	out, outWrite := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := env.Arrays(w, envs, path, inRead, outWrite)
		outWrite.CloseWithError(io.EOF)
		done <- err
	}()
	s := &shared{t: t, file: f, in: in, out: bufio.NewReader(out), at: map[string][2]int{}}
	line, err := s.out.ReadBytes('\n')
	if err != nil {
		t.Fatal(<-done)
	}
	var about struct {
		Arrays []struct {
			Name, Type string
			Shape      []int
			Offset     int
		}
	}
	if err := json.Unmarshal(line, &about); err != nil {
		t.Fatal(err)
	}
	for _, a := range about.Arrays {
		each := int(a.Type[1] - '0')
		for _, n := range a.Shape[1:] {
			each *= n
		}
		s.at[a.Name] = [2]int{a.Offset, each}
	}
	t.Cleanup(func() {
		in.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
		f.Close()
	})
	return s
}

// read reads the memory, from which of returns the part of a match in an array.
func (s *shared) read() {
	s.t.Helper()
	info, err := s.file.Stat()
	if err != nil {
		s.t.Fatal(err)
	}
	s.all = append(s.all[:0], make([]byte, info.Size())...)
	if _, err := s.file.ReadAt(s.all, 0); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shared) of(name string, env int) []byte {
	at := s.at[name]
	return s.all[at[0]+env*at[1]:][:at[1]]
}

func (s *shared) get(name string) []byte {
	s.t.Helper()
	b := make([]byte, s.at[name][1])
	if _, err := s.file.ReadAt(b, int64(s.at[name][0])); err != nil {
		s.t.Fatal(err)
	}
	return b
}

func (s *shared) set(name string, b []byte) {
	s.t.Helper()
	if _, err := s.file.WriteAt(b, int64(s.at[name][0])); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shared) command(c string) string {
	s.t.Helper()
	if _, err := io.WriteString(s.in, c); err != nil {
		s.t.Fatal(err)
	}
	b, err := s.out.ReadByte()
	if err != nil {
		s.t.Fatal(err)
	}
	if b == '.' {
		return ""
	}
	line, err := s.out.ReadString('\n')
	if err != nil {
		s.t.Fatal(err)
	}
	return line
}

// Random matches in arrays show, turn for turn, what the rules give for the same actions in JSON in
// the order of a server with the same seed.
func TestArraysAreTheRules(t *testing.T) {
	for _, tt := range []struct {
		line  string
		setup engine.Setup
	}{
		{"--map pebble", engine.Setup{Players: 2, Turns: 120}},
		{"--map pebble --rules draft", engine.Setup{Players: 2, Turns: 120}},
		{"--sudden-death", engine.Setup{Players: 4, Specials: 1, Turns: 120}},
	} {
		w := world(t, tt.line, tt.setup)
		s := share(t, w, 1)
		rnd := rand.New(rand.NewPCG(1, 2))
		for seed := range byte(thorough.Size(3, 100)) {
			s.set("seed", []byte{seed, 0, 0, 0, 0, 0, 0, 0})
			s.set("reset", []byte{1})
			if wrong := s.command("r"); wrong != "" {
				t.Fatal(wrong)
			}
			s.set("reset", []byte{0})
			tt.setup.Seed = uint64(seed)
			game := w.Instance.New()
			if _, err := game.Start(tt.setup); err != nil {
				t.Fatal(err)
			}
			game.Step(nil)
			players := tt.setup.Players + tt.setup.Specials
			order := match.NewShuffler(players)
			for steps := 1; steps < tt.setup.Turns; steps++ {
				s.compare(game, steps)
				state, _ := hexabomb.ParseState(game.AppendState(nil))
				codes, byID := s.draw(rnd, state, players)
				s.set("actions", codes)
				if wrong := s.command("s"); wrong != "" {
					t.Fatal(wrong)
				}
				inputs := make([]engine.Input, players)
				for p, rank := range order.Rank(tt.setup.Seed, steps) {
					inputs[rank] = engine.Input{Player: engine.PlayerID(p), Actions: byID[p]}
				}
				game.Step(inputs)
			}
			s.compare(game, tt.setup.Turns)
			if over := s.get("over")[0]; over != 2 {
				t.Fatalf("after the last turn over is %d, want 2", over)
			}
		}
	}
}

// draw returns random actions that may have an effect, as codes and as JSON by player.
func (s *shared) draw(rnd *rand.Rand, state *hexabomb.State, players int) ([]byte, [][]byte) {
	codes, mask := s.get("actions"), s.get("mask")
	each := len(codes) / players
	next, lists := make([]int, players), make([][]string, players)
	clear(codes)
	for _, c := range state.Characters {
		p := int(c.Color.Player())
		slot := p*each + next[p]
		next[p]++
		code := rnd.IntN(hexabomb.Codes)
		for mask[slot*hexabomb.Codes+code] == 0 {
			code = rnd.IntN(hexabomb.Codes)
		}
		codes[slot] = byte(code)
		switch {
		case code == 0:
		case code < 7:
			lists[p] = append(lists[p], fmt.Sprintf(`{"id":%d,"movement":"move","direction":"%v"}`, c.ID,
				hexgrid.Dirs[code-1]))
		case code < 16:
			lists[p] = append(lists[p], fmt.Sprintf(
				`{"id":%d,"movement":"bomb","bomb_range":%d,"bomb_delay":%d}`, c.ID, 2+(code-7)/3, 2+(code-7)%3))
		default:
			lists[p] = append(lists[p], fmt.Sprintf(
				`{"id":%d,"movement":"revive","revive_q":%d,"revive_r":%d}`, c.ID, c.Q, c.R))
		}
	}
	var byID [][]byte
	for _, list := range lists {
		byID = append(byID, []byte("["+strings.Join(list, ",")+"]"))
	}
	return codes, byID
}

// compare checks the arrays against a state.
func (s *shared) compare(game engine.Game, steps int) {
	s.t.Helper()
	state, err := hexabomb.ParseState(game.AppendState(nil))
	if err != nil {
		s.t.Fatal(err)
	}
	want := make([]byte, len(state.Cells)*hexabomb.CellBytes)
	at := map[hexgrid.Coord]int{}
	for i, c := range state.Cells {
		at[c.Coord] = i * hexabomb.CellBytes
		want[at[c.Coord]] = byte(c.Color)
	}
	for _, b := range state.Bombs {
		copy(want[at[b.Coord]+1:], []byte{byte(b.Color), byte(b.Delay), byte(b.Range)})
	}
	for _, c := range state.Characters {
		if c.Alive {
			want[at[c.Coord]+4] = byte(c.ID + 1)
		}
	}
	got := s.get("cells")
	if state.Explosions == nil { // states by the draft rules do not show them
		for i := 5; i < len(got); i += hexabomb.CellBytes {
			got[i] = 0
		}
	}
	for _, list := range state.Explosions {
		for _, c := range list {
			want[at[c]+5] = 1
		}
	}
	if turn := int(s.get("turn")[0]); !bytes.Equal(got, want) || turn != steps-1 {
		s.t.Fatalf("after %d steps turn %d shows %v, want %v", steps, turn, got, want)
	}
	scores := s.get("score")
	for p, score := range state.Score {
		if n := int(scores[8*p]) | int(scores[8*p+1])<<8 | int(scores[8*p+2])<<16; n != score {
			s.t.Fatalf("after %d steps player %d has the score %d, want %d", steps, p, n, score)
		}
	}
}

// Commands that make no sense are answered.
func TestArraysRefuse(t *testing.T) {
	s := share(t, world(t, "--map pebble", engine.Setup{Players: 2, Turns: 9}), 2)
	for _, tt := range []struct{ command, want string }{
		{"s", `"match 0: step: the match has not begun; reset it first"`},
		{"?", `"match 0: command '?' is unknown"`},
	} {
		if got := s.command(tt.command); strings.TrimSpace(got) != tt.want {
			t.Errorf("%s is answered by %s, want %s", tt.command, got, tt.want)
		}
	}
	s.set("reset", []byte{1, 1})
	if got := s.command("L"); !strings.Contains(got, "no position of the match was saved") {
		t.Errorf("load is answered by %s", got)
	}
	err := env.Arrays(world(t, "--map pebble", engine.Setup{Players: 2, Turns: 9}), 1, s.file.Name(),
		strings.NewReader(""), io.Discard)
	if err == nil || !strings.Contains(err.Error(), "the file is not empty") {
		t.Errorf("a file with something in it is shared: %v", err)
	}
}
