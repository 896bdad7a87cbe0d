package netorcai

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
)

// step is one line of a conversation, an action of the server.
type step struct {
	verb string // C: expect from the client; S: send; raw: send without a frame; close
	text string
}

// conversation is a file of testdata/conversations.
type conversation struct {
	steps []step
	bot   []string // the expected calls of the bot
	want  string   // "ok", or the error of NewClient or Play
}

func readConversation(t *testing.T, path string) (c conversation) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		verb, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch verb {
		case "C", "S", "raw", "close":
			c.steps = append(c.steps, step{verb, rest})
		case "bot":
			c.bot = append(c.bot, rest)
		case "=":
			c.want = rest
		case "#":
		default:
			t.Fatalf("%s: what is %q?", path, line)
		}
	}
	return c
}

// login returns the LOGIN that the conversation expects first.
func (c conversation) login(t *testing.T) Login {
	t.Helper()
	var m struct{ Nickname, Role string }
	if err := json.Unmarshal([]byte(c.steps[0].text), &m); err != nil {
		t.Fatal(err)
	}
	return Login{Nickname: m.Nickname, Role: Role(m.Role)}
}

// hold plays the server's side of a conversation over conn.
func hold(conn net.Conn, steps []step) error {
	in := bufio.NewReader(conn)
	for _, s := range steps {
		var out []byte
		switch s.verb {
		case "C":
			content, err := ReadFrame(in, nil, Limit)
			if err != nil {
				return fmt.Errorf("waiting for %s: %w", s.text, err)
			}
			if !sameJSON(content, []byte(s.text)) {
				return fmt.Errorf("the client sends %s, want %s", content, s.text)
			}
			continue
		case "S":
			out = frameOf(s.text + "\n")
		case "raw":
			text, err := strconv.Unquote(s.text)
			if err != nil {
				return err
			}
			out = []byte(text)
		case "close":
			return conn.Close()
		}
		if _, err := conn.Write(out); err != nil {
			return fmt.Errorf("sending %s: %w", s.text, err)
		}
	}
	_, err := in.ReadByte() // the client must close the connection
	if err == nil {
		return fmt.Errorf("the client continues to send")
	}
	return conn.Close()
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// diary is a bot that records its calls. It fails at turn failAt, or at the start if that
// is -1.
type diary struct {
	silent bool // answers without actions
	failAt int
	lines  []string
}

func (d *diary) note(format string, args ...any) {
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
}

func (d *diary) Start(m GameStarts) error {
	d.note("start: player %d of %d, %d turns, %v ms, %v ms, %s "+
		"%s", m.PlayerID, m.NbPlayers, m.NbTurnsMax,
		m.BeforeFirstTurn, m.BetweenTurns, m.State, m.PlayersInfo)
	if d.failAt == -1 {
		return errDiary
	}
	return nil
}

func (d *diary) Turn(m Turn) ([]byte, error) {
	d.note("turn %d: %s %s", m.Number, m.State, m.PlayersInfo)
	if d.failAt == m.Number {
		return nil, errDiary
	}
	if d.silent {
		return nil, nil
	}
	return json.Marshal([]map[string]int{{"saw": m.Number}})
}

func (d *diary) End(m GameEnds) { d.note("end: %d %s", m.WinnerPlayerID, m.State) }

// serve accepts one connection and runs script on it. The returned function waits for the
// script and returns its error; it must be called.
func serve(t *testing.T, script func(net.Conn) error) (addr string, wait func() error) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		defer l.Close()
		conn, err := l.Accept()
		if err != nil {
			done <- err
			return
		}
		defer conn.Close()
		done <- script(conn)
	}()
	return l.Addr().String(), func() error { l.Close(); return <-done }
}

// testContext returns a context that ends a test that hangs.
func testContext(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func TestGoldenConversations(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "conversations", "*.txt"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no conversations: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			c := readConversation(t, path)
			addr, wait := serve(t, func(conn net.Conn) error { return hold(conn, c.steps) })
			login := c.login(t)
			bot := &diary{silent: login.Role == RoleVisualization, failAt: -2}
			ctx := testContext(t)
			client, err := Dial(ctx, addr, login)
			if err == nil {
				err = client.Play(ctx, bot)
				client.Close()
			}
			if got := errorText(err); got != c.want {
				t.Errorf("the client ends with %s, want %s", got, c.want)
			}
			if err := wait(); err != nil {
				t.Errorf("the server: %v", err)
			}
			if !reflect.DeepEqual(bot.lines, c.bot) {
				t.Errorf("the bot's calls are\n%s\nwant\n%s", strings.Join(bot.lines, "\n"),
					strings.Join(c.bot, "\n"))
			}
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return "ok"
	}
	return err.Error()
}
