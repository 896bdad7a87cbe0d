package site

// sending says to teams that are about to join what they may send.
func (s *Site) sending() string {
	store := s.Rounds.Options().Store
	switch {
	case s.Event.Late() != nil:
		return "Versions are frozen: the matches that are played now decide the order, " +
			"without teams that sign up now."
	case store == nil:
		return "Bots cannot be sent here, since " + s.NoSend + ": each plays while it is connected."
	case store.Only() != "":
		return store.Only() + " It plays on without you; other bots play while they are connected."
	}
	return "A bot can also be sent: then it plays on without you."
}

// sendingForOperator says the same to the operator.
func (o operator) sendingForOperator() string {
	if err := o.Event.Late(); err != nil {
		return "Teams cannot send their bots, since " + err.Error() + "."
	}
	if store := o.Rounds.Options().Store; store != nil {
		return "Teams may send their bots: " + store.String() + "."
	}
	return "Teams cannot send their bots, since " + o.NoSend + "."
}

// whyNoSend returns why no team can send a version now, "" if teams can.
func (s *Site) whyNoSend() string {
	if err := s.Event.Late(); err != nil {
		return err.Error()
	}
	return s.NoSend
}
