package cupcli

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/source"
	"github.com/hexarena/hexarena/server/contest/sprt"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/machine/processors"
	"github.com/hexarena/hexarena/server/seat"
)

// addBoards adds the maps, or what the game has in their place.
func (p *prepared) addBoards() error {
	g, v := p.contest.Game, p.Values
	names := strings.Split(v.Text("maps"), ",")
	var wrong []error
	for _, name := range names {
		name = strings.TrimSpace(name)
		i, err := g.New(v.With("map", name))
		if err != nil {
			if mistake := (*config.Mistake)(nil); errors.As(err, &mistake) && mistake.Key == "map" {
				err = v.Mistake("maps", "%w", mistake.Err)
			}
			wrong = append(wrong, err)
		}
		if err != nil && i.New == nil {
			continue
		}
		if i.Players == 0 { // the rules are in another program, which takes any number
			i.Players = cmp.Or(p.Seats, 2)
		}
		boards := i.Openings
		if boards == nil {
			boards = []games.Instance{i}
		}
		for n, board := range boards {
			title := cmp.Or(name, board.Map, g.Name)
			if len(i.Openings) > 0 {
				title = fmt.Sprint("opening ", n+1)
			}
			if _, err := os.Stat(name); name != "" && err == nil {
				title = strings.TrimSuffix(filepath.Base(name), ".json")
				p.custom = append(p.custom, cup.MapFile{Name: title, Text: board.Board})
			}
			if slices.ContainsFunc(p.contest.Plan.Maps, func(m plan.Map) bool { return m.Name == title }) {
				wrong = append(wrong,
					v.Mistake("maps", "%s is named twice; leave one out, or give its file another name", title))
			}
			p.contest.Boards = append(p.contest.Boards, board)
			p.contest.Plan.Maps = append(p.contest.Plan.Maps,
				plan.Map{Name: title, Digest: sha256.Sum256(board.Setup), Places: board.Players})
		}
	}
	if boards := p.contest.Boards; len(boards) > 0 {
		if rules := g.OtherRules(&boards[0]); rules != "" {
			rule := plan.Setting{Name: "rules", Value: rules}
			p.contest.Plan.Settings = append(p.contest.Plan.Settings, rule)
		}
	}
	return errors.Join(wrong...)
}

// addLogic adds the game logic of a game whose rules are in another program.
func (p *prepared) addLogic(ctx context.Context) error {
	spec, err := cli.NeededLogic(ctx, p.Values, p.contest.Boards[0])
	if spec == nil || err != nil {
		return err
	}
	logic, err := source.EnterLogic(ctx, spec.Argument, p.scratch)
	if err != nil {
		return err
	}
	p.contest.Logic, p.contest.Plan.Logic = logic, &logic.Bot
	return nil
}

// known returns what the game says about bots.
func (p *prepared) known() seat.Known {
	g := p.contest.Game
	return cli.Scripts(p.Values,
		seat.Known{Game: g.Name, HTTTX: g.BotAPI, Builtin: g.NewBuiltin})
}

// addBots adds the bots.
func (p *prepared) addBots(ctx context.Context) (err error) {
	arguments := slices.Clone(p.Arguments)
	if len(arguments) == 1 {
		info, err := os.Stat(arguments[0])
		switch _, builtin := p.known().Builtin(arguments[0], 0); {
		case errors.Is(err, fs.ErrNotExist) && builtin != nil && strings.HasSuffix(arguments[0], "/"):
			return fmt.Errorf("there is no folder %s", arguments[0])
		case err != nil || !info.IsDir():
			return fmt.Errorf("%s alone: name two bots or more, or a folder of bots", arguments[0])
		}
		if arguments, p.left, err = source.Bots(ctx, arguments[0], p.known()); err != nil {
			return err
		}
	}
	if len(arguments) < 2 {
		return errors.New("a cup needs two bots or more, as in: hexarena cup my_bot.py painter hunter")
	}
	if len(arguments) == 2 && p.compares() && p.builtin(arguments[1]) && !p.builtin(arguments[0]) {
		slices.Reverse(arguments) // what the user wrote is compared with a bot that stays the same
	}
	if p.With != "" {
		if len(arguments) != 2 {
			return fmt.Errorf("--with: there are %d bots, and a comparison is of two", len(arguments))
		}
		for name := range strings.SplitSeq(p.With, ",") {
			arguments = append(arguments, strings.TrimSpace(name))
		}
	}
	entrants, err := source.Enter(ctx, arguments, p.known(), p.scratch)
	p.setEntrants(entrants)
	if p.Reproducible && err == nil {
		p.contest.SetReproducible()
	}
	return err
}

