package cupcli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/source"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/cup/remote"
	"github.com/hexarena/hexarena/server/cup/remote/natsqueue"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/machine/filelock"
	"github.com/hexarena/hexarena/server/machine/processors"
)

// WorkerOptions are the options of the command worker.
type WorkerOptions struct {
	cli.Program
	Address string
	Jobs    int // matches at once; 0: one on each core
	Isolate bool
	Stay    bool
	Wait    time.Duration        // for a coordinator that does not answer; 0: for ever
	Scope   config.Scope         // of a cup
	Status  *remote.WorkerStatus // is kept up to date
}

// work is a worker that plays.
type work struct {
	WorkerOptions
	dir  string // of what the coordinator sent
	last string // the folder below it with the bots that are played
}

// Work plays matches of a cup elsewhere, until the cup is over or ctx ends. Mistakes in the address
// are a games.UsageError.
func Work(ctx context.Context, o WorkerOptions) error {
	address, err := natsqueue.ParseAddress(o.Address)
	if err != nil {
		return games.UsageError{Err: err}
	}
	filelock.RemoveAbandoned()
	scratch, err := filelock.MkdirTemp()
	if err != nil {
		return err
	}
	defer scratch.Close()
	id := rand.Text()
	client, err := natsqueue.Dial(address, id)
	if err != nil {
		return games.UsageError{Err: err}
	}
	defer client.Close()
	w := &work{WorkerOptions: o, dir: filepath.Join(scratch.Dir, "sent")}
	if err := os.Mkdir(w.dir, 0o755); err != nil { // which isolated bots have to read
		return err
	}
	if w.Jobs == 0 {
		w.Jobs = processors.Allowed()
	}
	name, _ := os.Hostname() // it is for people
	w.say("asks for matches")
	return remote.Work(ctx, client, remote.WorkerOptions{
		ID: id, Name: fmt.Sprintf("%s-%d", name, os.Getpid()), Version: o.Version, Jobs: w.Jobs,
		Key: address.Key, Stay: o.Stay, Wait: o.Wait,
		Open: w.open, Forget: w.forget, Trouble: client.Trouble, Say: w.say, Status: o.Status,
	})
}

func (w *work) say(text string) { fmt.Fprintln(w.Stderr, tui.Plain("worker: "+text)) }

// open prepares to play a cup: it unpacks and builds the bots, and makes the boards by the settings
// of the cup.
func (w *work) open(
	ctx context.Context, m *remote.Manifest, get func(string) ([]byte, error),
) (remote.Player, error) {
	dir := filepath.Join(w.dir, m.Plan.Digest().String()[:16])
	kept := map[string]bool{filepath.Base(dir): true, w.last: true}
	for i := range m.Plan.Bots {
		name := remote.BotObject(&m.Plan.Bots[i])
		if kept[name] = true; !m.Copied[i] || source.HasCopy(dir, m.Plan, i) {
			continue
		}
		packed, err := w.object(name, get)
		if err == nil {
			err = source.Unpack(packed, dir, m.Plan, i)
		}
		if err != nil {
			return nil, err
		}
	}
	w.last = filepath.Base(dir)
	w.removeBut(kept)
	c, p, err := w.contest(ctx, m, dir)
	if err != nil {
		return nil, err
	}
	if err := c.Build(ctx, w.say); err != nil {
		return nil, err
	}
	if c.Starts() {
		w.say(cli.Rights(c.Isolate))
	}
	return cup.OpenPlayer(c, dir, w.Jobs, p.cores())
}

// object returns an object, which is kept: most bots of an event play in one round and the next.
func (w *work) object(name string, get func(string) ([]byte, error)) ([]byte, error) {
	path := filepath.Join(w.dir, name)
	if data, err := os.ReadFile(path); err == nil {
		return data, nil
	}
	data, err := get(name)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return nil, errors.Join(err, os.Remove(path))
	}
	return data, nil
}

// forget removes all that the coordinator has sent.
func (w *work) forget() error {
	w.last = ""
	entries, err := os.ReadDir(w.dir)
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(w.dir, e.Name())))
	}
	return err
}

// removeBut removes what the coordinator sent before, but for some entries. What stays by mistake
// goes when the worker ends.
func (w *work) removeBut(kept map[string]bool) {
	entries, _ := os.ReadDir(w.dir)
	for _, e := range entries {
		if !kept[e.Name()] {
			_ = os.RemoveAll(filepath.Join(w.dir, e.Name()))
		}
	}
}

// contest makes the contest of a manifest, with the bots in a folder.
func (w *work) contest(
	ctx context.Context, m *remote.Manifest, dir string,
) (*cup.Contest, *prepared, error) {
	var more []string
	if w.Isolate {
		more = append([]string{"--isolate"}, m.Isolated...)
	}
	values, err := valuesOf(w.Scope, m, dir, more)
	if err != nil {
		return nil, nil, err
	}
	p, err := onBoards(Options{
		Values: values, Program: w.Program, Seats: m.Plan.Seats, Jobs: w.Jobs,
	}, m.Plan)
	if err != nil {
		return nil, nil, err
	}
	bots, err := source.EnterCopies(ctx, dir, m.Plan, p.known())
	if err != nil {
		return nil, nil, err
	}
	p.setEntrants(bots)
	p.contest.Plan, p.contest.OneMatch, p.contest.Outputs = m.Plan, m.Sent, m.Sent
	if p.contest.Isolate, err = cli.Isolation(ctx, values, p.contest.Started()); err != nil {
		return nil, nil, err
	}
	return p.contest, p, nil
}

// onBoards returns a cup without bots, on the maps of a plan, which the settings have to give.
func onBoards(o Options, q *plan.Plan) (*prepared, error) {
	p := &prepared{Options: o}
	if err := errors.Join(p.addContest(), p.addShard(), p.addBoards()); err != nil {
		return nil, err
	}
	if got := p.contest.Plan; got.Game != q.Game || !reflect.DeepEqual(got.Maps, q.Maps) {
		return nil, errors.New("the maps of the cup are others than this program makes by its settings")
	}
	return p, nil
}

// valuesOf returns the settings of a manifest, whose maps are written below a folder, and of more
// flags.
func valuesOf(
	scope config.Scope, m *remote.Manifest, dir string, more []string,
) (config.Values, error) {
	names := make([]string, len(m.MapNames))
	for i, name := range m.MapNames {
		names[i] = name
		for _, f := range m.Maps {
			if f.Name != name {
				continue
			}
			names[i] = filepath.Join(dir, "maps", filepath.Base(name)+".json")
			if err := os.MkdirAll(filepath.Dir(names[i]), 0o755); err != nil {
				return config.Values{}, err
			}
			if err := os.WriteFile(names[i], f.Text, 0o644); err != nil {
				return config.Values{}, err
			}
		}
	}
	words := slices.Concat(m.Arguments, more)
	if list := strings.Join(names, ","); list != "" { // else the game has no maps, nor the setting
		words = append(words, "--maps", list)
	}
	flags := pflag.NewFlagSet("settings", pflag.ContinueOnError)
	scope.Flags(flags)
	if err := flags.Parse(words); err != nil {
		return config.Values{}, fmt.Errorf("the settings of the cup: %w", err)
	}
	return scope.Load(flags, nil)
}
