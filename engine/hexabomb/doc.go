// Package hexabomb implements hexabomb: its rules, its map format and the encoding of
// its states. Characters walk over a hexagonal board, colour the cells that they enter
// and drop bombs that kill and recolour. In sudden death, a special player hunts the
// others.
//
// A [Game] must be used by one goroutine at a time; a [Map] and a [Board] are immutable
// and may be shared.
package hexabomb