// compares reports whether two bots are compared.
func (p *prepared) compares() bool { return p.Format == "" || p.Format == string(plan.Comparison) }

// setEntrants adds the bots that take part.
func (p *prepared) setEntrants(list []source.Entrant) {
	p.contest.Entrants = list
	timed := false
	for i := range list {
		p.contest.Plan.Bots = append(p.contest.Plan.Bots, list[i].Bot)
		timed = timed || !list[i].Reproducible
	}
	if !timed { // a slow machine must not change the results
		p.contest.TurnTimeout = 0
	}
}

// addFormat completes the plan by the format, the seats and the number of matches.
func (p *prepared) addFormat() error {
	q := p.contest.Plan
	q.Format, q.Count = plan.Format(p.Format), p.Count
	if p.Format == "" {
		q.Format = plan.RoundRobin
		if len(q.Bots) == 2 || p.With != "" {
			q.Format = plan.Comparison
		}
	}
	if q.Seats = p.Seats; q.Seats == 0 {
		q.Seats = q.Maps[0].Places
		for _, m := range q.Maps {
			q.Seats = min(q.Seats, m.Places)
		}
		if q.Format != plan.Comparison {
			q.Seats = min(q.Seats, len(q.Bots))
		}
	}
	sharded := p.contest.Shard != plan.Whole
	switch {
	case q.Format != plan.Comparison && (p.wants("elo0") || p.wants("elo1")):
		return fmt.Errorf("--elo0, --elo1: they are the question of a comparison of two bots, and this "+
			"is the format %s; leave them out", q.Format)
	case p.Within < 0 || p.Within > maxWithin:
		return fmt.Errorf("--within %v: want points of Elo up to %d, such as 20", p.Within, maxWithin)
	case p.Within > 0 && q.Format != plan.Comparison && p.Until == "":
		return fmt.Errorf("--within: the format %s asks for no answer; add --until 95%%", q.Format)
	case sharded && (q.Format.Adaptive() || q.Format == plan.Comparison || p.Until != ""):
		return fmt.Errorf("--shard: which matches follow depends on all results, in the format %s and "+
			"with --until; give --count and another format", q.Format)
	case sharded && !p.seedGiven():
		return errors.New("--shard: give --seed as well, so that all shards have the same")
	case q.Format == plan.Comparison && p.Until != "":
		return errors.New("--until: a comparison ends when its answer is certain; leave it out, " +
			"or give --format round-robin")
	case q.Format == plan.Comparison:
		q.Test = &sprt.Hypotheses{NElo0: p.Elo0, NElo1: p.Elo1, Alpha: testError, Beta: testError}
	case p.With != "":
		return fmt.Errorf("--with: bots beside those that are compared have no part in the format %s",
			q.Format)
	case p.Until != "":
		if _, err := plan.ParseUntil(p.Until); err != nil {
			return fmt.Errorf("--until: %w", err)
		}
	case q.Count == 0 && q.Format != plan.Swiss && q.Format != plan.KnockOut &&
		q.Format != plan.Groups:
		q.Count = usualCount
	}
	if q.Format.Adaptive() && p.Until != "" && q.Format != plan.Ladder {
		return fmt.Errorf("--until: a %s ends after its rounds; leave it out", q.Format)
	}
	if p.Until != "" && q.Count == 0 && p.allSame() {
		return errors.New("--until: all bots have the same files, so that none is ever certain to be " +
			"the best; with --count they play all the same")
	}
	return cup.WholeRounds(q)
}

// wants reports whether a flag was given, or the plan's file has its key.
func (p *prepared) wants(flag string) bool {
	return p.Given(flag) || p.Sheet != nil && p.Sheet.Key(flag) != nil
}

