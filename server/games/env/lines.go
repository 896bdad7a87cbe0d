package env

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// Bounds of what a program may ask for. A line holds a message of the metaprotocol, whose largest
// is 16 MiB, and a saved match has some 100 bytes a cell.
const (
	maxLine  = 16<<20 + 64<<10
	maxSaved = 1 << 12
	maxName  = 64
)

// Help describes the requests.
const Help = `A request is one JSON object on a line, and so is its answer:

  {"reset": {"seed": 1}}       begin a match, at turn 0
  {"load": MESSAGE}            go on from a GAME_STARTS or TURN, as a bot received it. A GAME_STARTS
                               leads to turn 0, and says how many players and turns the match of
                               the TURNs after it has
  {"step": [ACTIONS, ...]}     play a turn. ACTIONS are what each player answers, by id: an array
                               of actions, or null for a player who does not answer in time
  {"save": "NAME"}             keep the position under a name
  {"restore": "NAME"}          return to it, as often as needed
  {"drop": "NAME"}             forget it
  {}                           nothing: to see the position

A step may have "order": [2, 0, 1], the ids in the order in which the actions apply; the usual one
is by id. Any request may have "show": "state", "delta" or "none"; the usual one is "state".

An answer has the turn that the players are to answer; await, the ids of those who must; over,
winner (-1: no player leads), the reason of an end by the rules, score, the actions that were refused,
and the state, or the delta: what changed. After a mistake it is {"error": "..."}, and nothing has
changed. The end of the input ends the program.
`

// Lines answers requests, one a line, until there are no more. It returns an error if it cannot
// read or write.
func Lines(w *World, in io.Reader, out io.Writer) error {
	s := NewSession(w)
	var line []byte
	r, o := bufio.NewReaderSize(in, 64<<10), bufio.NewWriterSize(out, 64<<10)
	for {
		var err error
		var reply []byte
		switch line, err = readLine(r, line[:0]); err {
		case nil:
			reply = s.Reply(line)
		case errTooLong:
			reply = s.refusal(err)
		case io.EOF:
			return nil
		default:
			return err
		}
		if _, err := o.Write(append(reply, '\n')); err != nil {
			return err
		}
		if r.Buffered() == 0 { // several requests at once are answered at once
			if err := o.Flush(); err != nil {
				return err
			}
		}
	}
}

// Reply returns the answer to a request as Lines writes it, without the end of the line: after a
// mistake an object with the error. It is valid until the next request.
func (s *Session) Reply(request []byte) []byte {
	answer, err := s.Answer(request)
	if err != nil {
		return s.refusal(err)
	}
	return answer
}

// refusal returns the answer to a mistake.
func (s *Session) refusal(err error) []byte {
	return append(appendText(append(s.out[:0], `{"error":`...), err.Error()), '}')
}

var errTooLong = fmt.Errorf("a request is longer than %d bytes", maxLine)

// readLine appends the next line without its end to a buffer. Of one that is too long it keeps
// nothing, and returns errTooLong.
func readLine(r *bufio.Reader, buf []byte) ([]byte, error) {
	long := false
	for {
		part, err := r.ReadSlice('\n')
		buf = append(buf, part...)
		if long = long || len(buf) > maxLine; long {
			buf = buf[:0]
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil && (err != io.EOF || len(buf) == 0 && !long):
			return nil, err
		case long:
			return nil, errTooLong
		default:
			return bytes.TrimSuffix(buf, []byte("\n")), nil
		}
	}
}

// The keys of requests: a verb each, but for the last two.
var keys = []string{"reset", "load", "step", "save", "restore", "drop", "order", "show"}

const (
	verbs   = 6
	orderAt = verbs
	showAt  = verbs + 1
)

// answer does what a line asks for and appends the answer to s.out.
func (s *Session) answer(line []byte) error {
	request, err := jsonscan.Parse(line)
	if err != nil || request.Kind() != jsonscan.Object {
		return fmt.Errorf("a request is one JSON object a line, such as {\"reset\":{}}, not %.40q", line)
	}
	vals := make([]jsonscan.Value, len(keys))
	verb := -1
	for key, v := range request.Fields() {
		i := indexOf(key)
		switch {
		case i < 0:
			return fmt.Errorf("%.40s: unknown key; there are reset, load, step, save, restore, drop, order "+
				"and show", key)
		case i < verbs && verb >= 0:
			return fmt.Errorf("%s and %s in one request; send two", keys[verb], keys[i])
		case i < verbs:
			verb = i
		}
		vals[i] = v
	}
	if vals[orderAt] != nil && (verb < 0 || keys[verb] != "step") {
		return errors.New("order: only a step has an order")
	}
	show := vals[showAt].Text()
	if show != "state" && show != "delta" && show != "none" && vals[showAt] != nil {
		return fmt.Errorf("show: %.40s is not \"state\", \"delta\" or \"none\"", vals[showAt])
	}
	if err := s.do(verb, vals); err != nil {
		if verb >= 0 {
			err = fmt.Errorf("%s: %w", keys[verb], err)
		}
		return err
	}
	s.report(show)
	return nil
}

func indexOf(key jsonscan.Value) int {
	for i, known := range keys {
		if key.Is(known) {
			return i
		}
	}
	return -1
}

var (
	errNotBegun = errors.New(
		"no match has begun; send {\"reset\":{}} or {\"load\":MESSAGE} first")
	errOver = errors.New("the match is over; send reset, load or restore")
)

