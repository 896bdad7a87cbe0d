package netorcai

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"net"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

func TestCheckDebug(t *testing.T) {
	padded := func(size int) string {
		const head, tail = `{"text":"`, `"}`
		return head + strings.Repeat("x", size-len(head)-len(tail)) + tail
	}
	tests := []struct {
		debug string
		want  string // beginning of the error, empty if it is fine
	}{
		{`{}`, ""},
		{`{"text":"a \"line\"\nand another","cells":[],"values":{}}`, ""},
		{`{"cells":[{"q":-1,"r":2.0,"color":"#f00","label":"!"},{"r":0,"q":0}],"values":{"a":1,"b":-2.5e3}}`, ""},
		{`{"cells":[{"q":1,"r":2,"shape":"arrow","to_q":-1,"to_r":0,"layer":"plan"},{"q":0,"r":0,"shape":"later"}]}`, ""},
		{`{"cells":[{"q":0,"r":0,"shape":1}]}`, "debug: cells[0]: shape is not a string"},
		{`{"cells":[{"q":0,"r":0,"layer":[]}]}`, "debug: cells[0]: layer is not a string"},
		{`{"cells":[{"q":0,"r":0,"to_q":"1"}]}`, "debug: cells[0]: to_q is not an integer"},
		{`{"te\u0078t":"\u0000","later":[1,{"q":null}]}`, ""},
		{padded(DebugLimit), ""},
		{padded(DebugLimit + 1), "debug has 4097 bytes, the limit is 4096"},
		{`[]`, "debug is not an object"},
		{`"text"`, "debug is not an object"},
		{`{"text":7}`, "debug: text is not a string"},
		{`{"text":"","te\u0078t":7}`, "debug: text is not a string"},
		{`{"cells":{}}`, "debug: cells is not an array"},
		{`{"cells":[7]}`, "debug: cells[0]: q and r are not both integers"},
		{`{"cells":[{"q":0,"r":0},{"q":1}]}`, "debug: cells[1]: q and r are not both integers"},
		{`{"cells":[{"q":0,"r":1e99}]}`, "debug: cells[0]: q and r are not both integers"},
		{`{"cells":[{"q":0,"r":0.5}]}`, "debug: cells[0]: q and r are not both integers"},
		{`{"cells":[{"q":0,"r":0,"color":16711680}]}`, "debug: cells[0]: color is not a string"},
		{`{"cells":[{"q":0,"r":0,"label":1}]}`, "debug: cells[0]: label is not a string"},
		{`{"values":[1]}`, "debug: values is not an object"},
		{`{"values":{"a":1,"b":"2"}}`, `debug: values: "b" is not a number`},
	}
	for _, tt := range tests {
		v, err := jsonscan.Parse([]byte(tt.debug))
		if err != nil {
			t.Fatal(err)
		}
		err = CheckDebug(v)
		if got := fmt.Sprint(err); (err != nil || tt.want != "") && got != tt.want {
			t.Errorf("CheckDebug(%.80s) = %v, want %q", tt.debug, err, tt.want)
		}
		if tt.want != "" {
			continue
		}
		if n := testing.AllocsPerRun(20, func() { _ = CheckDebug(v) }); n > 0 &&
			!strings.Contains(tt.debug, `\u`) {
			t.Errorf("CheckDebug(%.80s) allocates %v times", tt.debug, n)
		}
	}
}

// TestDebugOfTurnAck checks that an answer counts whatever its debug holds.
func TestDebugOfTurnAck(t *testing.T) {
	for debug, want := range map[string]string{
		`,"debug":{"text":"x"}`:             `{"text":"x"}`,
		`,"debug": 7 `:                      `7`,
		`,"debug":null`:                     ``,
		``:                                  ``,
		`,"Debug":{}`:                       ``,
		`,"debug":{},"debug":[{"q":1.5}]`:   `[{"q":1.5}]`,
		`,"deb\u0075g":{"text":"escaped!"}`: `{"text":"escaped!"}`,
	} {
		m, err := ParseTurnAck([]byte(`{"message_type":"TURN_ACK","turn_number":3,"actions":[1]`+debug+"}\n"), 3)
		if err != nil || m.Turn != 3 || string(m.Actions) != "[1]" || string(m.Debug) != want {
			t.Errorf("with %s: %+v, %v; want debug %s", debug, m, err, want)
		}
	}
	if m, err := ParseTurnAck([]byte(`{"message_type":"TURN_ACK","turn_number":4,"actions":[],"debug":{}}`), 3); err == nil || m.Debug != nil {
		t.Errorf("an answer to another turn: %+v, %v; want an error", m, err)
	}
}

