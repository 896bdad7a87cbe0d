// Package event is an event that lasts a day: teams sign up, their bots connect and wait, and
// rounds of matches are played among those that are ready.
//
// Its folder is that of a cup: log.ndjson has a row for each match, and plan.json names the bots,
// so that the commands of cups read it. acts/log.ndjson has what else happened. An [Event] is the
// fold of both in memory; there is nothing else to restore after a crash. Tokens follow from a
// secret in a file of its own, so that neither log has any.
package event

import (
	"bytes"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/machine/disk"
)

// Names of what an event's folder holds beside what a cup's does.
const (
	rowsFile    = "log.ndjson"
	planFile    = "plan.json"
	matchesDir  = "matches"
	versionsDir = "versions"
	workersDir  = "workers"
	outputDir   = "output"
	secretFile  = "secret"
	actsFile    = "acts/log.ndjson"
)

// maxRecent is the number of acts that the operator is shown: as many as fit on a page. The log has
// all.
const maxRecent = 30

// Options say what an event plays.
type Options struct {
	Dir  string
	Disk disk.Disk // where the folder is; nil: on the operating system's, where it is locked
	Plan plan.Plan // game, settings, maps and seats; the bots are the built-in ones, which fill seats
	// Origin says which program begins the event, and how; empty: tables do not say it.
	Origin archive.Origin
	Log    zerolog.Logger // told when the event cannot be written, and when it can again
	// Random is the source of a new event's secret; nil means crypto/rand's.
	Random io.Reader
	// NewTokens allows an event that goes on to make a secret if its own is missing, so that all
	// tokens change.
	NewTokens bool
}

// Event is an event in its folder. Several goroutines may use it at once.
type Event struct {
	folder
	lock   *cup.Folder // nil: there is no other process on the disk
	secret secret
	log    zerolog.Logger

	// writing has capacity 1: the goroutine that has filled it may use the logs and change the
	// state.
	writing    chan struct{}
	acts, rows *disk.Log
	// stale are recordings that were there when the event was opened, of matches without a result
	stale []string

	officials officials

	mu      sync.Mutex // guards all below
	state   *state.State
	recent  []state.Act   // the last ones, the oldest first
	queue   []*played     // results that wait to be written
	failure error         // why nothing can be written; nil: all is well
	changed chan struct{} // closed and replaced when something has changed
}

