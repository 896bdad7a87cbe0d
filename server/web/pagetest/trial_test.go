//go:build browser

package pagetest

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// trial reads the analysis board's panel.
const trial = `(document.querySelector(".trial")?.innerText ?? "")`

// pastes puts a text into the field for games of the analysis board, and shows the game.
func (b *tab) pastes(game string) {
	b.t.Helper()
	b.do(chromedp.Focus(".trial textarea"))
	b.do(chromedp.KeyEvent("a", chromedp.KeyModifiers(ctrl)))
	b.do(chromedp.SendKeys(".trial textarea", game))
	b.presses("Show this game")
}

// On the analysis board one tries moves from any position, follows the judge, and looks at a game
// that one has in the notation.
func TestAnalysisBoard(t *testing.T) {
	t.Parallel()
	address, file := judgedServer(t)
	b := open(t, address+"?recording="+file)
	await(b, "the recording is there", boardMove, 0)
	b.press(kb.ArrowRight, kb.ArrowRight)
	await(b, "the second move", boardMove, 2)
	b.presses("Try moves from here")
	await(b, "who is to move", shows(trial, "circle places two pieces"), true)
	b.do(chromedp.Focus(".board"))
	b.press(kb.Enter, kb.Enter)
	await(b, "why it cannot be placed there",
		shows(`document.querySelector(".notice")?.innerText ?? ""`, "This cell is taken."), true)
	for range 5 { // over cells with pieces
		b.press(kb.ArrowLeft, kb.Enter)
	}
	await(b, "it can be taken back", `!`+button("Take a piece back")+`.disabled`, true)
	b.looks("analysis board")
	await(b, "the notice is gone", `document.querySelector(".notice") === null`, true)
	auditor(t)(b, "analysis board")
	await(b, "what the judge thinks of the position",
		shows(trial, "The judge's evaluation after the last whole move"), true)
	b.presses("Start over")
	await(b, "who is to move", shows(trial, "circle places two pieces"), true)

	b.pastes("version[1];\n1. [1,0][2,0];\n2. [0,1][0,2];\n3. [3,0];")
	await(b, "who is to move in the game", shows(trial, "circle places its second piece"), true)
	b.pastes("1. [1,0][1,0];")
	await(b, "what is wrong", shows(trial, "[1,0]: This cell is taken."), true)
	b.pastes("nothing")
	await(b, "what is missing", shows(trial, "There is no move in this text."), true)
	b.pastes("1. [1,0][2,0]; 2. [0,1][0,2]; 3. [3,0][4,0]; 4. [0,3][0,4]; 5. [5,0][6,0];")
	await(b, "who has won", shows(trial, "circle has won"), true)
	b.looks("analysis board won")
	b.presses("Back to the game")
	await(b, "the move of the game", boardMove, 2)

	b.presses("Analysis")
	b.presses("Analyse")
	await(b, "all is judged", shows(standing, "moves judged"), true)
	b.presses("Try moves from here")
	await(b, "what the judge would play", shows(trial, "Judge's move"), true)
	b.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll(".trial button")].find((e) => e.textContent.startsWith("Judge's move")).click()`))
	await(b, "the other side is to move", shows(trial, "cross places two pieces"), true)

	// The judge's line goes deeper than one move.
	b.presses("Start over")
	b.presses("Judge's line")
	const moves = `document.querySelectorAll(".judgesline li").length`
	await(b, "the judge's line", moves+` > 1`, true)
	n := value[int](b, moves)
	await(b, "the first move of the line", shows(trial, fmt.Sprintf("1 of %d moves", n)), true)
	before := value[string](b, trial)
	b.presses("Next move")
	await(b, "the second move of the line", shows(trial, fmt.Sprintf("2 of %d moves", n)), true)
	await(b, "which of them is marked", `[...document.querySelectorAll(".judgesline li button")].findIndex((e) => e.ariaCurrent === "step")`, 1)
	auditor(t)(b, "judge's line")
	b.looks("judge's line")
	b.presses("Back")
	await(b, "the first move again", trial, before)
	b.presses("Take a piece back")
	await(b, "a position beside the line", shows(trial, "You have left the line."), true)
}

// A game against a bot can be played again at once, with the sides changed.
func TestRematch(t *testing.T) {
	t.Parallel()
	s := newSalon(t)
	b := open(t, s.page.URL())
	b.presses("Play hexagonal tic-tac-toe")
	b.presses("Circle, moves first")
	b.presses("Begin")
	await(b, "it is the person's move", shows(hand, "You play circle: choose two pieces."), true)
	b.presses("Resign")
	b.presses("Resign now")
	await(b, "the game is over", shows(hand, "You have resigned."), true)
	b.shoot("tictactoe rematch")
	b.presses("Rematch")
	await(b, "it is the person's move in the next game",
		shows(hand, "You play cross: choose two pieces."), true)
}
