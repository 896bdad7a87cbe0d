package hextictactoe

import "github.com/hexarena/hexarena/engine/enginetest/thorough"

// short reports whether tests play fewer games than make thorough. The race detector makes
// a search ten times slower, and finds in the first games what it would find in all of them.
func short() bool { return raced || !thorough.Enabled }
