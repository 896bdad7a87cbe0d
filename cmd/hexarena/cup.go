package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cupcli"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/launch"
)

// cupScope holds the settings of cup.
var cupScope = config.Scope{Command: config.Cup, Games: gameList.Settings()}

// cupHelp is the text of hexarena help cup.
var cupHelp = `Play many matches between bots and say how good they are, with errors.

With two bots, OLD and NEW, it answers whether NEW is better. Matches are played until that
is certain: NEW has each seat once in each block of matches, on the same map with the same
seed, and OLD, or the bots of --with, have all others. If one of the two is a built-in bot, it
answers whether the other one is better. With more bots, each plays all others
(--format round-robin), or the first one does (--format gauntlet). In the formats swiss,
knock-out, groups and ladder results decide who plays whom in the next round; bots are named
in the order of their seeds, the best first.

A SEAT is a built-in bot (` + strings.Join(gameList[0].BuiltinNames(), ", ") + `), a file, a command line in
quotes, stdio:COMMAND, or an address, as in hexarena play; or a folder with one file main.*
or bot.* that is started; or a file or folder as git has it, such as my_bot.py@HEAD. A single
FOLDER holds bots, one in each entry. Files and folders are copied first, so that you may go
on editing them; a file that a command line names must not change while the cup is played.
A bot of several files is a folder, or a command line.

--plan takes the bots, the format and all settings from a YAML file, and flags replace them.
--exam lets a bot, or each entry of a folder or a zip archive, play against the bots that a
YAML file names, on its maps and with its seeds, and prints which marks it reaches.

The cup is kept in a folder below cups, or that of --out. The same command goes on where it
was stopped, and an edited bot begins another cup. A bot that hangs, crashes or never logs
in forfeits the match; after three matches in a row it is not started any more. Started
bots run with your rights, or with --isolate in containers.

--http shows the cup on a page while it is played: the standings, the cross-table, from
which one gets to replays of the matches that --keep keeps, and errors. --open opens that
page in a browser, and keeps it after the last match, until Ctrl-C. /metrics beside it is
for Prometheus: leases, results and workers of --workers or --nats.

The subcommands show, why, replay, merge and export read cups: hexarena cup show --help. A bot in a
file of such a name is written ./show.

Exit codes: 0 the cup was played, NEW is better, or all pass the exam; 3 NEW is not better,
or a bot fails; 4 that is not decided, or a submission could not be examined; 2 wrong flags,
bots or settings; 1 anything else, such as an interruption, or a bot of a comparison or an
exam that was in none of its matches.`

// cupCommand is what the command line of a cup says.
type cupCommand struct {
	cupcli.Options
	planFile, examFile string
}

func newCup() *cobra.Command {
	var c cupCommand
	cmd := &cobra.Command{
		Use:   "cup OLD NEW | SEAT SEAT… | FOLDER | --plan FILE | SEAT --exam FILE",
		Short: "Compare bots over many matches",
		Long:  cupHelp,
		Example: `  hexarena cup my_bot.py@HEAD my_bot.py
  hexarena cup my_bot.py painter hunter --count 1000
  hexarena cup my_bot.py painter hunter random --format gauntlet --maps lagoon,crossroads
  hexarena cup submissions/ --until 95%
  hexarena cup my_bot.py --exam course.yaml
  hexarena cup submissions.zip --exam course.yaml --csv`,
		ValidArgsFunction: completeEntrants,
		Args: func(cmd *cobra.Command, args []string) error {
			if c.planFile != "" {
				return nil // it has the bots
			}
			return cobra.MinimumNArgs(1)(cmd, args)
		},
		RunE: c.run,
	}
	c.define(cmd)
	cmd.AddCommand(newCupShow(), newCupWhy(), newCupDigest(), newCupReplay(), newCupMerge(),
		newCupExport())
	return cmd
}

