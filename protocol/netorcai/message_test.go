package netorcai

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// decoders run each decoder and return what it finds, in the order in which it checks. The
// expected answer is to TURN 3, in a match of four players.
var decoders = map[string]func(content []byte) ([]any, error){
	"LOGIN": func(b []byte) ([]any, error) {
		m, err := ParseLogin(b)
		return []any{m.Nickname, string(m.Role), m.Version}, err
	},
	"LOGIN_ACK": func(b []byte) ([]any, error) {
		version, err := ParseLoginAck(b)
		return []any{version}, err
	},
	"KICK": func(b []byte) ([]any, error) {
		reason, err := ParseKick(b)
		return []any{reason}, err
	},
	"GAME_STARTS": func(b []byte) ([]any, error) {
		m, err := ParseGameStarts(b)
		return []any{
			m.PlayerID, m.NbPlayers, m.NbSpecialPlayers, m.NbTurnsMax,
			m.BeforeFirstTurn, m.BetweenTurns, m.State, m.PlayersInfo,
		}, err
	},
	"TURN": func(b []byte) ([]any, error) {
		m, err := ParseTurn(b)
		return []any{m.Number, m.State, m.PlayersInfo}, err
	},
	"TURN_OVER": func(b []byte) ([]any, error) {
		turn, err := ParseTurnOver(b)
		return []any{turn}, err
	},
	"TURN_ACK": func(b []byte) ([]any, error) {
		m, err := ParseTurnAck(b, 3)
		return []any{m.Turn, m.Actions}, err
	},
	"GAME_ENDS": func(b []byte) ([]any, error) {
		m, err := ParseGameEnds(b)
		return []any{m.WinnerPlayerID, m.State}, err
	},
	"DO_INIT": func(b []byte) ([]any, error) {
		m, err := ParseDoInit(b)
		return []any{m.NbPlayers, m.NbSpecialPlayers, m.NbTurnsMax}, err
	},
	"DO_INIT_ACK": func(b []byte) ([]any, error) {
		m, err := ParseDoInitAck(b, 4)
		return []any{m.State}, err
	},
	"DO_TURN": func(b []byte) (list []any, err error) {
		players, err := ParseDoTurn(b)
		for _, p := range players {
			list = append(list, p.PlayerID, p.Turn, p.Actions)
		}
		return list, err
	},
	"DO_TURN_ACK": func(b []byte) ([]any, error) {
		m, err := ParseDoTurnAck(b, 4)
		return []any{m.WinnerPlayerID, m.State}, err
	},
}

// describe formats values on one line.
func describe(values []any) string {
	line := "="
	for _, v := range values {
		switch v := v.(type) {
		case string:
			line += fmt.Sprintf(" %q", v)
		case jsonscan.Value:
			line += " " + string(v)
		default:
			line += fmt.Sprintf(" %v", v)
		}
	}
	return line
}

// golden is one entry of a file in testdata/messages.
type golden struct {
	content string
	want    string // "= values" or "! error"
}

func (g golden) good() bool { return strings.HasPrefix(g.want, "=") }

// goldens reads testdata/messages/NAME.txt.
func goldens(t testing.TB, name string) []golden {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "messages", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	var list []golden
	content, begun := "", false
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		line := lines.Text()
		switch {
		case begun:
			list = append(list, golden{content, line})
			begun = false
		case line == "" || line[0] == '#':
		case strings.HasPrefix(line, "go:"):
			if content, err = strconv.Unquote(line[len("go:"):]); err != nil {
				t.Fatalf("%s: %s: %v", name, line, err)
			}
			begun = true
		default:
			content, begun = line, true
		}
	}
	return list
}

func TestGoldenMessages(t *testing.T) {
	for name, decode := range decoders {
		t.Run(name, func(t *testing.T) {
			for _, g := range goldens(t, name) {
				values, err := decode([]byte(g.content))
				got := describe(values)
				if err != nil {
					got = "! " + strings.ReplaceAll(err.Error(), "\n", `\n`)
				}
				if got != g.want {
					t.Errorf("decoding %q\n got %s\nwant %s", g.content, got, g.want)
				}
			}
		})
	}
}

// TestTruncatedMessages cuts every valid message at every length.
func TestTruncatedMessages(t *testing.T) {
	for name, decode := range decoders {
		for _, g := range goldens(t, name) {
			if !g.good() {
				continue
			}
			whole := strings.TrimSpace(g.content)
			for n := range len(whole) {
				if _, err := decode([]byte(whole[:n])); !errors.Is(err, ErrNotJSON) {
					t.Fatalf("%s cut to %q: error = %v, want %v", name, whole[:n], err, ErrNotJSON)
				}
			}
		}
	}
}

