package rounds

import (
	"context"
	"os"
	"path/filepath"
	"sync/atomic"
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
	var took, begun atomic.Int32
	u := state.Upload{Digest: "0123", File: "bot.js"}
	take := func(ctx context.Context, u state.Upload, path string) (exam.Result, error) {
		begun.Add(1)
		select {
		case <-ctx.Done():
			return exam.Result{}, context.Cause(ctx)
		case <-time.After(15 * time.Minute): // longer than the time between two rounds
			took.Add(1)
			return exam.Result{Passed: true, Scores: []exam.Score{{Percent: 80, Passed: true}}}, nil
		}
	}
	marks := []exam.Mark{{Against: "filler", Percent: 60}}
	bubble(t, Start{Every: 10 * time.Minute}, 2, func(d *day) {
		d.opts.Exam = &Exam{Digest: "x", Marks: marks, Take: take}
	}, func(d *day) {
		d.keepVersion(u)
		d.do(func(s *state.State) (state.Act, error) { return s.Versions.Send(0, u, 1) })
		d.do(func(s *state.State) (state.Act, error) { return s.Versions.Try(0, u.Digest, "") })
		store := versions.Open(d.event.VersionsDir(), versions.Options{Game: "toy"})
		ctx, cancel := context.WithCancel(d.t.Context())
		defer cancel()
		go (&examiner{d.Rounds, store}).run(ctx)
		d.after(5*time.Minute, 0, 0)
		if n := begun.Load(); n != 1 {
			t.Errorf("the exam was begun %d times", n)
		}
		d.after(10*time.Minute, 1, 1)
		d.do(func(s *state.State) (state.Act, error) { return &state.RoundsPaused{On: true}, nil })
		time.Sleep(time.Hour)
		synctest.Wait()
		if b, n := begun.Load(), took.Load(); b != 2 || n != 1 {
			t.Errorf("the exam was begun %d times and taken %d times, want 2 and 1", b, n)
		}
		scores := event.Ask(d.event, func(s *state.State) []exam.Score {
			return s.Exams.Scores(0, "x", marks)
		})
		if len(scores) != 1 || !scores[0].Passed {
			t.Errorf("the scores are %+v", scores)
		}
	})
}

// A panic while a version takes the exam ends that exam alone: the other versions take it.
func TestExamPanics(t *testing.T) {
	broken := state.Upload{Digest: "0123", File: "bot.js"}
	good := state.Upload{Digest: "4567", File: "bot.js"}
	take := func(_ context.Context, u state.Upload, _ string) (exam.Result, error) {
		if u.Digest == broken.Digest {
			panic("oh")
		}
		return exam.Result{Passed: true, Scores: []exam.Score{{Percent: 80, Passed: true}}}, nil
	}
	marks := []exam.Mark{{Against: "filler", Percent: 60}}
	bubble(t, Start{Every: time.Hour}, 2, func(d *day) {
		d.opts.Exam = &Exam{Digest: "x", Marks: marks, Take: take}
	}, func(d *day) {
		for team, u := range []state.Upload{broken, good} {
			d.keepVersion(u)
			d.do(func(s *state.State) (state.Act, error) { return s.Versions.Send(team, u, 1) })
			d.do(func(s *state.State) (state.Act, error) { return s.Versions.Try(team, u.Digest, "") })
		}
		store := versions.Open(d.event.VersionsDir(), versions.Options{Game: "toy"})
		ctx, cancel := context.WithCancel(d.t.Context())
		defer cancel()
		go (&examiner{d.Rounds, store}).run(ctx)
		synctest.Wait()
		d.event.Read(func(s *state.State) {
			for team, want := range []bool{false, true} {
				if scores := s.Exams.Scores(team, "x", marks); scores[0].Passed != want {
					t.Errorf("the scores of team %d are %+v", team, scores)
				}
			}
		})
	})
}

// keepVersion writes the file of a version.
func (d *day) keepVersion(u state.Upload) {
	d.t.Helper()
	dir := filepath.Join(d.event.VersionsDir(), u.Digest)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, u.File), []byte("//"), 0o600); err != nil {
		d.t.Fatal(err)
	}
}
