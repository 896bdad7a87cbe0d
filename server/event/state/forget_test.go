package state

import (
	"reflect"
	"strings"
	"testing"
)

// fill sets what an act has of a team: every field Team, and all texts.
func fill(v reflect.Value, name string, team int, text string) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), name, team, text)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), v.Type().Field(i).Name, team, text)
		}
	case reflect.String:
		v.SetString(text)
	case reflect.Map:
		if v.Type() == reflect.TypeFor[map[int]string]() {
			v.Set(reflect.ValueOf(map[int]string{team: text}))
		}
	case reflect.Int:
		if name == "Team" {
			v.SetInt(int64(team))
		}
	}
}

// Acts of each type lose what they have of a forgotten team, and an act about it is refused.
func TestEraseEveryKindOfAct(t *testing.T) {
	const text = "Zanzibar"
	notOfTeams := map[string]bool{"setup": true, "final": true} // texts of the program
	d := newDay(t, "Ann", text)
	d.do(d.Teams.Forget(1))
	joined := &TeamJoined{Team: 1, Name: text, Nick: text}
	for kind, make := range kinds {
		a := make()
		fill(reflect.ValueOf(a).Elem(), "", 1, text)
		_, about := reflect.TypeOf(a).Elem().FieldByName("Team")
		if err := d.Teams.Allow(a); about != (err != nil) {
			t.Errorf("%s about the team is answered with %v", kind, err)
		}
		var left []byte
		version := func(string) string { return "other" }
		for _, kept := range d.Teams.EraseActs([]Act{joined, a}, version) {
			left = AppendAct(left, kept, 1)
		}
		*joined = TeamJoined{Team: 1, Name: text, Nick: text}
		if strings.Contains(string(left), text) != notOfTeams[kind] {
			t.Errorf("of %s this is left:\n%s", kind, left)
		}
	}
}
