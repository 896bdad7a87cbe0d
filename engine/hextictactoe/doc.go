// Package hextictactoe implements hexagonal tic-tac-toe: two sides place two pieces a move
// on an unbounded hexagonal board, and the first side with six in a row wins.
//
// A [Game] or a [Board] must be used by one goroutine at a time.
package hextictactoe
