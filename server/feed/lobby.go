package feed

import (
	"slices"

	"github.com/hexarena/hexarena/protocol/jsonscan"
	"github.com/hexarena/hexarena/server/match"
)

// lobby is what the feed shows before the start.
type lobby struct {
	event Event // the newest, which shows the following

	Type      string            `json:"type"`
	ID        string            `json:"id"` // of the match
	Phase     Phase             `json:"phase"`
	Game      string            `json:"game"`
	Map       string            `json:"map"`
	Seats     lobbySeats        `json:"seats"`
	Autostart bool              `json:"autostart"` // the match starts when every seat is taken
	Present   []lobbyClient     `json:"present"`
	Addresses []string          `json:"addresses"` // where bots connect
	Labels    map[string]string `json:"labels,omitempty"`
}

type lobbySeats struct {
	Players        int `json:"players"`
	Specials       int `json:"specials"`
	Visualizations int `json:"visualizations"`
}

// lobbyClient is a client that has joined. Its address is not shown: it is personal data, and
// every viewer reads this. The operator finds it in the log.
type lobbyClient struct {
	Nickname string `json:"nickname"`
	Role     string `json:"role"`
	// of a bot that was started for the match, such as "my_bot.py"
	Label    string `json:"label,omitempty"`
	Language string `json:"language,omitempty"` // in which it is written, as it said
}

func newLobby(o *Options) lobby {
	return lobby{
		Type: "lobby", ID: o.ID, Phase: Gathering, Game: o.Game, Map: o.Map, Labels: o.Labels,
		Seats: seatsOf(o.Settings), Autostart: o.Autostart,
		Present: []lobbyClient{}, Addresses: []string{},
	}
}

func seatsOf(s match.Settings) lobbySeats {
	return lobbySeats{Players: s.Players, Specials: s.Specials, Visualizations: s.Visus}
}

// changeLobby changes what the lobby shows. It has no effect after the start.
func (f *Feed) changeLobby(change func(*lobby)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.phase != Gathering {
		return
	}
	change(&f.lobby)
	var w jsonscan.Writer
	w.JSON("", &f.lobby)
	f.lobby.event = Event{Serial: f.nextSerial(), Data: w}
	f.notify()
}

// SetAddresses sets the addresses that bots connect to, such as "192.168.1.5:4242".
func (f *Feed) SetAddresses(list []string) {
	list = append([]string{}, list...)
	f.changeLobby(func(l *lobby) { l.Addresses = list })
}

// Updated implements match.Watcher.
func (f *Feed) Updated(s match.Settings) {
	f.changeLobby(func(l *lobby) { l.Seats = seatsOf(s) })
}

// Joined implements match.Watcher.
func (f *Feed) Joined(s match.SeatInfo, role match.Role) {
	c := lobbyClient{Nickname: s.Nickname, Role: role.String(), Language: s.Language}
	if f.opts.Describe != nil {
		c.Label = f.opts.Describe(s.Remote).Label
	}
	f.changeLobby(func(l *lobby) { l.Present = append(l.Present, c) })
}

// Left implements match.Watcher.
func (f *Feed) Left(s match.SeatInfo, role match.Role) {
	f.changeLobby(func(l *lobby) {
		i := slices.IndexFunc(l.Present,
			func(c lobbyClient) bool { return c.Nickname == s.Nickname && c.Role == role.String() })
		if i >= 0 {
			l.Present = slices.Delete(l.Present, i, i+1)
		}
	})
}

// Free returns the numbers of free seats. They are 0 once the match has started.
func (f *Feed) Free() (players, specials int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.phase != Gathering {
		return 0, 0
	}
	l := &f.lobby
	players, specials = l.Seats.Players, l.Seats.Specials
	for _, g := range l.Present {
		switch g.Role {
		case match.Player.String():
			players--
		case match.Special.String():
			specials--
		}
	}
	return max(players, 0), max(specials, 0)
}
