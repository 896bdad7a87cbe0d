package match

import (
	"fmt"
	"strconv"
)

// People read the numbers of TURN messages, and the rules count steps. Step 1 is played before TURN
// 0 is sent, so the TURN that shows the state after a step, and the one that the players answered
// for it, have other numbers than the step. Whatever prints a number takes it from here.

// ShownIn returns the number of the TURN that shows the state after a step. It is −1 for the
// initial state. No TURN shows the last state: GAME_ENDS does.
func ShownIn(step int) int { return step - 1 }

// AnsweredIn returns the number of the TURN whose answers a step plays. It is negative for the
// initial state and for step 1, which have none.
func AnsweredIn(step int) int { return step - 2 }

// StepOf returns the step after which TURN n shows the state.
func StepOf(turn int) int { return turn + 1 }

// StartName is the name of what comes before TURN 0.
const StartName = "start"

// NameTurn returns the number of a TURN as text: "turn 41", or "the start" if it is negative.
func NameTurn(turn int) string {
	if turn < 0 {
		return "the " + StartName
	}
	return "turn " + strconv.Itoa(turn)
}

// NameShown returns the number of the TURN that shows the state after a step as text, as NameTurn.
func NameShown(step int) string { return NameTurn(ShownIn(step)) }

// NameBoard returns the name of the board after a step, in a match of some number of turns:
// "turn 41 of 100".
func NameBoard(step, turns int) string {
	if step == 0 {
		return fmt.Sprintf("%s of %d turns", StartName, turns)
	}
	return fmt.Sprintf("turn %d of %d", ShownIn(step), turns)
}
