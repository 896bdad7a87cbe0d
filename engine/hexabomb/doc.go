// Package hexabomb holds the rules, the map format and the state encoding of
// hexabomb: characters walk over a hexagonal board, colour the cells that they
// enter and drop bombs that kill and recolour. In sudden death, a special
// player hunts the others.
//
// It draws nothing, chooses no maps and starts no goroutine. A [Game] belongs
// to whoever drives it; a [Map] and a [Board] are read only and may be shared.
package hexabomb
