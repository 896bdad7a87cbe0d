package htttx

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// Packet is one message over the WebSocket: a text frame with a JSON object whose field
// type names the kind.
type Packet interface {
	// Append appends the packet as JSON.
	Append(dst []byte) []byte
}

// The types of packets.
const (
	typeConfig       = "config"
	typeSetup        = "setup"
	typeMoveRequest  = "move_request"
	typeEvalRequest  = "eval_request"
	typeHeartbeat    = "heartbeat"
	typeInterrupt    = "interrupt"
	typeEnd          = "end"
	typeNope         = "nope"
	typeBoardUpdate  = "board_update"
	typePresence     = "presence"
	typeMoveResponse = "move_response"
	typeEvalResponse = "eval_response"
	typeResign       = "resign"
	typeSit          = "sit"
)

var fromServer = map[string]func(jsonscan.Value) (Packet, error){
	typeConfig:      parseConfig,
	typeSetup:       parseSetup,
	typeMoveRequest: parseMoveRequest,
	typeEvalRequest: parseEvalRequest,
	typeHeartbeat:   parseHeartbeat,
	typeInterrupt:   parseInterrupt,
	typeEnd:         parseEnd,
	typeNope:        parseNope,
	typeBoardUpdate: parseBoardUpdate,
	typePresence:    parsePresence,
}

var fromBot = map[string]func(jsonscan.Value) (Packet, error){
	typeMoveResponse: parseMoveResponse,
	typeEvalResponse: parseEvalResponse,
	typeResign:       parseResign,
	typeSit:          parseSit,
}

// ParseFromServer parses a packet from a server to a bot, a person's client or a spectator:
// Config, Setup, MoveRequest, EvalRequest, Heartbeat, Interrupt, End, Nope, BoardUpdate,
// Presence or Unknown. The error is a *Fault.
func ParseFromServer(data []byte) (Packet, error) {
	return parsePacket(data, parseObject, fromServer)
}

// ParseFromBot parses a packet from a bot or a person's client: MoveResponse, EvalResponse,
// Resign, Sit or Unknown. The error is a *Fault.
func ParseFromBot(data []byte) (Packet, error) { return parsePacket(data, parseFromBot, fromBot) }

// Unknown is a packet of a type that is not defined in its direction. Receivers ignore it,
// because later versions may define it.
type Unknown struct{ Type string } // cut if it is long

// Append implements Packet.
func (m Unknown) Append(dst []byte) []byte {
	return append(appendString(append(dst, `{"type":`...), m.Type), '}')
}

func parsePacket(
	data []byte, object func([]byte) (jsonscan.Value, error),
	known map[string]func(jsonscan.Value) (Packet, error),
) (Packet, error) {
	obj, err := object(data)
	if err != nil {
		return nil, err
	}
	typ, err := needField(obj, "type", jsonscan.String)
	if err != nil {
		return nil, err
	}
	name := typ.Text()
	if parse := known[name]; parse != nil {
		return parse(obj)
	}
	return Unknown{strings.ToValidUTF8(name[:min(len(name), maxQuoted)], "")}, nil
}

func appendType(dst []byte, name string) []byte {
	dst = append(dst, `{"type":"`...)
	dst = append(dst, name...)
	return append(dst, '"')
}

func appendSide(dst []byte, key string, s Side) []byte {
	dst = append(dst, key...)
	if s == 0 {
		return append(dst, "null"...)
	}
	return append(dst, '"', byte(s), '"')
}

// appendString appends s as a JSON string. Strings are rare here.
func appendString(dst []byte, s string) []byte {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // cannot happen: every string can be marshalled
	}
	return append(dst, text...)
}

// appendLimit appends a time limit in seconds, if there is one.
func appendLimit(dst []byte, key string, limit time.Duration) []byte {
	if limit <= 0 {
		return dst
	}
	dst = append(dst, key...)
	return strconv.AppendFloat(dst, limit.Seconds(), 'f', -1, 64)
}

func appendID(dst []byte, id *int64) []byte {
	if id == nil {
		return dst
	}
	dst = append(dst, `,"request_id":`...)
	return strconv.AppendInt(dst, *id, 10)
}

// parseLimit parses an optional number of seconds; 0 if it is missing.
func parseLimit(obj jsonscan.Value, name string) (time.Duration, error) {
	v := optional(obj, name)
	if v == nil {
		return 0, nil
	}
	if err := need(v, name, jsonscan.Number); err != nil {
		return 0, err
	}
	s, _ := v.Float()
	if s < 0 {
		return 0, &Fault{name, "is negative: " + quoted(v)}
	}
	return seconds(s), nil
}

// maxSeconds caps times, so that they fit a time.Duration: one week.
const maxSeconds = 7 * 24 * 3600

// seconds returns s as a duration of at most maxSeconds.
func seconds(s float64) time.Duration {
	return time.Duration(math.Round(min(s, maxSeconds) * float64(time.Second)))
}
