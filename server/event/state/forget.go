package state

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/server/contest/results"
)

// ErrForgotten reports that a team was forgotten.
var ErrForgotten = errors.New("the team was forgotten, for good")

// erasedPrefix marks the versions of a forgotten team in rows. Their names tell them apart, so that
// the same matches count, and nothing else.
const erasedPrefix = "forgotten:"

// TeamForgotten removes a team for good, with all that names it and all that it made. Its number
// stays, and so do its matches, which count for the others.
//
// The act is written first. Then the event erases its folder, and the log of acts last: until then
// the log has the names and the versions by which the rest is found.
type TeamForgotten struct {
	Head
	Team int `json:"team,omitempty"`
}

func (*TeamForgotten) kind() string { return "forgotten" }

func (a *TeamForgotten) apply(s *State) error {
	if err := s.Teams.check(a.Team); err != nil {
		return err
	}
	t := s.Teams.list[a.Team]
	if !t.Removed {
		delete(s.Teams.names, fold(t.Name))
	}
	t.Removed, t.Forgotten = true, true
	return nil
}

// Forget removes a team for good.
func (ts *Teams) Forget(team int) (Act, error) {
	if err := ts.check(team); err != nil {
		return nil, err
	}
	if ts.list[team].Forgotten {
		return nil, ErrForgotten
	}
	return &TeamForgotten{Team: team}, nil
}

// Find returns the number of the team that a text names: by its name, else by its number from 1.
func (ts *Teams) Find(text string) (team int, err error) {
	for _, t := range ts.list {
		if !t.Removed && t.Name == text {
			return t.Number, nil
		}
	}
	for _, t := range ts.list {
		if fmt.Sprint(t.Number+1) == text || !t.Forgotten && t.Name == text {
			return t.Number, nil
		}
	}
	return 0, fmt.Errorf("there is no team %.40q: give its name, or the number in the address of "+
		"its page", text)
}

// erasedNick returns the nickname of a forgotten team, which no other team can have.
func erasedNick(team int) string { return fmt.Sprint("team.", team+1) }

// Erased reports whether the log of acts has nothing of a forgotten team any more.
func (t *Team) Erased() bool { return t.Forgotten && t.Nick == erasedNick(t.Number) }

// Forgotten returns the teams that are forgotten.
func (ts *Teams) Forgotten() (list []*Team) {
	for _, t := range ts.list {
		if t.Forgotten {
			list = append(list, t)
		}
	}
	return list
}

// KeepNicks adds the nicknames that forgotten teams had in an earlier state: the results of matches
// that are being played still use them.
func (ts *Teams) KeepNicks(before *Teams) {
	for nick, t := range before.byNick {
		if t.Forgotten {
			ts.byNick[nick] = ts.list[t.Number]
			ts.nicks[fold(nick)] = true // no new team may have it meanwhile
		}
	}
}

// EraseRow removes from a row what it has of forgotten teams, and reports whether it has one.
// version returns another name of a version.
func (ts *Teams) EraseRow(row *results.Row, version func(string) string) (found bool) {
	for seat, nick := range row.Bots {
		t := ts.byNick[nick]
		if t == nil || !t.Forgotten {
			continue
		}
		found = true
		row.Bots[seat] = erasedNick(t.Number)
		if seat < len(row.Versions) {
			row.Versions[seat] = erasedVersion(row.Versions[seat], version)
		}
	}
	return found
}

// erasedVersion returns the name of a version of a forgotten team; that of none stays empty.
func erasedVersion(name string, version func(string) string) string {
	if name == "" || strings.HasPrefix(name, erasedPrefix) {
		return name
	}
	return erasedPrefix + version(name)
}

// EraseActs returns acts without what they have of forgotten teams. The fold of the others is the
// same.
func (ts *Teams) EraseActs(acts []Act, version func(string) string) (kept []Act) {
	names := ts.erasedNames(acts)
	for _, a := range acts {
		switch a := a.(type) {
		case *TeamJoined:
			if t := ts.list[a.Team]; t.Forgotten {
				*a = TeamJoined{Head: a.Head, Team: a.Team, Forgotten: true}
			}
		case *TeamForgotten:
		case *TeamsRemoved:
			a.Teams = slices.DeleteFunc(a.Teams, func(n int) bool { return ts.list[n].Forgotten })
			if len(a.Teams) == 0 {
				continue
			}
		case *VersionsFrozen:
			for number, name := range a.Frozen {
				if ts.list[number].Forgotten {
					a.Frozen[number] = erasedVersion(name, version)
				}
			}
		case *MessageShown:
			if slices.ContainsFunc(names, func(n string) bool { return strings.Contains(a.Text, n) }) {
				a.Text = ""
			}
		default:
			if team, is := teamOf(a); is && ts.list[team].Forgotten {
				continue
			}
		}
		kept = append(kept, a)
	}
	return kept
}

// erasedNames returns the names and nicknames that forgotten teams have and had, as acts have them.
func (ts *Teams) erasedNames(acts []Act) (names []string) {
	for _, a := range acts {
		switch a := a.(type) {
		case *TeamJoined:
			if ts.list[a.Team].Forgotten && !a.Forgotten {
				names = append(names, a.Name, a.Nick)
			}
		case *TeamRenamed:
			if ts.list[a.Team].Forgotten {
				names = append(names, a.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Traces are the texts by which the files of forgotten teams are found.
type Traces struct {
	Names    []string // and nicknames
	Versions []string // the digests of versions that no other team has sent
}

// Traces returns what acts have of forgotten teams.
func (ts *Teams) Traces(acts []Act) (t Traces) {
	t.Names = ts.erasedNames(acts)
	others := map[string]bool{}
	for _, a := range acts {
		if sent, is := a.(*VersionSent); is && !ts.list[sent.Team].Forgotten {
			others[sent.Sent.Digest] = true
		}
	}
	for _, a := range acts {
		sent, is := a.(*VersionSent)
		if is && ts.list[sent.Team].Forgotten && !others[sent.Sent.Digest] {
			t.Versions = append(t.Versions, sent.Sent.Digest)
		}
	}
	return t
}

// teamOf returns the team that an act is about, which its field Team has. is is false if the act is
// not about one team.
func teamOf(a Act) (team int, is bool) {
	field := reflect.ValueOf(a).Elem().FieldByName("Team")
	if !field.IsValid() {
		return 0, false
	}
	return int(field.Int()), true
}

// Allow returns ErrForgotten for an act about a forgotten team, such as the end of a test match, an
// exam or an upload that had begun before.
func (ts *Teams) Allow(a Act) error {
	if team, is := teamOf(a); is && team >= 0 && team < len(ts.list) && ts.list[team].Forgotten {
		return ErrForgotten
	}
	return nil
}
