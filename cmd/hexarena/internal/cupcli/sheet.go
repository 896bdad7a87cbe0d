package cupcli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/seat"
)

// PlanKeys are the keys of a plan's file that are not settings: flags of the command, and the bots.
var PlanKeys = []string{
	"bots", "format", "count", "until", "within", "seats", "with",
	"elo0", "elo1",
}

// ExamKeys are the keys of an exam's file that are not settings.
var ExamKeys = []string{"seeds", "seats", "marks"}

// readPlan takes from the file of a plan what the command line does not say.
func (p *prepared) readPlan() error {
	if p.Sheet == nil {
		return nil
	}
	p.boardsBeside()
	texts := map[string]*string{"format": &p.Format, "until": &p.Until, "with": &p.With}
	numbers := map[string]*int{"count": &p.Count, "seats": &p.Seats}
	decimals := map[string]*float64{"within": &p.Within, "elo0": &p.Elo0, "elo1": &p.Elo1}
	var wrong []error
	for _, name := range PlanKeys {
		k := p.Sheet.Key(name)
		switch {
		case k == nil || name != "bots" && p.Given(name):
		case k.Items == nil:
			wrong = append(wrong, k.Mistake("", "has names and values", "a value, or a list of values"))
		case name == "bots" && len(p.Arguments) > 0:
			wrong = append(
				wrong,
				fmt.Errorf("%s has bots: leave those of the command line out: %s", p.Sheet.Path,
					strings.Join(p.Arguments, " ")),
			)
		case name == "bots":
			p.Arguments = p.beside(k.Items)
		case texts[name] != nil:
			*texts[name] = strings.Join(k.Items, ",")
		case numbers[name] != nil:
			wrong = append(wrong, wholeNumber(k, numbers[name]))
		default:
			value, err := strconv.ParseFloat(k.Items[0], 64)
			if err != nil || len(k.Items) > 1 {
				wrong = append(wrong, k.Mistake(strings.Join(k.Items, ","), "", "a number"))
			}
			*decimals[name] = value
		}
	}
	if p.With != "" && !p.Given("with") {
		p.With = strings.Join(p.beside(strings.Split(p.With, ",")), ",")
	}
	if len(p.Arguments) == 0 {
		wrong = append(wrong, p.Sheet.Missing("bots", "bots: [my_bot.py, painter, hunter]"))
	}
	return errors.Join(wrong...)
}

// wholeNumber reads a number from 0 on.
func wholeNumber(k *config.Key, to *int) error {
	n, err := strconv.Atoi(k.Items[0])
	if err != nil || n < 0 || len(k.Items) > 1 {
		return k.Mistake(strings.Join(k.Items, ","), "", "a whole number from 0 on")
	}
	*to = n
	return nil
}

// beside returns the names of bots with the folder of the sheet before those of files and folders
// that are there.
func (p *prepared) beside(names []string) []string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = besideOf(p.Sheet.Path, strings.TrimSpace(name), p.builtin)
	}
	return list
}

// builtin reports whether a built-in bot of the game has this name.
func (p *prepared) builtin(name string) bool {
	g := p.Games.Find(p.Values.Text("game"))
	_, err := g.NewBuiltin(name, 0)
	return err == nil
}

func besideOf(sheet, name string, builtin func(string) bool) string {
	prefix := ""
	if rest, ok := strings.CutPrefix(name, seat.StdioPrefix); ok {
		prefix, name = seat.StdioPrefix, rest
	}
	file := name
	if i := strings.LastIndexByte(name, '@'); i > 0 {
		file = name[:i]
	}
	path := filepath.Join(filepath.Dir(sheet), file)
	if _, err := os.Stat(path); err != nil || filepath.IsAbs(name) || prefix == "" && builtin(name) {
		return prefix + name
	}
	return prefix + path + name[len(file):]
}

// boardsBeside adds the folder of the sheet to those where maps are looked for.
func (p *prepared) boardsBeside() {
	names := strings.Split(p.Values.Text("maps"), ",")
	changed := false
	for i, name := range names {
		name = strings.TrimSpace(name)
		path := filepath.Join(filepath.Dir(p.Sheet.Path), name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && path != name &&
			!filepath.IsAbs(name) {
			names[i], changed = path, true
		}
	}
	if changed {
		p.Values = p.Values.With("maps", strings.Join(names, ","))
	}
}