// define adds the flags of a cup to its command.
func (c *cupCommand) define(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&c.Format, "format", "",
		strings.Join(plan.FormatNames(), ", ")+"; sprt with two bots if left out, else round-robin")
	f.IntVar(&c.Count, "count", 0, "matches to play, rounded up to whole blocks; 0 for 400, or any "+
		"number in a comparison and with --until")
	f.StringVar(&c.Until, "until", "", "play until it is this certain which bot is best, such as 95%")
	f.Float64Var(&c.Within, "within", 0, "end also when it is certain that the bots, or all that may "+
		"be the best, are equal within this many points of Elo, such as 20")
	f.DurationVar(&c.For, "for", 0, "stop after this time, such as 5m; the same command goes on")
	f.IntVar(&c.Seats, "seats", 0,
		"bots in a match; 0 for as many as the maps have places, or there are bots")
	f.IntVar(&c.Jobs, "jobs", 0, "matches to play at once; 0 for as many as the cores suffice for")
	f.StringVar(&c.With, "with", "",
		"bots, separated by commas, that have the other seats in a comparison, in place of OLD")
	f.Float64Var(&c.Elo0, "elo0", 0, "the normalised Elo that NEW has if it is not better")
	f.Float64Var(&c.Elo1, "elo1", 30, "the normalised Elo that NEW has if it is better")
	f.StringVar(&c.Out, "out", "", "the cup's folder; cups/NAME-DIGEST if left out")
	f.StringVar(&c.Name, "name", "", "the beginning of its name; the format if left out")
	f.StringVar(
		&c.Keep, "keep", "",
		"of which matches recordings are kept, up to 1 GiB: losses of NEW or of the gauntlet's first "+
			"bot, errors, all or none; if left out, losses or else errors, with built-in bots alone none",
	)
	f.StringVar(&c.Shard, "shard", "",
		"play only a part of the matches, such as 2/3, for hexarena cup merge; needs --seed")
	f.BoolVar(
		&c.Reproducible, "reproducible", false,
		"the started bots draw all random numbers from BOT_SEED, and use no clock and no order that "+
			"differs between processes; a new cup plays each against itself, and refuses if results differ",
	)
	f.StringVar(&c.planFile, "plan", "", "YAML file of the cup: bots, format, count, until, within, "+
		"seats, with, elo0, elo1, and settings such as maps; or the plan.json of a cup")
	f.StringVar(&c.examFile, "exam", "",
		"YAML file of an exam: seeds, seats, marks, and settings such as maps")
	f.StringVar(&c.Workers, "workers", "", "have workers on other machines play the matches, which "+
		"find this one at host:port, such as :4333; prints how to start one")
	f.StringVar(&c.NATS, "nats", "",
		"the same over the NATS servers with JetStream at these URLs, separated by commas")
	f.BoolVar(&c.JSON, "json", false, "print the table as one JSON object")
	f.BoolVar(&c.CSV, "csv", false, "print the table as CSV")
	addProgress(cmd)
	addPage(cmd, &c.Page)
	f.StringVar(&c.Page.Health, "health", "", "address that answers only the probes /healthz and "+
		"/readyz, such as 127.0.0.1:8081; needs --http, which also has /metrics")
	defineSettings(cmd, cupScope)
	showScreen(cmd, cupScreen())
	completeWords(cmd, "format", plan.FormatNames())
	completeFiles(cmd, "plan", "yaml", "yml")
	completeFiles(cmd, "exam", "yaml", "yml")
	completeWords(cmd, "keep", []string{"losses", "errors", "all", "none"})
}

// decideNothing are the flags that do not change which matches a cup plays.
var decideNothing = []string{
	"out", "name", "jobs", "keep", "for", "progress", "json", "csv", "http", "open", "health",
	"workers", "nats", "page-hosts",
}

// run plays the cup.
func (c *cupCommand) run(cmd *cobra.Command, args []string) error {
	f, without := cmd.Flags(), decideNothing
	c.Again = launch.Quote(given(cmd, args))
	earlier, err := ownPlan(c.planFile)
	if err != nil {
		return usage(err)
	}
	if earlier != nil {
		if len(args) > 0 {
			return usageErrorf("--plan: %s has bots: leave those of the command line out: %s", c.planFile,
				strings.Join(args, " "))
		}
		if args, err = takePlan(f, earlier); err != nil {
			return usage(err)
		}
		c.Earlier, c.planFile = earlier, ""
		without = append(slices.Clone(without), "plan")
	}
	c.Arguments, c.Exam, c.Given = args, c.examFile != "", f.Changed
	c.Flags = flagsGiven(cmd, without...)
	c.Program, c.StartBroker = programOf(cmd), startBroker
	c.Page.Program = c.Program
	if err = c.check(f); err == nil {
		err = c.load(f)
	}
	if err != nil {
		return usage(err)
	}
	c.Page.Hosts = c.Values.Text("page-hosts")
	return cupCode(cupcli.Run(cmd.Context(), c.Options))
}

