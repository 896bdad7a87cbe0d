package sim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/hexarena/hexarena/engine"
)

// logicWorlds is the number of the other worlds of which one has a game logic that connects.
const logicWorlds = 10

// delegate changes a plan to one match whose rules are those of a game logic.
func (p *plan) delegate(rng *rand.Rand) {
	p.logic = []string{"honest", "honest", "slow", "garbled", "leaving"}[rng.IntN(5)]
	p.rooms, p.matches, p.tokens = 1, 1, false
	p.timeout = between(rng, time.Second, 3*time.Second)
}

// ruling is what a game logic has decided.
type ruling struct {
	inputs []engine.Input // without their actions
	state  []byte
	winner int
}

// logic is a game logic, whose game is made of random numbers.
type logic struct {
	*actor
	plan    *plan
	quality quality
}

// play logs in and plays one match after another, those of servers that crash included.
func (l *logic) play(a *actor) {
	l.actor = a
	for range mostVisits {
		c, err := a.connect("10.0.7.1", l.quality)
		switch {
		case err == nil:
			l.serve(c)
			_ = c.conn.Close()
		case a.closing():
			return
		}
		a.sleep(between(a.rng, 0, 300*time.Millisecond))
	}
}

// serve decides what happens until the connection ends.
func (l *logic) serve(c *client) {
	if c.send(`{"message_type":"LOGIN","nickname":"logic","role":"game logic","metaprotocol_version":"2.0.0"}`) != nil {
		return
	}
	for {
		m, err := c.receive()
		if err != nil {
			return
		}
		switch m.Type {
		case "DO_INIT":
			l.rule(ruling{state: l.state(-1), winner: int(engine.NoPlayer)}, true)
			if l.answer(c, `{"message_type":"DO_INIT_ACK","initial_game_state":{"all_clients":%s}}`, l.newest().state) != nil {
				return
			}
		case "DO_TURN":
			var order struct {
				Actions []struct {
					Player engine.PlayerID `json:"player_id"`
					Turn   int             `json:"turn_number"`
				} `json:"player_actions"`
			}
			if err := json.Unmarshal(m.raw, &order); err != nil {
				l.violate("the game logic is sent %q: %v", m.raw, err)
			}
			// none, or the first player
			r := ruling{state: l.state(len(order.Actions)), winner: l.rng.IntN(2) - 1}
			for _, a := range order.Actions {
				r.inputs = append(r.inputs, engine.Input{Player: a.Player, Turn: a.Turn})
			}
			l.rule(r, false)
			if l.answer(c, `{"message_type":"DO_TURN_ACK","winner_player_id":%d,"game_state":{"all_clients":%s}}`, r.winner, r.state) != nil {
				return
			}
		case "LOGIN_ACK", "KICK":
		default:
			l.violate("the game logic gets a %s", m.Type)
		}
	}
}

// state returns a state, which no other turn has.
func (l *logic) state(answers int) []byte {
	return fmt.Appendf(nil, `{"answers":%d,"number":%d}`, answers, l.rng.Uint64()>>12)
}

// answer sends a decision, unless its conduct is another one.
func (l *logic) answer(c *client, format string, args ...any) error {
	switch odd := chance(l.rng, 12); {
	case l.plan.logic == "slow":
		l.sleep(between(l.rng, 0, l.plan.timeout*21/20))
	case l.plan.logic == "garbled" && odd:
		return c.send(
			"%s",
			[]string{
				"", "[]", "{", `{"message_type":"DO_TURN_ACK"}`,
				`{"message_type":"DO_TURN_ACK","winner_player_id":100,"game_state":{"all_clients":{}}}`,
			}[l.rng.IntN(5)],
		)
	case l.plan.logic == "leaving" && odd:
		l.note("closes its connection")
		_ = c.conn.Close()
	default:
		l.sleep(between(l.rng, 0, think))
	}
	return c.send(format, args...)
}

// rule notes what a game logic has decided, in a new match or not.
func (w *World) rule(r ruling, first bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if first {
		w.rulings = nil
	}
	w.rulings = append(w.rulings, r)
}

// newest returns what the game logic has decided last.
func (l *logic) newest() ruling { return l.ruled(-1) }

// ruled returns what the game logic has decided for a step of its match, in the newest with -1.
func (w *World) ruled(step int) (r ruling) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if step < 0 {
		step = len(w.rulings) - 1
	}
	if step < len(w.rulings) {
		r = w.rulings[step]
	}
	return r
}

// logicJudge is the judge of a match whose rules are a game logic's: the clients see what it has
// decided, and it was asked what they have answered.
type logicJudge struct {
	*World
	steps  int
	inputs []engine.Input
}

func (j *logicJudge) step(inputs []engine.Input) {
	j.steps++
	j.inputs = nil
	for _, in := range inputs {
		if in.Lapse == engine.Answered {
			j.inputs = append(j.inputs, engine.Input{Player: in.Player, Turn: in.Turn})
		}
	}
}

func (j *logicJudge) turn() int                   { return j.steps }
func (j *logicJudge) over() bool                  { return false }
func (j *logicJudge) awaits(engine.PlayerID) bool { return true }
func (j *logicJudge) winner() engine.PlayerID {
	return engine.PlayerID(
		j.ruled(j.steps).winner)
}
func (j *logicJudge) refused() (list []engine.Refusal, known bool) { return nil, true }

func (j *logicJudge) differs(state []byte) error {
	r := j.ruled(j.steps)
	if !bytes.Equal(state, r.state) {
		return fmt.Errorf("the state is %s, want %s", state, r.state)
	}
	if fmt.Sprint(r.inputs) != fmt.Sprint(j.inputs) {
		return fmt.Errorf("the game logic was told of %v, want %v", r.inputs, j.inputs)
	}
	return nil
}
