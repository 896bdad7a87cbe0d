package rounds

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hexarena/hexarena/server/cup/exam"
	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/event/versions"
)

// A version takes the exam while no round is played: one that begins interrupts it, and it goes on
// after the round. A version that has taken it does not take it again.
func TestExam(t *testing.T) {
	inBubble(t, Start{Every: 10 * time.Minute}, 2, func(d *day) {
		took, begun := 0, 0
		d.opts.Store = versions.Open(d.event.VersionsDir(), versions.Options{Game: "toy"})
		d.opts.Exam = &Exam{Digest: "x", Marks: []exam.Mark{{Against: "filler", Percent: 60}}}
		d.opts.Exam.Take = func(ctx context.Context, u state.Upload, path string) (exam.Result, error) {
			begun++
			select {
			case <-ctx.Done():
				return exam.Result{}, context.Cause(ctx)
			case <-time.After(15 * time.Minute): // longer than the time between two rounds
				took++
				return exam.Result{Passed: true, Scores: []exam.Score{{Percent: 80, Passed: true}}}, nil
			}
		}
		u := state.Upload{Digest: "0123", File: "bot.js"}
		dir := filepath.Join(d.event.VersionsDir(), u.Digest)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, u.File), []byte("//"), 0o600); err != nil {
			t.Fatal(err)
		}
		d.do(func(s *state.State) (state.Act, error) { return s.Versions.Send(0, u, 1) })
		d.do(func(s *state.State) (state.Act, error) { return s.Versions.Try(0, u.Digest, "") })
		ctx, cancel := context.WithCancel(d.t.Context())
		defer cancel()
		go (&examiner{d.Rounds}).run(ctx)
		d.after(5*time.Minute, 0, 0)
		if begun != 1 {
			t.Errorf("the exam was begun %d times", begun)
		}
		d.after(10*time.Minute, 1, 1)
		d.do(func(s *state.State) (state.Act, error) { return s.Pause(true) })
		time.Sleep(time.Hour)
		synctest.Wait()
		if begun != 2 || took != 1 {
			t.Errorf("the exam was begun %d times and taken %d times, want 2 and 1", begun, took)
		}
		scores := event.Ask(d.event, func(s *state.State) []exam.Score {
			return s.Exams.Scores(0, "x", d.opts.Exam.Marks)
		})
		if len(scores) != 1 || !scores[0].Passed {
			t.Errorf("the scores are %+v", scores)
		}
	})
}
