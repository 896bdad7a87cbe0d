package tui

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/match"
)

// LiveOptions describe a match that is drawn on a terminal.
type LiveOptions struct {
	Title    string // the game and its map
	Terminal func(*games.Match) (games.Terminal, error)
	Match    games.Match // the view adds the players

	Input  io.Reader // the terminal's keys; nil for none
	Output io.Writer
}

// live is a view that draws the match. The match stores frames, and the terminal's goroutine
// takes the newest when it draws, so that neither waits for the other.
type live struct {
	match.BaseWatcher
	options LiveOptions
	label   func(match.SeatInfo) string

	mu       sync.Mutex   // guards all below
	notes    []string     // lines to show before the first frame
	warnings []string     // texts to show beside the board as well
	labels   []string     // of the players, by id
	frame    *match.Frame // the newest, until it is taken
	step     int          // number of its turn
	over     bool         // the match is over
	winner   string       // label of the winner, or empty
}

// NewLive returns a view that draws the match on a terminal.
func NewLive(o LiveOptions) View { return &live{options: o} }

// Started implements match.Watcher.
func (v *live) Started(f *match.Frame) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, s := range f.Table.Seats {
		v.labels = append(v.labels, v.label(s))
	}
	v.put(f, 0)
}

// Played implements match.Watcher.
func (v *live) Played(p *match.Play) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.put(p.Frame, p.Step)
}

// put replaces the newest frame. The caller holds mu.
func (v *live) put(f *match.Frame, step int) {
	f.Retain()
	if v.frame != nil {
		v.frame.Release()
	}
	v.frame, v.step = f, step
}

// Ended implements match.Watcher.
func (v *live) Ended(e *match.Ending) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.over = true
	if e.Err == nil && e.Winner >= 0 && int(e.Winner) < len(v.labels) {
		v.winner = v.labels[e.Winner]
	}
}

// outcome returns the winner, and whether the match is over.
func (v *live) outcome() (winner string, over bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.winner, v.over
}

// Say implements View.
func (v *live) Say(format string, args ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.notes = append(v.notes, fmt.Sprintf(format, args...))
}

// Warn implements View.
func (v *live) Warn(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.notes, v.warnings = append(v.notes, strings.Split(text, "\n")...), append(v.warnings, text)
}

// scene is one moment of a match as it is drawn.
type scene struct {
	games.Screen
	step   int
	seats  []seat // by player id
	over   bool   // the match is over
	winner string // or empty
}

type seat struct {
	label     string
	connected bool
	untimed   bool // turns wait for it without a time limit
}

// take returns the newest scene, or nil if it was taken before.
func (v *live) take(m *model) *scene {
	v.mu.Lock()
	f, s, labels := v.frame, &scene{step: v.step}, v.labels
	v.frame = nil
	v.mu.Unlock()
	if f == nil {
		return nil
	}
	defer f.Release()
	if m.terminal == nil {
		about := v.options.Match
		about.Names, about.Specials = labels, f.Table.Specials
		t, err := v.options.Terminal(&about)
		if err != nil {
			return nil // of a match that is played already
		}
		m.terminal, m.board = t, newBoard(t.Cells())
	}
	var err error
	if s.Screen, err = m.terminal.Screen(f.State); err != nil {
		return nil // our own rules wrote it
	}
	for i, info := range f.Table.Seats {
		s.seats = append(s.seats, seat{labels[i], info.Connected, info.Untimed})
	}
	return s
}

// Show implements View. It restores the terminal before it returns.
func (v *live) Show(m Match) {
	v.label = m.Label
	options := []tea.ProgramOption{
		tea.WithOutput(v.options.Output), tea.WithInput(v.options.Input),
		tea.WithoutSignalHandler(), // the caller handles signals
	}
	controls := make(chan func(), 16) // more than a user types while the match is busy
	program := tea.NewProgram(&model{view: v, match: m, controls: controls}, options...)
	var controlling sync.WaitGroup
	controlling.Go(func() {
		for do := range controls {
			do()
		}
	})
	played := make(chan struct{})
	go func() {
		defer close(played)
		err := m.Play()
		program.Send(playedMsg{linger: err == nil})
	}()
	if _, err := program.Run(); err != nil {
		m.Stop(fmt.Errorf("the view failed: %w", err))
	}
	<-played
	close(controls)
	controlling.Wait()
}