// maxWithin bounds the points within which bots are equal: beyond it one wins three times as often.
const maxWithin = 200

// allSame reports whether all bots that are compared are known to be the same program.
func (p *prepared) allSame() bool {
	compared := len(p.contest.Plan.Bots)
	if p.contest.Plan.Format == plan.Comparison {
		compared = 2 // others fill seats
	}
	for bot := range compared {
		if !p.contest.Plan.Same(0, bot) {
			return false
		}
	}
	return true
}

// seedGiven reports whether the user wants a certain seed.
func (p *prepared) seedGiven() bool {
	c := p.Values.Config()
	return c.Seed.Given
}

// choose chooses the folder. If no seed is given, a folder with the same plan except for that is
// taken, so that the same command goes on; else the seed is drawn. A plan with fewer matches is the
// same if no seed is given or the folder is, and grows.
func (p *prepared) choose() error {
	q := p.contest.Plan
	if e := p.Earlier; e != nil && q.Grows() && q.Count > e.Plan.Count {
		q.Count, q.Added = e.Plan.Count, q.Count-e.Plan.Count
	}
	name := cmp.Or(p.Name, string(q.Format))
	drawn := !p.seedGiven()
	if drawn {
		q.Seed = uint64(rand.Uint32()) // short enough to type
	}
	folders := []string{p.Out}
	if p.Out == "" {
		var err error
		if folders, err = cupsCalled(name); err != nil {
			return err
		}
	}
	var others []*archive.Cup
	for _, dir := range folders {
		earlier, err := archive.Open(dir)
		if err != nil || !drawn && p.Out == "" {
			continue
		}
		others = append(others, earlier)
		if drawn && p.as(earlier, 0) {
			return nil
		}
	}
	for _, earlier := range others {
		if more := p.Count - earlier.Plan.Count; more > 0 && p.as(earlier, more) {
			return nil
		}
	}
	if drawn && p.Out != "" && len(others) > 0 {
		q.Seed = others[0].Plan.Seed // not what makes it another cup
	}
	p.dir = cmp.Or(p.Out, filepath.Join(cupsDir, cup.FolderName(name, q, p.contest.Shard)))
	return nil
}

// as makes the contest that of an earlier cup, with more matches, if it differs in nothing but a
// seed that is drawn; else it returns false. To a shard no matches can be added, as all would need
// them.
func (p *prepared) as(earlier *archive.Cup, more int) bool {
	q := *p.contest.Plan
	q.Count, q.Added = q.Count+q.Added-more, more
	if !p.seedGiven() {
		q.Seed = earlier.Plan.Seed
	}
	if q.Digest() != earlier.Plan.Digest() || earlier.Shard != p.contest.Shard ||
		more > 0 && (!q.Grows() || earlier.Shard != plan.Whole) {
		return false
	}
	*p.contest.Plan, p.dir = q, earlier.Dir
	return true
}

// cupsDir is where the folders of cups are, unless --out names another place.
const cupsDir = "cups"

// cupsCalled returns the folders of cups with a name.
func cupsCalled(name string) (folders []string, err error) {
	entries, err := os.ReadDir(cupsDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), cup.FolderPrefix(name)) {
			folders = append(folders, filepath.Join(cupsDir, e.Name()))
		}
	}
	return folders, err
}

// jobs returns how many matches are played at once: without started bots one on each core, else as
// many as have a core for each bot.
func (p *prepared) jobs() int {
	cores := processors.Allowed()
	if p.contest.Starts() {
		cores = max(1, cores/p.contest.Plan.Seats)
	}
	return cmp.Or(p.Jobs, cores)
}

// cores returns the processors for bots: all but one, which hexarena needs for itself; nil if bots
// share them. Containers have limits of their own.
func (p *prepared) cores() []int {
	cores := launch.Cores()
	if !p.contest.Starts() || p.contest.Isolate != nil || len(cores) == 0 ||
		processors.Allowed() < len(cores) {
		return nil // with a quota, no processor is a bot's own
	}
	return cores[1:]
}
