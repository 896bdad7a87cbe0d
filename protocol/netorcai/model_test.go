package netorcai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/protocol/jsonscan"
	"github.com/hexarena/hexarena/protocol/netorcai/model"
)

// readModel reads model.json, which these tests hold to the code.
func readModel(t testing.TB) *model.Model {
	t.Helper()
	m, err := model.Read(os.DirFS("../.."), model.Protocol)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A debug and a view with all fields.
var (
	wholeDebug = Debug{
		Text: "x", Cells: []DebugCell{{1, 2, "#fff", "!", "arrow", 3, 4, "plan"}},
		Values: map[string]float64{"v": 1.5},
	}
	wholeMarks = Marks{"q", "r", "color", "id"}
	wholeView  = View{"/cells", wholeMarks, []Pieces{{"/pieces", wholeMarks, "alive"}}, "/score", Flat}
)

// complete returns every message with all of its fields, as it is encoded. decoders accept them.
func complete(t *testing.T) map[string][]byte {
	t.Helper()
	info := AppendPlayersInfo(nil, samplePlayers)
	debug := AppendDebug(nil, &wholeDebug)
	state := []byte(sampleState)
	messages := map[string][]byte{}
	add := func(name string, frame []byte, err error) {
		if err != nil {
			t.Fatal(err)
		}
		messages[name] = frame[headerSize:]
	}
	frame, err := AppendLogin(nil,
		Login{"ada", RolePlayer, Version, "t", true, "sha256:9f", "Go", true, true, false})
	add("LOGIN", frame, err)
	add("LOGIN_ACK", AppendLoginAck(nil), nil)
	add("KICK", AppendKick(nil, KickFinished), nil)
	frame, err = AppendGameStarts(nil, GameStarts{2, 4, 1, 100, 1000, 62.5, state, info, 7, MaxSeed})
	add("GAME_STARTS", frame, err)
	frame, err = AppendTurn(nil, 3, state, info)
	add("TURN", frame, err)
	add("TURN_OVER", AppendTurnOver(nil, 3), nil)
	frame, err = AppendTurnAck(nil, 3, []byte(sampleActions), debug)
	add("TURN_ACK", frame, err)
	frame, err = AppendGameEnds(nil, -1, state)
	add("GAME_ENDS", frame, err)
	add("DO_INIT", AppendDoInit(nil, DoInit{4, 1, 100, 7, MaxSeed}), nil)
	frame, err = AppendDoInitAck(nil,
		DoInitAck{State: state, Rules: "claim/1", View: &wholeView, Scores: []int64{0, 0, 0, 0}})
	add("DO_INIT_ACK", frame, err)
	frame, err = AppendDoTurn(nil, []PlayerActions{{2, 3, []byte(sampleActions)}})
	add("DO_TURN", frame, err)
	frame, err = AppendDoTurnAck(nil,
		DoTurnAck{3, state, []int64{1, 2, 3, -4}, []Reason{{0, -1, "not yours"}}, nil})
	add("DO_TURN_ACK", frame, err)
	return messages
}

// object is a JSON object with its order.
type object struct {
	keys   []string
	values map[string]json.RawMessage
}

func readObject(t *testing.T, text []byte) object {
	t.Helper()
	o := object{values: map[string]json.RawMessage{}}
	v, err := jsonscan.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	for key, value := range v.Fields() {
		o.keys = append(o.keys, key.Text())
		o.values[key.Text()] = json.RawMessage(value)
	}
	return o
}

// with returns the object in JSON, with the fields called names only, and with value in place of
// that of the field called name.
func (o object) with(names []string, name, value string) []byte {
	var b bytes.Buffer
	for _, key := range names {
		text := string(o.values[key])
		if key == name {
			text = value
		}
		fmt.Fprintf(&b, ",%q:%s", key, text)
	}
	return []byte("{" + strings.TrimPrefix(b.String(), ",") + "}")
}

func (o object) without(name string) []byte {
	return o.with(slices.DeleteFunc(slices.Clone(o.keys), func(k string) bool { return k == name }),
		"", "")
}

// Messages are sent with the fields of the model, in its order and of its types.
func TestModelOfEncoders(t *testing.T) {
	m, messages := readModel(t), complete(t)
	for _, msg := range m.Messages {
		content, known := messages[msg.Name]
		if !known {
			t.Errorf("no message %s is encoded", msg.Name)
			continue
		}
		delete(messages, msg.Name)
		v, err := jsonscan.Parse(content)
		if err != nil {
			t.Fatal(err)
		}
		if err := (model.Checker{Model: m}).CheckMessage(v); err != nil {
			t.Errorf("%s is sent as %s\nof which the model says: %v", msg.Name, content, err)
		}
		if got := readObject(t, content).keys; len(got) != 1+len(msg.Fields) {
			t.Errorf("%s has the fields %q, not all of the model", msg.Name, got)
		}
	}
	for name := range messages {
		t.Errorf("the model has no message %s", name)
	}
}

func names(fields []model.Field) (list []string) {
	for _, f := range fields {
		list = append(list, f.Name)
	}
	return list
}

// wrong returns a value that is not of a type.
func wrong(typ model.Type) string {
	if typ.Kind == model.Base && typ.Name != "string" {
		return `"x"`
	}
	return "7"
}

// part is an object of the model, and a function that decodes a message with it.
type part struct {
	name   string
	fields []model.Field
	object object // with all fields
	decode func(object []byte) error
}

// parts returns the messages and all objects in them.
func parts(t *testing.T) []part {
	m, messages := readModel(t), complete(t)
	var list []part
	for name, content := range messages {
		list = append(list, part{name, m.Message(name).Fields, readObject(t, content), func(b []byte) error {
			_, err := decoders[name](b)
			return err
		}})
	}
	// add adds an object in a message, which is written around it.
	add := func(name string, whole []byte, before, after string, decode func([]byte) error) {
		list = append(list, part{name, m.Type(name).Fields, readObject(t, whole), func(b []byte) error {
			return decode([]byte(before + string(b) + after))
		}})
	}
	checkDebug := func(b []byte) error { return CheckDebug(jsonscan.Value(b)) }
	parseView := func(b []byte) error {
		_, err := ParseView(jsonscan.Value(b))
		return err
	}
	view, err := json.Marshal(wholeView)
	if err != nil {
		t.Fatal(err)
	}
	infos := readObject(t, messages["GAME_STARTS"]).values["players_info"]
	actions := readObject(t, messages["DO_TURN"]).values["player_actions"]
	pieces := readObject(t, view).values["pieces"]
	reasons := readObject(t, messages["DO_TURN_ACK"]).values["reasons"]
	add("PlayerInfo", infos[1:bytes.IndexByte(infos, '}')+1], "[", "]", func(b []byte) error {
		_, err := ParsePlayersInfo(b)
		return err
	})
	add("PlayerActions", actions[1:len(actions)-1], `{"message_type":"DO_TURN","player_actions":[`, "]}", func(b []byte) error {
		_, err := ParseDoTurn(b)
		return err
	})
	add("Envelope", []byte(
		`{"all_clients":{}}`,
	), `{"message_type":"DO_INIT_ACK","initial_game_state":`, "}", func(b []byte) error {
		_, err := ParseDoInitAck(b, 0)
		return err
	})
	add("Debug", AppendDebug(nil, &wholeDebug), "", "", checkDebug)
	add(
		"DebugCell",
		[]byte(
			`{"q":1,"r":2,"color":"#fff","label":"!","shape":"arrow","to_q":3,"to_r":4,"layer":"plan"}`),
		`{"cells":[`, "]}", checkDebug,
	)
	add("View", view, "", "", parseView)
	add("Pieces", pieces[1:len(pieces)-1], `{"cells":"/cells","pieces":[`, "]}", parseView)
	add("Reason", reasons[1:len(reasons)-1], `{"message_type":"DO_TURN_ACK","winner_player_id":-1,"game_state":{"all_clients":{}},"reasons":[`, "]}", func(b []byte) error {
		ack, err := ParseDoTurnAck(b, math.MaxInt32)
		return errors.Join(err, ack.Dropped)
	})
	return list
}

// Decoders require the fields that are not optional, treat extensions of another type as absent,
// and refuse other fields of another type. They check messages in the order of the model.
func TestModelOfDecoders(t *testing.T) {
	m := readModel(t)
	decoded := map[string]bool{}
	for _, p := range parts(t) {
		decoded[p.name] = true
		if err := p.decode(p.object.with(p.object.keys, "", "")); err != nil {
			t.Errorf("%s: %v", p.name, err)
			continue
		}
		for i, f := range p.fields {
			missing, other := p.decode(p.object.without(f.Name)), p.decode(p.object.with(p.object.keys, f.Name, wrong(f.Type)))
			if (missing == nil) != f.Optional || (other == nil) != f.Extension {
				t.Errorf("%s.%s: the error without it is %v, of another type %v", p.name, f.Name, missing,
					other)
			}
			if f.Optional || m.Message(p.name) == nil {
				continue
			}
			// None of the fields from this one on: it is the first that is missed.
			ordered := p.decode(
				p.object.with(append([]string{"message_type"}, names(p.fields[:i])...), "", ""))
			for _, err := range []error{missing, other, ordered} {
				if field := (*FieldError)(nil); !errors.As(err, &field) || field.Field != f.Name {
					t.Errorf("%s.%s is required, and the error of the decoder is %v", p.name, f.Name, err)
				}
			}
		}
	}
	for _, d := range m.Types {
		if d.Fields != nil && !decoded[d.Name] {
			t.Errorf("no test decodes the type %s", d.Name)
		}
	}
}
