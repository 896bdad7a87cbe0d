package site

import "github.com/hexarena/hexarena/server/event/state"

// declared returns what a team declares by a form, of what the event asks for.
func (s *Site) declared(f form) (d state.Declared, err error) {
	if s.AskPublication {
		d.Publish = state.No
		if f.Publish {
			d.Publish = state.Yes
		}
	}
	if s.AskAI {
		d.AI, err = state.CheckAI(f.AI)
	}
	return d, err
}

// markDeclarations returns the fields of the page to join for what the event asks for.
func (s *Site) markDeclarations() markup {
	return markIf(s.AskAI, `<label>How has AI helped to make the bot? `+
		`<input name="ai" maxlength="200" required placeholder="none"></label>
`) + markIf(s.AskPublication, `<label><span><input type="checkbox" name="publish"> `+
		`Matches and code of the team may be published</span></label>
`)
}
