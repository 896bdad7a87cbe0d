package standings

// cost sums up what the matches of a bot took of the processor, and the turns that it missed.
type cost struct {
	Matches int   `json:"matches"` // of which it is known
	Turns   int   `json:"turns"`   // that the bot answered in these
	Micros  int64 `json:"micros"`
	// Of all matches, also those whose processor time is not known.
	Answered int `json:"answered"`
	Skipped  int `json:"skipped"`
}

// lags sum up how late the runner woke up in matches, at worst.
type lags struct {
	Matches int   `json:"matches"`
	Micros  int64 `json:"micros"` // in all
	Most    int64 `json:"most"`
}

// CPU is the processor time of a started bot in milliseconds: its process, with all that it starts.
type CPU struct {
	Matches int     `json:"matches"` // of which it is known
	Match   float64 `json:"match_ms"`
	Turn    float64 `json:"turn_ms"` // for each turn that it answered; 0: it answered none
}

// Lag is how late the process that played the cup woke up, in milliseconds, at worst in a match.
type Lag struct {
	Mean float64 `json:"mean_ms"` // of the matches
	Max  float64 `json:"max_ms"`
}

// AddCPU adds the processor time that a bot of the plan used in a match in which it answered some
// turns.
func (s *Standings) AddCPU(bot string, micros int64, turns int) {
	c := &s.costs[s.bots[bot]]
	c.Matches++
	c.Turns += turns
	c.Micros += micros
}

// AddTurns adds the turns that a bot of the plan answered in a match, and those that it skipped.
func (s *Standings) AddTurns(bot string, answered, skipped int) {
	c := &s.costs[s.bots[bot]]
	c.Answered += answered
	c.Skipped += skipped
}

// AddLag adds how late the runner woke up at worst during a match.
func (s *Standings) AddLag(micros int64) {
	s.lags.Matches++
	s.lags.Micros += micros
	s.lags.Most = max(s.lags.Most, micros)
}

// cpu returns what is shown of the processor time, nil if it is not known.
func (c *cost) cpu() *CPU {
	if c.Matches == 0 {
		return nil
	}
	shown := &CPU{Matches: c.Matches, Match: millis(c.Micros, c.Matches)}
	if c.Turns > 0 {
		shown.Turn = millis(c.Micros, c.Turns)
	}
	return shown
}

// lag returns what is shown of the lag, nil if there was none.
func (l *lags) lag() *Lag {
	if l.Most == 0 {
		return nil
	}
	return &Lag{Mean: millis(l.Micros, l.Matches), Max: millis(l.Most, 1)}
}

// millis returns a mean in milliseconds, of which it keeps microseconds.
func millis(micros int64, n int) float64 { return float64(micros/int64(n)) / 1000 }
