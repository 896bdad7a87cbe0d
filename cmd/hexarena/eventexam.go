package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cupcli"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/cup/exam"
	"github.com/hexarena/hexarena/server/event/rounds"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/launch"
)

// examsDir is the folder of an event with the cups that exams are, a folder for each version.
const examsDir = "exams"

// examOf returns the exam of the event, or nil if it has none, and a function that releases it.
// Bots are isolated in it as in rounds.
func (o *eventOptions) examOf(
	ctx context.Context, v config.Values, sending *sentBots,
) (*rounds.Exam, func(), error) {
	if o.exam == "" {
		return nil, func() {}, nil
	}
	if sending.Store == nil {
		return nil, nil, fmt.Errorf(
			"--exam %s: versions that teams send take it, and here they cannot send any, since %s", o.exam,
			sending.Refusal)
	}
	settings := &cobra.Command{}
	settings.SetOut(io.Discard)
	settings.SetErr(io.Discard)
	defineSettings(settings, cupScope)
	f := settings.Flags()
	flags := map[string]string{"js-memory": strconv.Itoa(o.jsMemory)}
	if sending.Store.Isolate() != nil {
		flags["isolate"], flags["isolate-image"] = "true", v.Text("isolate-image")
		flags["isolate-memory"] = strconv.Itoa(v.Int("isolate-memory"))
		flags["isolate-cpus"] = strconv.Itoa(v.Int("isolate-cpus"))
	}
	if node := launch.JSNode.String(); o.js == node {
		flags["js"] = node
	}
	for name, value := range flags {
		if err := f.Set(name, value); err != nil {
			return nil, nil, err
		}
	}
	values, sheet, wrong := cupScope.LoadSheet(o.exam, cupcli.ExamKeys, f, nil)
	if sheet == nil {
		return nil, nil, usage(wrong)
	}
	if sending.Store.Only() != "" && values.Text("js") == launch.JSNode.String() {
		return nil, nil, fmt.Errorf("--exam %s: js: node runs what teams send in a container, "+
			"and nothing isolates bots here: leave it out", o.exam)
	}
	if game := values.Text("game"); wrong == nil && game != v.Text("game") {
		return nil, nil, fmt.Errorf(
			"--exam %s is of the game %s, and the event plays %s: take an exam of that game", o.exam, game,
			v.Text("game"))
	}
	x, err := cupcli.NewExaminer(ctx, cupcli.Options{
		Values: values, Wrong: wrong, Sheet: sheet, Program: programOf(settings),
		Flags: []string{"--exam", o.exam}, Given: f.Changed, Exam: true, Jobs: 1, Keep: "none",
		Out: filepath.Join(o.dir, examsDir),
	})
	if err != nil {
		return nil, nil, err
	}
	return &rounds.Exam{
		Digest: x.Digest(), Marks: x.Marks(),
		Take: func(ctx context.Context, v state.Upload, path string) (exam.Result, error) {
			return x.Take(ctx, path, v.Digest, v.Stdio)
		},
	}, x.Close, nil
}