// The messages of the terminal's loop, in addition to those of tea.
type (
	drawMsg   struct{}              // draw the newest frame
	playedMsg struct{ linger bool } // the match is over
)

const (
	framesPerSecond = 30
	lingerTime      = 1200 * time.Millisecond // for which the last board stays
)

// model is the state of the terminal's loop and belongs to its goroutine.
type model struct {
	view     *live
	match    Match
	terminal games.Terminal // nil before the first frame
	board    *board

	width, height int
	depth         depth
	letters       bool // cells name their owners
	speed         Speed
	paused        bool
	controls      chan<- func() // called one after another, since they may wait for the match
	scene         *scene
	rate          rate
}

// Init implements tea.Model.
func (m *model) Init() tea.Cmd { return drawSoon() }

func drawSoon() tea.Cmd {
	return tea.Tick(time.Second/framesPerSecond, func(time.Time) tea.Msg { return drawMsg{} })
}

// Update implements tea.Model.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.ColorProfileMsg:
		m.depth = depthOf(msg.Profile)
	case drawMsg:
		if s := m.view.take(m); s != nil {
			m.scene = s
			m.rate.add(time.Now(), s.step)
		}
		return m, drawSoon()
	case playedMsg:
		if !msg.linger || m.scene == nil {
			return m, tea.Quit
		}
		m.scene.winner, m.scene.over = m.view.outcome()
		return m, tea.Tick(lingerTime, func(time.Time) tea.Msg { return tea.Quit() })
	case tea.KeyPressMsg:
		m.press(msg.String())
	}
	return m, nil
}

// press handles a key.
func (m *model) press(key string) {
	switch key {
	case "space":
		paused := !m.paused
		m.control(m.speed, paused, func() { m.match.Pause(paused) })
	case ".", "n", "N":
		m.control(m.speed, true, m.match.Step)
	case "f", "F":
		m.setSpeed(Speed{Full: !m.speed.Full, Slower: m.speed.Slower})
	case "-":
		m.setSpeed(Speed{Slower: min(m.speed.Slower+1, slowest)})
	case "+", "=": // the same key on many keyboards
		m.setSpeed(Speed{Slower: max(m.speed.Slower-1, fastest)})
	case "m", "M":
		m.letters = !m.letters
	case "q", "Q", "ctrl+c":
		m.match.Stop(nil)
	}
}

func (m *model) setSpeed(s Speed) {
	m.control(s, m.paused, func() { m.match.Pace(s) })
}

// control calls do, which changes the match's speed and pause to these. A key has no effect
// while the match is busy and many before it still wait.
func (m *model) control(s Speed, paused bool, do func()) {
	select {
	case m.controls <- do:
		m.speed, m.paused = s, paused
	default:
	}
}

// View implements tea.Model.
func (m *model) View() tea.View {
	v := tea.NewView(m.draw())
	v.AltScreen = true
	v.WindowTitle = "hexarena"
	return v
}

// said returns the lines to show before the first frame.
func (v *live) said() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.notes)
}

// warned returns at most n lines to show beside the board: the first ones of the newest text, since
// those of a compiler are the cause of the others, below those of the texts before it that fit as
// well.
func (v *live) warned(n int) (lines []string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, text := range slices.Backward(v.warnings) {
		list := strings.Split(text, "\n")
		lines = append(list[:min(len(list), n-len(lines))], lines...)
	}
	return lines
}

// rate measures turns per second, over the last half second or more.
type rate struct {
	at    time.Time
	step  int
	value float64
}

func (r *rate) add(now time.Time, step int) {
	if r.at.IsZero() {
		r.at, r.step = now, step
		return
	}
	if d := now.Sub(r.at).Seconds(); d >= 0.5 {
		r.value = float64(step-r.step) / d
		r.at, r.step = now, step
	}
}
