package config

import (
	"fmt"
	"slices"
	"strings"
)

// Scope is a command and the games that it plays. They determine which settings there are.
type Scope struct {
	Command Command
	Games   []Game
	Without []string // settings of the command that have no effect here; they are as those of others
}

// has reports whether the command has a setting.
func (s Scope) has(one Setting) bool {
	return one.Commands&s.Command != 0 && !slices.Contains(s.Without, one.Name)
}

// other is a known setting of other commands or other games.
type other struct {
	setting Setting
	// why giving it is a mistake; empty: it is ignored, because it belongs to other commands
	fault string
}

// settings returns the settings of the command when a game is played, in the order of their groups,
// and all other settings.
func (s Scope) settings(game string) (settings []Setting, others []other) {
	own := s.own(game)
	notWithGame := fmt.Sprintf("does not apply to --game %s; leave it out", game)
	add := func(one Setting, fault string) {
		if one = s.complete(one); s.has(one) {
			settings = append(settings, one)
		} else {
			others = append(others, other{one, fault})
		}
	}
	for _, general := range table {
		one, fault := general, ""
		if i := indexOf(own, general.Name); i >= 0 {
			one = own[i]
			if s.has(general) {
				fault = notWithGame
			}
		}
		add(one, fault)
	}
	for _, one := range own {
		if indexOf(table, one.Name) < 0 {
			add(one, "")
		}
	}
	for _, g := range s.Games {
		for _, one := range g.Settings {
			if indexOf(table, one.Name) >= 0 || indexOf(own, one.Name) >= 0 {
				continue
			}
			fault := ""
			if s.has(one) {
				fault = notWithGame + ", or add --game " + g.Name
			}
			others = append(others, other{s.complete(one), fault})
		}
	}
	slices.SortStableFunc(settings, func(a, b Setting) int { return int(a.Group - b.Group) })
	return settings, others
}

// own returns the settings of a game.
func (s Scope) own(game string) []Setting {
	if i := slices.IndexFunc(s.Games, func(g Game) bool { return g.Name == game }); i >= 0 {
		return s.Games[i].Settings
	}
	return nil
}

// choosing returns the setting that chooses the game, and all others as settings to ignore.
func (s Scope) choosing() (settings []Setting, others []other) {
	all, rest := s.settings("")
	for _, one := range all {
		if one.Name == "game" {
			settings = append(settings, one)
		} else {
			others = append(others, other{setting: one})
		}
	}
	for _, o := range rest {
		others = append(others, other{setting: o.setting})
	}
	return settings, others
}

// complete returns the setting as it is in the command, with the games' names as values of game.
func (s Scope) complete(one Setting) Setting {
	if one.Name == "game" {
		names := make([]string, len(s.Games))
		for i, g := range s.Games {
			names[i] = g.Name
		}
		one.Kind = Choice(names...).ranged(strings.Join(names, " or "))
	}
	return one.in(s.Command)
}

// Settings returns the settings of the command whatever game is played, in the order of their
// groups.
func (s Scope) Settings() (all []Setting) {
	for _, general := range table {
		if s.has(general) {
			all = append(all, s.complete(general))
		}
	}
	for _, g := range s.Games {
		for _, one := range g.Settings {
			if !s.has(one) || indexOf(table, one.Name) >= 0 {
				continue
			}
			if i := indexOf(all, one.Name); i >= 0 {
				all[i].game = ""
				continue
			}
			if one = s.complete(one); len(s.Games) > 1 {
				one.game = g.Name
			}
			all = append(all, one)
		}
	}
	slices.SortStableFunc(all, func(a, b Setting) int { return int(a.Group - b.Group) })
	return all
}

func indexOf(list []Setting, name string) int {
	return slices.IndexFunc(list, func(s Setting) bool { return s.Name == name })
}
