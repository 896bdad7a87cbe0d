package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/server/arena"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat"
)

// liveView draws the match on the terminal. The match hands it frames, and the
// terminal's goroutine takes the newest whenever it draws: neither waits for
// the other.
type liveView struct {
	run   *playRun
	arena *arena.Arena

	mu     sync.Mutex   // guards what follows
	notes  []string     // what was said before the first frame
	labels []string     // of the seats, by player id
	frame  *match.Frame // the newest, until it is taken
	step   int          // turns that were simulated by then
	over   bool         // the match is
	winner string       // its label, if there is one
}

func newLiveView(p *playRun) *liveView { return &liveView{run: p} }

func (v *liveView) Joined(match.SeatInfo, match.Role) {}
func (v *liveView) Left(match.SeatInfo, match.Role)   {}

// Started implements match.Watcher.
func (v *liveView) Started(f *match.Frame) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, s := range f.Table.Seats {
		label := s.Nickname
		if seat := v.arena.SeatAt(s.Remote); seat != nil {
			label = seat.Label
		}
		v.labels = append(v.labels, label)
	}
	v.put(f, 0)
}

// Played implements match.Watcher.
func (v *liveView) Played(p *match.Play) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.put(p.Frame, p.Step)
}

// put replaces the newest frame. The caller holds mu.
func (v *liveView) put(f *match.Frame, step int) {
	f.Retain()
	if v.frame != nil {
		v.frame.Release()
	}
	v.frame, v.step = f, step
}

// Ended implements match.Watcher.
func (v *liveView) Ended(e *match.Ending) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.over = true
	if e.Err == nil && e.Winner >= 0 && int(e.Winner) < len(v.labels) {
		v.winner = v.labels[e.Winner]
	}
}

// outcome is who won, and whether the match is over.
func (v *liveView) outcome() (winner string, over bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.winner, v.over
}

func (v *liveView) progress(seat *seat.Spec, what string) {
	if seat.Argv != nil {
		v.say("%s: %s", seat.Label, plain(what))
	}
}

func (v *liveView) say(format string, args ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.notes = append(v.notes, fmt.Sprintf(format, args...))
}

// scene is one moment of a match as it is drawn.
type scene struct {
	state    *hexabomb.State
	step     int
	specials int
	seats    []liveSeat // by player id
	over     bool       // the match is
	winner   string     // its label, if there is one
}

type liveSeat struct {
	label     string
	connected bool
}

// take is the newest scene, nil if the last one taken is.
func (v *liveView) take() *scene {
	v.mu.Lock()
	f, s := v.frame, scene{step: v.step}
	v.frame = nil
	labels := v.labels
	v.mu.Unlock()
	if f == nil {
		return nil
	}
	defer f.Release()
	state, err := hexabomb.ParseState(f.State)
	if err != nil {
		return nil // our own rules wrote it
	}
	s.state, s.specials = state, f.Table.Specials
	for i, info := range f.Table.Seats {
		s.seats = append(s.seats, liveSeat{labels[i], info.Connected})
	}
	return &s
}

// show implements playView. The terminal is in order again when it returns.
func (v *liveView) show(ctx context.Context, interrupt context.CancelCauseFunc, a *arena.Arena) *arena.Report {
	v.arena = a
	options := []tea.ProgramOption{
		tea.WithOutput(v.run.stdout), tea.WithInput(nil), // else Ctrl-C would be heard twice
		tea.WithoutSignalHandler(),
	}
	if isTerminal(v.run.stdin) {
		options[1] = tea.WithInput(v.run.stdin)
	}
	board, err := hexabomb.ParseMap(v.run.instance.Board)
	if err != nil {
		panic(err) // the match is played on it
	}
	program := tea.NewProgram(&liveModel{
		view:  v,
		board: newLiveBoard(board.Cells),
		pace:  func(full bool) { a.SetPace(v.run.pace(full)) },
		stop:  func() { interrupt(errInterrupted) },
	}, options...)

	var report *arena.Report
	played := make(chan struct{})
	go func() {
		defer close(played)
		report = a.Play(ctx)
		program.Send(playedMsg{linger: report.Err == nil})
	}()
	if _, err := program.Run(); err != nil {
		interrupt(fmt.Errorf("the view failed: %w", err))
	}
	<-played
	return report
}

// The messages of the terminal's loop, beyond those of tea.
type (
	drawMsg   struct{}              // time to draw
	playedMsg struct{ linger bool } // the match is over
)

const (
	framesPerSecond = 30
	lingerTime      = 1200 * time.Millisecond // for the last board to be seen
)

// liveModel is the state of the terminal's loop, and belongs to it.
type liveModel struct {
	view  *liveView
	board *liveBoard
	pace  func(full bool)
	stop  func()

	width, height int
	depth         liveDepth
	marks         bool // cells show whose they are in letters, too
	full          bool // full speed
	scene         *scene
	rate          rate
}

// Init implements tea.Model.
func (m *liveModel) Init() tea.Cmd { return drawSoon() }

func drawSoon() tea.Cmd {
	return tea.Tick(time.Second/framesPerSecond, func(time.Time) tea.Msg { return drawMsg{} })
}

// Update implements tea.Model.
func (m *liveModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.ColorProfileMsg:
		m.depth = depthOf(msg.Profile)
	case drawMsg:
		if s := m.view.take(); s != nil {
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
		return m, m.press(msg.String())
	}
	return m, nil
}

// press does what a key is for.
func (m *liveModel) press(key string) tea.Cmd {
	switch key {
	case "f", "F":
		m.full = !m.full
		full := m.full
		return func() tea.Msg { m.pace(full); return nil } // may wait for the match
	case "m", "M":
		m.marks = !m.marks
	case "q", "Q", "ctrl+c":
		m.stop()
	}
	return nil
}

// View implements tea.Model.
func (m *liveModel) View() tea.View {
	v := tea.NewView(m.draw())
	v.AltScreen = true
	v.WindowTitle = "hexarena"
	return v
}

// rate measures turns per second, over the last second or so.
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
