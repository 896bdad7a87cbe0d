package state

import (
	"fmt"
	"testing"
)

// official returns the official standings of all matches.
func (d *day) official() *Official { return d.Official(d.Results.Len()).Fit() }

// freeze freezes the version "vN" for each team N but for the last one, which has none.
func (d *day) freeze() {
	versions := map[int]string{}
	for team := range d.Teams.All() {
		versions[team] = fmt.Sprint("v", team)
	}
	versions[len(versions)-1] = ""
	d.do(d.Freeze(versions))
}

// playFrozen plays official rounds of all teams, in each of which the team with the lower number
// wins unless it is that team's turn to lose.
func (d *day) playFrozen(rounds, upset int) {
	d.t.Helper()
	var all []int
	for team := range d.Teams.All() {
		all = append(all, team)
	}
	for round := range rounds {
		for _, m := range d.round(all).Matches {
			row := d.row(m)
			row.Versions = make([]string, len(row.Bots))
			for seat := range m {
				row.Versions[seat] = d.Versions.FrozenVersion(m[seat])
			}
			if upset > 0 && round%upset == 0 {
				row.Ranks[0], row.Ranks[1] = row.Ranks[1], row.Ranks[0]
			}
			d.add(row)
		}
	}
}

// Official standings are those of the matches since the freeze, by the versions that were frozen.
// The first three become certain, and the estimate of the matches until then falls. A team without
// a digest is not verified. They are the same when the event is folded again, and a thaw undoes
// them.
func TestOfficial(t *testing.T) {
	d := newDay(t, "Ann", "Bob", "Carl", "Dora", "Eva", "Fred")
	d.play([]int{5, 4, 3, 2, 1, 0}, 0)
	if o := d.official(); o.Frozen || o.Matches != 0 || o.Left != nil {
		t.Errorf("before the freeze: %+v", o)
	}
	d.freeze()
	d.playFrozen(4, 2)
	if o := d.official(); o.Matches != 8 || o.Certain || o.Left != nil {
		t.Errorf("after 8 matches, which do not show how many it takes: %+v", o)
	}
	d.playFrozen(20, 2)
	first := d.official()
	if first.Matches != 48 || first.Certain || first.Left == nil || *first.Left == 0 {
		t.Errorf("after 48 matches: %+v", first)
	}
	for _, p := range first.Teams {
		if p.Verified != (p.Team != 5) {
			t.Errorf("%+v", p)
		}
	}
	d.playFrozen(60, 5)
	o := d.official()
	order := fmt.Sprint(o.Teams[0].Name, o.Teams[1].Name, o.Teams[2].Name)
	if !o.Certain || *o.Left != 0 || order != "AnnBobCarl" || o.Teams[0].Low == nil {
		t.Errorf("after %d matches: %+v", o.Matches, o)
	}
	again := d.refolded().official()
	if fmt.Sprint(again.Matches, again.Certain, again.Teams[0].Elo) !=
		fmt.Sprint(o.Matches, o.Certain, o.Teams[0].Elo) {
		t.Errorf("folded again: %+v", again)
	}
	key := d.OfficialKey(d.Results.Len())
	d.Versions.frozen.versions[0] = "other" // then Ann's matches do not count
	if o := d.official(); o.Teams[5].Name != "Ann" || o.Teams[5].Matches != 0 {
		t.Errorf("with another version: %+v", o)
	}
	if _, err := d.Versions.SetDeadline(4600, 1000); err == nil {
		t.Error("a deadline after the freeze")
	}
	d.do(d.Thaw())
	if d.official().Frozen || d.OfficialKey(d.Results.Len()) == key {
		t.Error("versions are not thawed")
	}
	for _, in := range []int64{-1, maxNotice + 1} {
		if _, err := d.Versions.SetDeadline(1000+in, 1000); err == nil {
			t.Errorf("a deadline in %d s", in)
		}
	}
}

// A void match does not count in the official standings, until it counts again.
func TestOfficialVoid(t *testing.T) {
	d := newDay(t, "Ann", "Bob", "Carl", "Dora")
	d.freeze()
	d.playFrozen(2, 0)
	for _, void := range []bool{true, false} {
		d.do(d.Void(1, void))
		want := 4
		if void {
			want = 3
		}
		played := 0
		o := d.official()
		for _, p := range o.Teams {
			played += p.Matches
		}
		if o.Matches != want || played != 2*want {
			t.Errorf("void is %t: %d matches, %d of teams; want %d", void, o.Matches, played, want)
		}
	}
}

// Teams that are equal in all matches are not certain to be the first, however many they play.
func TestOfficialTies(t *testing.T) {
	d := newDay(t, "Ann", "Bob", "Carl", "Dora")
	d.freeze()
	for range 30 {
		for _, m := range d.round([]int{0, 1, 2, 3}).Matches {
			row := d.row(m)
			for seat, team := range m {
				row.Ranks[seat] = 1
				row.Versions = append(row.Versions, d.Versions.FrozenVersion(team))
			}
			d.add(row)
		}
	}
	if o := d.official(); o.Matches == 0 || o.Certain || o.Left != nil || o.Teams[0].Low != nil {
		t.Errorf("after %d ties: %+v", o.Matches, o)
	}
}

// No version can be sent after the freeze, and none from the deadline on.
func TestLate(t *testing.T) {
	d := newDay(t, "Ann", "Bob")
	d.do(d.Versions.SetDeadline(1060, 1000))
	if d.Versions.MaySend(0, 1059) != nil || d.Versions.MaySend(0, 1060) == nil {
		t.Error("the deadline is not at 1060")
	}
	d.freeze()
	if d.Versions.MaySend(0, 1000) == nil {
		t.Error("a version can be sent after the freeze")
	}
}
