package site

import (
	"fmt"
	"slices"

	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/state"
)

// RecentAct is the description of an act for the operator, with the act that takes it back.
type RecentAct struct {
	At   int64  `json:"at"` // Unix time in seconds
	Text string `json:"text"`
	// the act of the operator's page; "": it cannot be taken back, or changes no standings
	Undo string `json:"undo,omitempty"`
	Form form   `json:"form"` // the form of that act
}

// recentActs returns the last acts, the newest first.
func recentActs(e *event.Event) (list []RecentAct) {
	e.Recent(func(s *state.State, acts []state.Act) {
		for _, a := range slices.Backward(acts) {
			list = append(list, explain(s, a))
		}
	})
	return list
}

// explain describes an act, and names the act that takes it back.
func explain(s *state.State, a state.Act) RecentAct {
	r := RecentAct{At: state.Time(a)}
	r.Form.Match = 1 // as forms count from 1
	if !r.ofTeam(s, a) && !r.ofMatch(a) {
		r.ofEvent(a)
	}
	return r
}

// toggle describes an act that can be on or off, with the acts of the page that take it back.
func (r *RecentAct) toggle(isOn bool, on, off, undoOn, undoOff string) {
	r.Text, r.Undo = off, undoOff
	if isOn {
		r.Text, r.Undo = on, undoOn
	}
}

// ofTeam describes an act on teams, and reports whether it is one.
func (r *RecentAct) ofTeam(s *state.State, a state.Act) bool {
	name := func(number int) string {
		r.Form.Team = number
		return s.Teams.All()[number].Name
	}
	switch a := a.(type) {
	case *state.TeamJoined:
		r.Text = a.Name + " signed up"
		if team := name(a.Team); a.Forgotten {
			r.Text = team + " signed up"
		}
		if a.From != "" {
			r.Text += " from " + a.From
		}
	case *state.TeamsRemoved:
		names := namesOf(s, a.Teams)
		r.toggle(a.On, names+" removed", names+" brought back", "restore", "remove")
		r.Form.List = a.Teams
	case *state.TeamForgotten:
		r.Text = name(a.Team) + " and all that it made are removed for good"
	case *state.TeamRenamed:
		name(a.Team)
		r.Text, r.Undo = fmt.Sprintf("%s is now %s", a.Old, a.Name), "rename"
		r.Form.Name = a.Old
	case *state.TeamRested:
		team := name(a.Team)
		r.toggle(a.On, team+" rests", team+" plays again", "wake", "rest")
	case *state.TeamHidden:
		team := name(a.Team)
		r.toggle(a.On, team+" is hidden", team+" is shown again", "show", "hide")
	case *state.BotsKicked:
		r.Text = "the bots of " + name(a.Team) + " were disconnected"
	case *state.VersionSent:
		r.Text = name(a.Team) + " sent " + a.Sent.File
	case *state.VersionTried:
		version := "the new version of " + name(a.Team)
		r.toggle(a.Good, version+" plays", version+" plays no rounds", "", "")
	case *state.VersionBenched:
		r.Text = "the version of " + name(a.Team) + " rests: it failed too often"
	case *state.ExamTaken:
		r.Text = name(a.Team) + " took the exam"
		if a.Exam.Result.Passed {
			r.Text = name(a.Team) + " passed the exam"
		}
	default:
		return false
	}
	return true
}

// ofMatch describes an act on a match or a round, and reports whether it is one.
func (r *RecentAct) ofMatch(a state.Act) bool {
	switch a := a.(type) {
	case *state.MatchVoided:
		r.Form.Match = a.Match + 1
		void := fmt.Sprintf("match %d is void", a.Match+1)
		if a.Again {
			void += ", and is to be played again"
		}
		r.toggle(a.On, void,
			fmt.Sprintf("match %d counts again", a.Match+1), "count", "void")
	case *state.RoundStarted:
		r.Form.Match = a.Match + 1
		r.Text = "a round of " + textutil.Counted(len(a.Matches), "match", "matches") + " began"
		if a.Again {
			r.Text = fmt.Sprintf("match %d was begun again", a.Match+1)
		}
	default:
		return false
	}
	return true
}

// ofEvent describes any other act.
func (r *RecentAct) ofEvent(a state.Act) {
	switch a := a.(type) {
	case *state.RoundsPaused:
		r.toggle(a.On, "rounds pause", "rounds go on", "resume", "pause")
	case *state.MessageShown:
		r.Text, r.Undo = "the screen says: "+a.Text, "message"
		if a.Text == "" {
			r.Text, r.Undo = "the screen has no message", ""
		}
	case *state.SetupChanged:
		r.Text = "next rounds: " + a.Text
	case *state.CodeChanged:
		r.Text = "another code to sign up"
	case *state.DeadlineSet:
		r.Text, r.Undo = "versions freeze at the deadline", "deadline"
		if a.When == 0 {
			r.Text, r.Undo = "there is no deadline", ""
		}
	case *state.VersionsFrozen:
		r.toggle(a.On, "versions are frozen", "versions are not frozen any more", "thaw", "freeze")
	case *state.FinalStarted:
		r.toggle(a.On, "a final began: "+a.Format, "the final was taken back", "final-off", "")
	}
}

// namesOf returns the name of the first of some teams, and the number of the others.
func namesOf(s *state.State, teams []int) string {
	if len(teams) == 0 {
		return ""
	}
	name := s.Teams.All()[teams[0]].Name
	if n := len(teams) - 1; n > 0 {
		return fmt.Sprintf("%s and %d others were", name, n)
	}
	return name + " was"
}