func TestNestingLimits(t *testing.T) {
	for depth, good := range map[int]bool{64: true, 500: true, 10_001: false, 1 << 20: false} {
		content := fmt.Sprintf(`{"message_type":"TURN_ACK","turn_number":0,"actions":%s%s}`,
			strings.Repeat("[", depth), strings.Repeat("]", depth))
		if _, err := ParseTurnAck([]byte(content), 0); (err == nil) != good {
			t.Errorf("ParseTurnAck of %d levels: error = %v, want good = %v", depth, err, good)
		}
	}
}

// TestErrorsStayShort checks that the parts of errors that repeat a peer's text are cut.
func TestErrorsStayShort(t *testing.T) {
	long := strings.Repeat("é", 1<<20)
	_, err := ParseTurnAck([]byte(`{"message_type":"`+long+`"}`), 0)
	if err == nil || len(err.Error()) > maxQuoted+100 ||
		!strings.HasSuffix(err.Error(), "é…' message type, while TURN_ACK was expected") {
		t.Errorf("ParseTurnAck of a long type: error of %d bytes, want a shortened text",
			len(fmt.Sprint(err)))
	}
	frame := AppendKick(nil, long)
	reason, err := ParseKick(frame[headerSize:])
	if err != nil || len(reason) > maxReason || !strings.HasSuffix(reason, "é…") {
		t.Errorf("AppendKick of a long reason: %d bytes, error %v, want a shortened text", len(reason),
			err)
	}
}

func TestParsePlayersInfo(t *testing.T) {
	players, err := ParsePlayersInfo([]byte(`[{"player_id":0,"nickname":"ada","remote_address":"[::1]:9","is_connected":false},` +
		`{"is_connected":true,"remote_address":"","nickname":"\u00e9","player_id":1}]`))
	want := []PlayerInfo{{0, "ada", "[::1]:9", false}, {1, "é", "", true}}
	if err != nil || fmt.Sprint(players) != fmt.Sprint(want) {
		t.Errorf("ParsePlayersInfo = %v, %v, want %v", players, err, want)
	}
	for text, want := range map[string]string{
		``:                  "Non-array value for field 'players_info'",
		`{}`:                "Non-array value for field 'players_info'",
		`[null]`:            "Field 'player_id' is missing",
		`[{"player_id":0}]`: "Field 'nickname' is missing",
		`[{"player_id":0,"nickname":"","remote_address":"","is_connected":1}]`: "Non-boolean value for field 'is_connected'",
	} {
		if _, err := ParsePlayersInfo([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("ParsePlayersInfo(%s) error = %v, want %s", text, err, want)
		}
	}
}

func TestReasons(t *testing.T) {
	_, missing := ParseTurnAck([]byte(`{}`), 0)
	_, other := ParseTurnAck([]byte(`{"message_type":"X"}`), 0)
	_, late := ParseTurnAck([]byte(`{"message_type":"TURN_ACK","turn_number":0}`), -1)
	broken := &ReadError{errors.New("connection reset")}
	huge := &SizeError{Size: 1 << 24, Limit: Limit}
	tests := []struct{ got, want string }{
		{TurnAckReason(missing), "Invalid TURN_ACK received. Field 'message_type' is missing"},
		{TurnAckReason(other), "Invalid TURN_ACK received. Received 'X' message type, while TURN_ACK " +
			"was expected"},
		{TurnAckReason(late), "Invalid TURN_ACK received. Invalid value (turn_number=0): expecting -1"},
		{TurnAckReason(ErrNotJSON), "Cannot read TURN_ACK. Non-JSON message received"},
		{TurnAckReason(huge), "Cannot read TURN_ACK. Received message size is too big: 16777216 does " +
			"not fit in 24 bits"},
		{
			TurnAckReason(&SizeError{Size: 2010, Limit: 2000}),
			"Cannot read TURN_ACK. Received message size is too big: more than 2000 bytes",
		},
		{TurnAckReason(
			&DepthError{512}), "Cannot read TURN_ACK. Message nested too deeply: more than 512 levels"},
		{TurnAckReason(broken), "Cannot read TURN_ACK. Remote endpoint closed? Read error: connection " +
			"reset"},
		{DoInitAckReason(missing), "Invalid DO_INIT_ACK message. Field 'message_type' is missing"},
		{DoInitAckReason(ErrNotJSON), "Cannot read DO_INIT_ACK. Non-JSON message received"},
		{DoTurnAckReason(
			fmt.Errorf("%w", missing)), "Invalid DO_TURN_ACK message. Field 'message_type' is missing"},
		{DoTurnAckReason(broken), "Cannot read DO_TURN_ACK. Remote endpoint closed? Read error: " +
			"connection reset"},
		{
			KickFirstMessage + (&SizeError{Size: 1024, Limit: FirstLimit}).Error(),
			"Invalid first message: Received message size of first message is too big: 1024 does not fit " +
				"in 10 bits",
		},
		{KickSendTurn + ErrTooBig.Error(), "Cannot send TURN. content too big: size does not fit in 24 " +
			"bits"},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("reason = %s, want %s", test.got, test.want)
		}
	}
}
