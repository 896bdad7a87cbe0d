// Package hextictactoe holds the rules of hexagonal tic-tac-toe: two sides place
// two pieces a move on a hexagonal board without end, and the first with six in
// a row wins.
//
// It draws nothing, measures no time and starts no goroutine. A [Game] or a
// [Board] belongs to whoever uses it.
package hextictactoe