// check returns what is wrong with the flags that are no settings.
func (c *cupCommand) check(f *pflag.FlagSet) error {
	err := errors.Join(notNegative(f, "count", "seats", "jobs"),
		config.CheckAddress("workers", c.Workers), config.CheckAddress("http", c.Page.HTTP),
		config.CheckAddress("health", c.Page.Health))
	switch {
	case err != nil:
		return err
	case c.For < 0 || f.Changed("for") && c.For == 0:
		return fmt.Errorf("--for: %q: want a time such as 30s or 5m", f.Lookup("for").Value)
	case c.Workers != "" && c.NATS != "":
		return errors.New("--workers and --nats exclude each other")
	case (c.Workers != "" || c.NATS != "") && c.Jobs > 0:
		return errors.New(
			"--jobs: workers say themselves how many matches they play at once; leave it out")
	case c.Page.Health != "" && c.Page.HTTP == "":
		return errors.New("--health: without a page nothing is served; give --http as well")
	case c.JSON && c.CSV:
		return errors.New("--json and --csv exclude each other")
	case c.Exam && c.planFile != "":
		return errors.New("--plan and --exam exclude each other")
	case c.Exam:
		return onlyExam(f, c.examFile)
	}
	return nil
}

// load reads the settings, and the file of a plan or an exam. It returns an error if there is no
// such file; Wrong has the mistakes in settings.
func (c *cupCommand) load(f *pflag.FlagSet) error {
	switch {
	case c.Exam:
		c.Values, c.Sheet, c.Wrong = cupScope.LoadSheet(c.examFile, cupcli.ExamKeys, f, nil)
	case c.planFile != "":
		c.Values, c.Sheet, c.Wrong = cupScope.LoadSheet(c.planFile, cupcli.PlanKeys, f, os.Environ())
	default:
		c.Values, c.Wrong = cupScope.Load(f, os.Environ())
		return nil
	}
	if c.Sheet == nil {
		return c.Wrong
	}
	return nil
}

// notNegative returns an error if a flag with a whole number is below 0.
func notNegative(f *pflag.FlagSet, names ...string) error {
	var wrong []error
	for _, name := range names {
		if n, err := f.GetInt(name); err == nil && n < 0 {
			wrong = append(wrong, fmt.Errorf("--%s %d: want a whole number from 0 on", name, n))
		}
	}
	return errors.Join(wrong...)
}

// besideExam are the flags that do not change an exam.
var besideExam = []string{"exam", "jobs", "keep", "out", "name", "json", "csv", "progress"}

// onlyExam returns an error if a flag is given that would change an exam.
func onlyExam(f *pflag.FlagSet, path string) (err error) {
	f.Visit(func(flag *pflag.Flag) {
		if err == nil && !slices.Contains(besideExam, flag.Name) {
			err = fmt.Errorf("--%s: %s says what is played; leave the flag out", flag.Name, path)
		}
	})
	return err
}

// given returns the words of a command line with the flags that were given.
func given(cmd *cobra.Command, args []string) []string {
	words := append(strings.Fields(cmd.CommandPath()), flagsGiven(cmd)...)
	return append(words, args...)
}

// flagsGiven returns the flags that were given, but for those in except.
func flagsGiven(cmd *cobra.Command, except ...string) (words []string) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains(except, f.Name) {
			return
		}
		if f.Value.Type() == "bool" {
			words = append(words, fmt.Sprintf("--%s=%s", f.Name, f.Value))
			return
		}
		words = append(words, "--"+f.Name, f.Value.String())
	})
	return words
}

// cupCode returns an error with the exit code for what a comparison or an exam found, and other
// errors as they are.
func cupCode(err error) error {
	switch {
	case errors.Is(err, cupcli.ErrFailed):
		return exitError{exitExamFailed}
	case errors.Is(err, cupcli.ErrNotBetter):
		return exitError{exitNotBetter}
	case errors.Is(err, cupcli.ErrUndecided), errors.Is(err, cupcli.ErrNotExamined):
		return exitError{exitUndecided}
	}
	return err
}