// do carries out a request.
func (s *Session) do(verb int, vals []jsonscan.Value) error {
	var v jsonscan.Value
	if verb >= 0 {
		v = vals[verb]
	}
	if verb != 0 && verb != 1 && s.now == nil {
		return errNotBegun
	}
	switch verb {
	case 0:
		return s.reset(v)
	case 1:
		return s.load(v)
	case 2:
		return s.step(v, vals[orderAt])
	case 3:
		return s.save(v.Text())
	case 4:
		saved, err := s.savedAs(v)
		if err == nil {
			s.now, err = saved.copy()
		}
		return err
	case 5:
		_, err := s.savedAs(v)
		delete(s.saved, v.Text())
		return err
	}
	return nil
}

// savedAs returns the position with a name.
func (s *Session) savedAs(name jsonscan.Value) (*position, error) {
	if saved := s.saved[name.Text()]; saved != nil {
		return saved, nil
	}
	return nil, fmt.Errorf("nothing was saved as %.40s; there are %d names", name, len(s.saved))
}

func (s *Session) reset(v jsonscan.Value) error {
	if v.Kind() != jsonscan.Object {
		return fmt.Errorf("want an object, such as {\"seed\":1}, not %.40s", v)
	}
	seed := uint64(0)
	for key, n := range v.Fields() {
		if !key.Is("seed") {
			return fmt.Errorf("%.40s: unknown key; there is seed", key)
		}
		var err error
		if seed, err = strconv.ParseUint(string(n), 10, 64); err != nil {
			return fmt.Errorf("seed: %.40s is not a whole number from 0 to 18446744073709551615", n)
		}
	}
	m, err := s.world.start(seed)
	if err == nil {
		s.now, s.setup = m, m.setup
	}
	return err
}

// load goes on from a message.
func (s *Session) load(v jsonscan.Value) error {
	kind := v.Field("message_type")
	switch {
	case kind.Is("GAME_STARTS"):
		err := missing(v, "nb_players", "nb_special_players", "nb_turns_max", "initial_game_state")
		if err != nil {
			return err
		}
		setup := s.setup
		for _, field := range []struct {
			name string
			to   *int
		}{
			{"nb_players", &setup.Players},
			{"nb_special_players", &setup.Specials},
			{"nb_turns_max", &setup.Turns},
		} {
			n, ok := v.Field(field.name).Int32()
			if !ok || n < 0 {
				return fmt.Errorf("%s: %.40s is not a whole number from 0", field.name, v.Field(field.name))
			}
			*field.to = int(n)
		}
		m, err := s.world.restore(setup, 0, v.Field("initial_game_state"))
		if err != nil {
			return fmt.Errorf("initial_game_state: %w", err)
		}
		m.step(nil)
		s.now, s.setup = m, setup
	case kind.Is("TURN"):
		if err := missing(v, "turn_number", "game_state"); err != nil {
			return err
		}
		n, ok := v.Field("turn_number").Int32()
		if !ok || n < 0 {
			return fmt.Errorf("turn_number: %.40s is not a whole number from 0", v.Field("turn_number"))
		}
		m, err := s.world.restore(s.setup, int(n)+1, v.Field("game_state"))
		if err != nil {
			return fmt.Errorf("game_state: %w; a GAME_STARTS that was loaded before says how many players "+
				"there are", err)
		}
		s.now = m
	case kind == nil:
		return missing(v, "message_type")
	default:
		return fmt.Errorf("message_type: %.40s is not \"GAME_STARTS\" or \"TURN\"", kind)
	}
	return nil
}

// missing returns an error that names the first of the fields that an object does not have.
func missing(v jsonscan.Value, names ...string) error {
	for _, name := range names {
		if v.Field(name) == nil {
			return fmt.Errorf("%s is missing", name)
		}
	}
	return nil
}

// step plays a turn.
func (s *Session) step(v, order jsonscan.Value) error {
	if s.now.over() {
		return errOver
	}
	n := 0
	s.inputs = s.inputs[:0]
	for i, actions := range v.Elements() {
		in := engine.Input{
			Player: engine.PlayerID(i), Turn: s.now.turn(), Actions: actions, Valid: true,
		}
		if actions.Kind() == jsonscan.Null {
			in.Lapse, in.Actions = engine.TimedOut, nil
		}
		s.inputs = append(s.inputs, in)
		n++
	}
	if v.Kind() != jsonscan.Array || n != s.now.players() {
		return fmt.Errorf("want an array with the actions of each of the %d players, by id", s.now.players())
	}
	if order != nil {
		if err := s.inOrder(order); err != nil {
			return err
		}
	}
	s.now.step(s.inputs)
	return nil
}

// inOrder arranges the inputs, which are by id, in an order of the ids.
func (s *Session) inOrder(order jsonscan.Value) error {
	byID := append([]engine.Input(nil), s.inputs...)
	taken := make([]bool, len(byID))
	s.inputs = s.inputs[:0]
	for _, v := range order.Elements() {
		id, ok := v.Int32()
		if !ok || id < 0 || int(id) >= len(byID) || taken[id] {
			return fmt.Errorf("order: %.40s is no id from 0 to %d, or there twice", v, len(byID)-1)
		}
		taken[id] = true
		s.inputs = append(s.inputs, byID[id])
	}
	if len(s.inputs) != len(byID) {
		return fmt.Errorf("order: %d ids, want each of the %d once", len(s.inputs), len(byID))
	}
	return nil
}

func (s *Session) save(name string) error {
	switch {
	case name == "" || len(name) > maxName:
		return fmt.Errorf("want a name of 1 to %d bytes in quotes", maxName)
	case s.saved[name] == nil && len(s.saved) >= maxSaved:
		return fmt.Errorf("%d positions are saved already; drop one, or use a name again", maxSaved)
	}
	m, err := s.now.copy()
	if err == nil {
		s.saved[name] = m
	}
	return err
}