// Open opens the event in a folder, or begins one. One process at a time has it open.
func Open(o Options) (*Event, error) {
	e := &Event{
		folder: folder{dir: o.Dir, disk: disk.Or(o.Disk), plan: o.Plan}, log: o.Log,
		changed: make(chan struct{}), writing: make(chan struct{}, 1),
	}
	if o.Disk == nil {
		err := disk.MakeFolder(filepath.Join(o.Dir, filepath.Dir(actsFile)), disk.PrivateFolder)
		if err == nil {
			e.lock, err = cup.Lock(o.Dir)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := e.read(&o); err != nil {
		e.Close()
		return nil, fmt.Errorf("the event in %s: %w", o.Dir, err)
	}
	return e, nil
}

// read reads the secret and both logs, and writes the plan.
func (e *Event) read(o *Options) (err error) {
	if e.secret, err = openSecret(e.disk, e.dir, o); err != nil {
		return err
	}
	acts, rows := []byte(nil), []byte(nil)
	if e.acts, acts, err = disk.OpenLog(e.disk, filepath.Join(e.dir, actsFile)); err != nil {
		return err
	}
	if e.rows, rows, err = disk.OpenLog(e.disk, filepath.Join(e.dir, rowsFile)); err != nil {
		return err
	}
	for _, dir := range []string{e.dir, filepath.Join(e.dir, filepath.Dir(actsFile))} {
		if err = e.disk.SyncDir(dir); err != nil {
			return err
		}
	}
	if err = e.keepMaps(); err != nil {
		return err
	}
	if err = e.keepOrigin(o.Origin, len(acts)+len(rows) == 0); err != nil {
		return fmt.Errorf("%s: %w", archive.OriginFile, err)
	}
	if err = e.fold(acts, rows); err != nil {
		return err
	}
	e.stale = e.staleRecordings()
	if err = e.finishForgetting(); err != nil {
		return err
	}
	return e.writePlan(e.state.Teams.All())
}

// fold computes the state from the texts of both logs.
func (e *Event) fold(acts, rows []byte) error {
	e.state = state.New(e.Builtins(), e.plan.Seats)
	list, err := state.ParseActs(acts)
	if err != nil {
		return fmt.Errorf("%s: %w", actsFile, err)
	}
	played, err := parseRows(rows)
	if err != nil {
		return err
	}
	e.recent = slices.Clone(list[max(0, len(list)-maxRecent):])
	return e.state.Fold(list, played)
}

// parseRows returns the results of a text.
func parseRows(text []byte) (rows []*results.Row, err error) {
	r := results.NewReader(bytes.NewReader(text), 0, 0)
	for {
		row, err := r.Read()
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", rowsFile, err)
		}
		rows = append(rows, row)
	}
}

// ErrWrongCode reports that a code is not the one for signing up.
var ErrWrongCode = errors.New(
	"the code is not the one on the screen: type the eight letters that it shows")

// Close releases the folder. Nothing may be done with the event afterwards.
func (e *Event) Close() {
	for _, l := range []*disk.Log{e.acts, e.rows} {
		if l != nil {
			_ = l.Close()
		}
	}
	if e.lock != nil {
		e.lock.Close()
	}
}

// Read calls f with the state, which f must neither change nor keep.
func (e *Event) Read(f func(*state.State)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	f(e.state)
}

// Ask returns the answer to a question about the state.
func Ask[T any](e *Event, question func(*state.State) T) (answer T) {
	e.Read(func(s *state.State) { answer = question(s) })
	return answer
}

// SignUp adds a team, if the code is the one that the screen shows, and returns it with its token.
func (e *Event) SignUp(name, code string) (state.Team, string, error) {
	return e.SignUpFrom("", name, code, state.Declared{})
}

// SignUpFrom is SignUp for a team from an address, with what it declares; "" for one of the class
// list.
func (e *Event) SignUpFrom(
	address, name, code string, d state.Declared,
) (t state.Team, token string, err error) {
	if !e.HasCode(code) {
		return t, "", ErrWrongCode
	}
	defer e.write()()
	var a *state.TeamJoined
	var all []*state.Team
	e.Read(func(s *state.State) {
		if a, err = s.Teams.SignUp(name, address); err == nil {
			a.Declared = d
			all = append(slices.Clone(s.Teams.All()), &state.Team{Nick: a.Nick})
		}
	})
	if err != nil {
		return t, "", err
	}
	// The plan first, so that it has the bots of all rows.
	if err = e.noted(e.writePlan(all)); err != nil {
		return t, "", err
	}
	err = e.writeAct(func(*state.State) (state.Act, error) { return a, nil })
	if err != nil {
		return t, "", err
	}
	return state.Team{Number: a.Team, Name: a.Name, Nick: a.Nick}, e.secret.token(a.Team), nil
}

// SignUpClass signs up a team for each line of a list whose name no team has or had. The error
// names every line with a mistake; then no team was signed up.
func (e *Event) SignUpClass(list string) (err error) {
	var names []string
	e.Read(func(s *state.State) { names, err = s.Teams.NewNames(list) })
	for i := 0; i < len(names) && err == nil; i++ {
		_, _, err = e.SignUp(names[i], e.Code())
	}
	return err
}

// remember keeps an act for Recent. The caller holds mu.
func (e *Event) remember(a state.Act) {
	e.recent = append(e.recent, a)
	if len(e.recent) > maxRecent {
		e.recent = e.recent[1:]
	}
}

// Recent calls f with the state and the last acts, the oldest first, which f must neither change
// nor keep.
func (e *Event) Recent(f func(s *state.State, acts []state.Act)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	f(e.state, e.recent)
}

// notify wakes all who wait on changed. The caller holds mu.
func (e *Event) notify() {
	close(e.changed)
	e.changed = make(chan struct{})
}

// Begin starts a round of the teams that are ready, if there are two or more, and returns it, else
// nil. The last round must be over.
func (e *Event) Begin(ready []int, near bool) (*state.Round, error) {
	if len(ready) < 2 {
		return nil, nil
	}
	return e.Start(func(s *state.State) (state.Act, error) { return s.StartRound(ready, near), nil })
}

// Start starts a round by the act that next returns, and returns it.
func (e *Event) Start(next func(*state.State) (state.Act, error)) (*state.Round, error) {
	if err := e.Do(next); err != nil {
		return nil, err
	}
	return Ask(e, (*state.State).Last), nil
}

// ErrRemoved reports that a team was removed.
var ErrRemoved = errors.New("the operator has removed the team")

// Login returns the team of a bot, by the team's token in the field token or as the nickname.
func (e *Event) Login(m netorcai.Login) (t state.Team, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	sent := m.Token
	if sent == "" {
		sent = m.Nickname
	}
	team := e.teamOf(sent)
	switch {
	case team == nil:
		return t, errors.New("a token is needed here, in the field token of LOGIN or as the " +
			"nickname: sign up on the page /join")
	case team.Removed:
		return t, ErrRemoved
	case m.Role != netorcai.RolePlayer:
		return t, errors.New("the token is for a player")
	}
	return *team, nil
}

// teamOf returns the team with a token, or nil. It always compares all.
func (e *Event) teamOf(token string) (found *state.Team) {
	for _, t := range e.state.Teams.All() {
		if subtle.ConstantTimeCompare([]byte(token), []byte(e.secret.token(t.Number))) == 1 {
			found = t
		}
	}
	return found
}

// Token returns the token of a team.
func (e *Event) Token(team int) string { return e.secret.token(team) }

// Owns reports whether a token is that of a team, or the operator's.
func (e *Event) Owns(token string, team int) bool {
	own := subtle.ConstantTimeCompare([]byte(token), []byte(e.secret.token(team))) == 1
	return e.Operates(token) || own
}

// Team returns the team with a token.
func (e *Event) Team(token string) (t state.Team, found bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if one := e.teamOf(token); one != nil {
		return *one, true
	}
	return t, false
}

// Key returns the key by which the bots of a team are recognized.
func Key(team int) string { return fmt.Sprint("team ", team) }

// Admin returns the operator's token.
func (e *Event) Admin() string { return e.secret.admin() }

// Code returns the code for signing up.
func (e *Event) Code() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.secret.code(e.state.Codes())
}

// HasCode reports whether a code is the one for signing up, in letters of any case and with any
// spaces or hyphens.
func (e *Event) HasCode(code string) bool {
	typed := strings.NewReplacer(" ", "", "-", "").Replace(strings.ToUpper(code))
	return subtle.ConstantTimeCompare([]byte(typed), []byte(e.Code())) == 1
}

// Operates reports whether a token is the operator's.
func (e *Event) Operates(token string) bool {
	return subtle.ConstantTimeCompare([]byte(token), []byte(e.secret.admin())) == 1
}
