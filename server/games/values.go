package games

import (
	"time"

	"github.com/hexarena/hexarena/config"
)

// Values are the effective settings, by name, as config.Values has them. The zero value
// stands for a setting that the command does not have.
type Values interface {
	Text(name string) string
	Int(name string) int
	Bool(name string) bool
	Duration(name string) time.Duration
	// Mistake returns an error that says what is wrong with the value of a setting.
	Mistake(name, format string, args ...any) error
}

// Settings returns the games with the settings of each.
func (l List) Settings() (list []config.Game) {
	for _, g := range l {
		list = append(list, config.Game{Name: g.Name, Settings: g.Settings})
	}
	return list
}
