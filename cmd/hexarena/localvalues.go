package main

import (
	"cmp"
	"fmt"
	"time"
)

// localValues are the options of play as games.Values.
type localValues struct{ *playOptions }

func (v localValues) Text(name string) string {
	switch name {
	case "map":
		return v.mapName
	case "tc":
		return v.tc
	case "openings":
		return v.openingsFile
	}
	return ""
}

func (v localValues) Int(name string) int {
	switch name {
	case "turns":
		if v.changed("turns") {
			return v.turns
		}
		return duelMoves
	case "view-distance":
		return cmp.Or(v.viewDistance, -1) // which is refused
	case "win-distance":
		return cmp.Or(v.winDistance, -1)
	}
	return 0
}

func (v localValues) Bool(name string) bool { return name == "sudden-death" && v.suddenDeath }

func (v localValues) Duration(name string) time.Duration {
	switch {
	case name != "turn-timeout":
		return 0
	case v.changed(name):
		return v.turnTimeout
	}
	return duelPatience
}

func (v localValues) Mistake(name, format string, args ...any) error {
	return fmt.Errorf("--"+name+": "+format, args...)
}
