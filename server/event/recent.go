package event

import "fmt"

// maxRecent is how many acts the operator is shown: as many as fit on a page. The log has all.
const maxRecent = 30

// RecentAct is the description of an act for the operator, with the act that takes it back.
type RecentAct struct {
	At   int64  `json:"at"` // Unix time in seconds
	Text string `json:"text"`
	Undo string `json:"undo,omitempty"` // the act of the operator's page; "": it cannot be taken back, or changes no standings
	Form form   `json:"form"`           // the form of that act
}

// remember keeps an act for recentActs. The caller holds mu.
func (e *Event) remember(a *Act) {
	e.recent = append(e.recent, a)
	if len(e.recent) > maxRecent {
		e.recent = e.recent[1:]
	}
}

// recentActs returns the last acts, the newest first.
func (e *Event) recentActs() (list []RecentAct) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := len(e.recent) - 1; i >= 0; i-- {
		list = append(list, e.state.explain(e.recent[i]))
	}
	return list
}

// explain describes an act, and names the act that takes it back.
func (s *state) explain(a *Act) RecentAct {
	r := RecentAct{At: a.At, Form: form{Team: a.Team, Match: a.Match + 1}}
	team := ""
	if a.Team < len(s.teams) {
		team = s.teams[a.Team].Name
	}
	toggle := func(on, off, undoOn, undoOff string) {
		r.Text, r.Undo = off, undoOff
		if a.On {
			r.Text, r.Undo = on, undoOn
		}
	}
	switch a.Kind {
	case joined:
		r.Text = a.Name + " signed up"
		if a.From != "" {
			r.Text += " from " + a.From
		}
	case removed:
		names := s.whoWere(a.Teams)
		toggle(names+" removed", names+" brought back", "restore", "remove")
		r.Form.List = a.Teams
	case renamed:
		r.Text, r.Undo = fmt.Sprintf("%s is now %s", a.Text, a.Name), "rename"
		r.Form.Name = a.Text
	case rested:
		toggle(team+" rests", team+" plays again", "wake", "rest")
	case hidden:
		toggle(team+" is hidden", team+" is shown again", "show", "hide")
	case voided:
		toggle(fmt.Sprintf("match %d is void", a.Match+1), fmt.Sprintf("match %d counts again", a.Match+1), "count", "void")
	case paused:
		toggle("rounds pause", "rounds go on", "resume", "pause")
	case begun:
		r.Text = fmt.Sprintf("a round of %d matches began", len(a.Matches))
		if a.On {
			r.Text = fmt.Sprintf("match %d was begun again", a.Match+1)
		}
	case kicked:
		r.Text = "the bots of " + team + " were disconnected"
	case told:
		r.Text, r.Undo = "the screen says: "+a.Text, "message"
		if a.Text == "" {
			r.Text, r.Undo = "the screen has no message", ""
		}
	case changed:
		r.Text = "next rounds: " + a.Text
	case recoded:
		r.Text = "another code to sign up"
	case deadline:
		r.Text, r.Undo = "versions freeze at the deadline", "deadline"
		if a.When == 0 {
			r.Text, r.Undo = "there is no deadline", ""
		}
	case frozen:
		toggle("versions are frozen", "versions are not frozen any more", "thaw", "freeze")
	case finals:
		toggle("a final began: "+a.Text, "the final was taken back", "final-off", "")
	case sent:
		r.Text = team + " sent " + a.Sent.File
	case tried:
		toggle("the new version of "+team+" plays", "the new version of "+team+" plays no rounds", "", "")
	case benched:
		r.Text = "the version of " + team + " rests: it failed too often"
	case examined:
		r.Text = team + " took the exam"
		if a.Exam.Result.Passed {
			r.Text = team + " passed the exam"
		}
	default:
		r.Text = a.Kind
	}
	return r
}

// whoWere returns the name of the first of some teams, and how many others there are.
func (s *state) whoWere(teams []int) string {
	if len(teams) == 0 || s.checkTeam(teams[0]) != nil {
		return ""
	}
	name := s.teams[teams[0]].Name
	if n := len(teams) - 1; n > 0 {
		return fmt.Sprintf("%s and %d others were", name, n)
	}
	return name + " was"
}