// talker is a bot with debug output in every second turn.
type talker struct {
	diary
	debug Debug
	turn  int
}

func (b *talker) Turn(m Turn) ([]byte, error) {
	b.turn = m.Number
	return b.diary.Turn(m)
}

func (b *talker) Debug() Debug {
	if b.turn%2 > 0 {
		return Debug{}
	}
	return b.debug
}

func TestClientShowsDebug(t *testing.T) {
	d := Debug{
		Text: "a \"line\"\n\x00",
		Cells: []DebugCell{
			{Q: -1, R: 2, Color: "#f00", Label: "é"}, {}, {Q: 1, Shape: "arrow", ToR: -2, Layer: "plan"},
		},
		Values: map[string]float64{"z": 0.5, "a": -3, "none": math.NaN(), "endless": math.Inf(1)},
	}
	want := []string{
		`,"debug":{"text":"a \"line\"\u000a\u0000","cells":[{"q":-1,"r":2,"color":"#f00","label":"é"},{"q":0,"r":0},{"q":1,"r":0,"shape":"arrow","to_q":0,"to_r":-2,"layer":"plan"}],` +
			`"values":{"a":-3,"z":0.5}}}`,
		`[{"saw":1}]}`,
	}
	addr, wait := serve(t, func(conn net.Conn) error {
		in := bufio.NewReader(conn)
		if _, err := ReadFrame(in, nil, FirstLimit); err != nil {
			return err
		}
		for _, content := range []string{loginAck, gameStarts} {
			if _, err := conn.Write(frameOf(content + "\n")); err != nil {
				return err
			}
		}
		for turn := range want {
			if _, err := conn.Write(frameOf(fmt.Sprintf(`{"message_type":"TURN","turn_number":%d,"game_state":{},"players_info":[]}`, turn) + "\n")); err != nil {
				return err
			}
			content, err := ReadFrame(in, nil, Limit)
			if err != nil {
				return err
			}
			m, err := ParseTurnAck(content, turn)
			if err != nil || m.Debug != nil && CheckDebug(m.Debug) != nil ||
				!strings.HasSuffix(string(content), want[turn]+"\n") {
				return fmt.Errorf("turn %d: %s, %w; want …%s", turn, content, err, want[turn])
			}
		}
		_, err := conn.Write(frameOf(gameEnds + "\n"))
		return err
	})
	c, err := Dial(testContext(t), addr, Login{Nickname: "ada", Role: RolePlayer})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Play(testContext(t), &talker{debug: d, diary: diary{failAt: -2}}); err != nil {
		t.Error(err)
	}
	c.Close()
	if err := wait(); err != nil {
		t.Error(err)
	}
}

func FuzzDebug(f *testing.F) {
	for _, debug := range []string{
		`{"text":"x","cells":[{"q":1,"r":-2,"color":"red","label":"7"}],"values":{"a":1.5}}`,
		`{"cells":[{"q":1e3,"r":[]}]}`, `{"values":{"":-0}}`, `{"te\u0078t":null}`, `[]`,
	} {
		f.Add([]byte(debug))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := jsonscan.Parse(text)
		if err != nil || CheckDebug(v) != nil {
			return
		}
		if len(v) > DebugLimit {
			t.Errorf("CheckDebug accepts %d bytes", len(v))
		}
		// Maps, because encoding/json ignores the case of struct fields' names.
		var shown, cell map[string]json.RawMessage
		var cells []json.RawMessage
		var values map[string]*float64
		var sent, color, label *string
		var q, r *float64
		read := func(from json.RawMessage, into any) {
			if from == nil {
				return
			}
			if err := json.Unmarshal(from, into); err != nil {
				t.Errorf("CheckDebug accepts %s, which encoding/json refuses: %v", v, err)
			}
		}
		read(json.RawMessage(v), &shown)
		read(shown["text"], &sent)
		read(shown["values"], &values)
		read(shown["cells"], &cells)
		for _, c := range cells {
			cell = nil
			read(c, &cell)
			read(cell["q"], &q)
			read(cell["r"], &r)
			read(cell["color"], &color)
			read(cell["label"], &label)
		}
	})
}
