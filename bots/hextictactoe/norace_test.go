//go:build !race

package hextictactoe

const raced = false
