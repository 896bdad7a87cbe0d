package games

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/recording"
)

// List is the games of a program. The first is played unless another one is chosen.
type List []*Game

// That returns the games that have something.
func (l List) That(has func(*Game) bool) (list List) {
	for _, g := range l {
		if has(g) {
			list = append(list, g)
		}
	}
	return list
}

// Titles returns the games' titles.
func (l List) Titles() (titles []string) {
	for _, g := range l {
		titles = append(titles, g.Title)
	}
	return titles
}

// Find returns the game of that name, or nil if not found.
func (l List) Find(name string) *Game {
	for _, g := range l {
		if g.Name == name {
			return g
		}
	}
	return nil
}

// Starter returns the starter bot of the game of that name, of the first game if name is empty, as
// an archive with its kit, or nil without one. The language is that of a kit's folder; empty stands
// for Python.
func (l List) Starter(name, language string) []byte {
	g := l[0]
	if name != "" {
		g = l.Find(name)
	}
	k := kits.In(cmp.Or(language, "python"))
	if g == nil || k == nil {
		return nil
	}
	return k.Archive(g.Name, k.MyBot())
}

// StarterLanguages returns the languages in which the game of that name has a starter bot, as a
// list of [Language].
func (l List) StarterLanguages(name string) any {
	list := []Language{}
	for _, k := range kits.With(name) {
		list = append(list, Language{Language: k.Folder, Name: k.Language, Command: k.Command(k.MyBot())})
	}
	return list
}

// Language is one in which starter bots are written.
type Language struct {
	Language string `json:"language"` // as Starter has it
	Name     string `json:"name"`
	// builds and runs the bot in a shell; host and port of a server may follow
	Command string `json:"command"`
}

// OfRules returns the game whose rules have that name, or nil if not found.
func (l List) OfRules(rules string) *Game {
	for _, g := range l {
		if slices.Contains(g.Rules, rules) {
			return g
		}
	}
	return nil
}

// Settings returns the games with the settings of each.
func (l List) Settings() (list []config.Game) {
	for _, g := range l {
		list = append(list, config.Game{Name: g.Name, Settings: g.Settings})
	}
	return list
}

// Help returns the paragraphs that the games have for the help of a command, each with an
// empty line behind it.
func (l List) Help(of func(*Game) string) string {
	var b strings.Builder
	for _, g := range l {
		if text := of(g); text != "" {
			b.WriteString(text + "\n\n")
		}
	}
	return b.String()
}

// Examples returns the games' examples, each a line behind a command.
func (l List) Examples(command string) string {
	var b strings.Builder
	for _, g := range l {
		if g.Example != "" {
			b.WriteString(command + g.Example + "\n")
		}
	}
	return b.String()
}

// Replay is a recording.Games for the games of the list.
func (l List) Replay(rules string, setup []byte) (engine.Game, error) {
	if g := l.OfRules(rules); g != nil {
		return g.Replay(rules, setup)
	}
	var all []string
	for _, g := range l {
		all = append(all, g.Rules...)
	}
	return nil, fmt.Errorf("%w; it has %s", recording.ErrRules, strings.Join(all, " and "))
}
