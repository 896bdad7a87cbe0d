package hextictactoe

import "testing"

// short reports whether tests are to play fewer games: with -short, and under the race
// detector, which makes a search ten times slower and finds in the first games what it
// would find in all of them.
func short() bool { return testing.Short() || raced }
