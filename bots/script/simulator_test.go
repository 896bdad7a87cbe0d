package script

import (
	"strings"
	"testing"
)

// A simulator goes on after a turn that ended while it was in use, and its mistakes are exceptions.
func TestSimulator(t *testing.T) {
	t.Parallel()
	c := start(t, 64, "bot.js", `
		const { run, Simulator, testMatch } = require("./hexarena.js");
		const refusal = async (promise) => {
			try { await promise; } catch (error) { return error instanceof Error && error.message; }
		};
		class Bot {
			simulator = new Simulator(testMatch("0.1").match);
			async turn(state) {
				await this.simulator.load();
				if (state.n === 0) {
					await this.simulator.save("here");
					console.log("begins");
				}
				while (state.n === 0) await this.simulator.save("here");
				await this.simulator.restore("here");
				await this.simulator.step([[], []]);
				const mistakes = [
					await refusal(this.simulator.restore("there")),
					await refusal((async () => new Simulator(testMatch("0.1").match, "chess"))()),
					await refusal((async () => new Simulator({ _starts: { message_type: "TURN", turn_number: 0 } }))()),
				];
				return [this.simulator.turn, this.simulator.score, mistakes];
			}
		}
		run(Bot);`)
	c.begin()
	c.send(turn0)
	<-c.printed.begun
	c.send(over0)
	if m := c.receive(); m.Turn != 0 || len(m.Actions) != 0 {
		t.Errorf("the answer to turn 0 is %+v", m)
	}
	c.send(turn1)
	m := c.receive()
	if m.Turn != 1 || len(m.Actions) != 3 || string(m.Actions[0]) != "1" ||
		string(m.Actions[1]) != "[2,2]" {
		t.Fatalf("the answer to turn 1 is %s", m.Actions)
	}
	for _, want := range []string{
		`"restore: nothing was saved as \"there\"; there are 1 names"`, "hextictactoe", "load: game_state is missing",
	} {
		if !strings.Contains(string(m.Actions[2]), want) {
			t.Errorf("the mistakes are %s, without %s", m.Actions[2], want)
		}
	}
	c.send(ends, kicked)
	if code, printed := c.exit(); code != 0 {
		t.Errorf("it ends with %d and prints\n%s", code, printed)
	}
}
