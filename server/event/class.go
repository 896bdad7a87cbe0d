package event

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hexarena/hexarena/server/nickname"
)

// SignUpClass signs up a team for each line of a list whose name no team has or had. The error names every line with a mistake; then no
// team was signed up.
func (e *Event) SignUpClass(list string) error {
	names, err := e.readClass(list)
	for i := 0; i < len(names) && err == nil; i++ {
		_, _, err = e.SignUp(names[i], e.Code())
	}
	return err
}

// readClass returns the names in a list that have no team yet.
func (e *Event) readClass(list string) (names []string, err error) {
	if strings.HasPrefix(list, "\xff\xfe") || strings.HasPrefix(list, "\xfe\xff") {
		return nil, errors.New("it is UTF-16: save it as UTF-8")
	}
	var wrong []error
	lines := map[string]int{} // line numbers by folded name
	for i, name := range strings.Split(strings.TrimPrefix(list, "\ufeff"), "\n") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		folded := nickname.Fold(name)
		_, found := e.Called(name)
		_, err := checkName(name, nil)
		switch {
		case !utf8.ValidString(name):
			err = fmt.Errorf("%q is not UTF-8: save the file as UTF-8", name)
		case err != nil:
		case lines[folded] > 0:
			err = fmt.Errorf("%q looks like the name in line %d: add what tells them apart", name, lines[folded])
		case !found:
			names = append(names, name)
		}
		if lines[folded] == 0 {
			lines[folded] = i + 1
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("line %d: %w", i+1, err))
		}
	}
	e.mu.Lock()
	all := e.state.present() + len(names)
	e.mu.Unlock()
	if all > MaxTeams {
		wrong = append(wrong, fmt.Errorf("there would be %d teams: an event has %d at most", all, MaxTeams))
	}
	return names, errors.Join(wrong...)
}
