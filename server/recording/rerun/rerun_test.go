package rerun

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
)

// The tests' binary is also the bot.
func TestMain(m *testing.M) {
	switch task := os.Getenv("RERUN_TEST_BOT"); task {
	case "":
	case "special":
		special()
		return
	default:
		bot(task)
		return
	}
	goleak.VerifyTestMain(m)
}

// golden is a recorded match of three players and 50 turns.
const golden = "../testdata/v1" + recording.Extension

// hexabombGames is a recording.Games that knows hexabomb.
func hexabombGames(_ string, board []byte) (engine.Game, error) {
	m, err := hexabomb.ParseMap(board)
	if err != nil {
		return nil, err
	}
	return hexabomb.New(m), nil
}

// bot answers as player 1 has in the golden recording, but for what its task
// says.
func bot(task string) {
	ctx := context.Background()
	answers := recordedAnswers(1)
	c, err := netorcai.Dial(ctx, os.Getenv("BOT_HOST")+":"+os.Getenv("BOT_PORT"),
		netorcai.Login{Nickname: os.Getenv("BOT_NICKNAME"), Role: netorcai.RolePlayer})
	if err != nil {
		panic(err)
	}
	if _, err := c.Start(ctx); err != nil {
		panic(err)
	}
	for {
		turn, _, err := c.Next(ctx)
		if err != nil || turn == nil {
			os.Exit(0)
		}
		if turn.Number == 20 {
			switch task {
			case "crash":
				os.Stderr.WriteString("out of cheese\n")
				os.Exit(3)
			case "sleep":
				<-time.After(time.Hour)
			}
		}
		actions := answers[turn.Number]
		if task == "differ" && turn.Number%10 == 3 {
			actions = []byte(`["` + strconv.Itoa(turn.Number) + `"]`)
		}
		if err := c.Answer(ctx, turn.Number, actions); err != nil {
			panic(err)
		}
	}
}

// special logs in as a special player, wants to be the first, and answers 1 to each TURN.
func special() {
	ctx := context.Background()
	c, err := netorcai.Dial(ctx, os.Getenv("BOT_HOST")+":"+os.Getenv("BOT_PORT"),
		netorcai.Login{Nickname: os.Getenv("BOT_NICKNAME"), Role: netorcai.RoleSpecialPlayer})
	if err != nil {
		panic(err)
	}
	starts, err := c.Start(ctx)
	if err != nil || starts.PlayerID != 0 || starts.NbPlayers != 1 || starts.NbSpecialPlayers != 2 {
		panic(fmt.Sprint(starts, err))
	}
	for {
		turn, _, err := c.Next(ctx)
		if err != nil || turn == nil {
			os.Exit(0)
		}
		if err := c.Answer(ctx, turn.Number, []byte("[1]")); err != nil {
			panic(err)
		}
	}
}

// recordedAnswers returns what a player answered to each TURN of the golden recording.
func recordedAnswers(player engine.PlayerID) map[int][]byte {
	file, err := recording.Open(golden)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	answers := map[int][]byte{}
	for t, err := range file.Turns() {
		if err != nil {
			panic(err)
		}
		for i := range t.Inputs {
			if in := &t.Inputs[i]; in.Player == player && in.Lapse == engine.Answered {
				answers[in.Input.Turn] = bytes.Clone(in.Actions)
			}
		}
	}
	return answers
}

func rerun(ctx context.Context, t *testing.T, task string) (*Report, error) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Run(ctx, Options{
		Path: golden, Games: hexabombGames, Seat: 1, Argv: []string{program},
		Env:          []string{"RERUN_TEST_BOT=" + task},
		StartTimeout: 20 * time.Second, TurnTimeout: 20 * time.Second,
	})
}

func TestRun(t *testing.T) {
	r, err := rerun(context.Background(), t, "play")
	if err != nil {
		t.Fatal(err)
	}
	if r.Answers != 49 || r.Compared < 40 || len(r.Differences) != 0 || r.Time.Max <= 0 {
		t.Errorf("report = %+v, want 49 answers, all the same", r)
	}
	r, err = rerun(context.Background(), t, "differ")
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Differences) < 3 || r.Differences[0].Turn != 3 || r.Differences[0].Answered != `["3"]` {
		t.Errorf("report = %+v, want differences from TURN 3 on", r)
	}
}

// A bot has the recorded seat, also that of a special player, and a recording without rules and
// without an end is played as far as it goes.
func TestRunSpecialOfExternalRules(t *testing.T) {
	w := recording.New(recording.Options{Dir: t.TempDir()})
	table := match.Table{Players: 1, Specials: 2, Settings: match.Settings{Turns: 9}}
	for _, role := range []match.Role{match.Special, match.Special, match.Player} {
		table.Seats = append(table.Seats,
			match.SeatInfo{Candidate: match.Candidate{Nickname: "a", Role: role}})
	}
	frame := &match.Frame{State: []byte(`{"turn":0}`), Table: table}
	w.Started(frame)
	for step := 1; step <= 4; step++ {
		play := &match.Play{Step: step, Frame: frame, Result: engine.Result{Winner: engine.NoPlayer}}
		if step > 1 {
			play.Answers = []match.Answer{
				{Input: engine.Input{Player: 0, Turn: step - 2, Actions: []byte(" [ 1]")}},
			}
		}
		frame.State = fmt.Appendf(nil, `{"turn":%d}`, step)
		w.Played(play)
	}
	w.Ended(&match.Ending{Steps: 4, Winner: engine.NoPlayer, Err: errStopped})
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), Options{
		Path: w.Path(), Games: hexabombGames, Seat: 0, Argv: []string{program},
		Env:          []string{"RERUN_TEST_BOT=special"},
		StartTimeout: 20 * time.Second, TurnTimeout: 20 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Answers != 4 || r.Compared != 3 || len(r.Differences) != 0 {
		t.Errorf("report = %+v, want four answers, three of them compared, and no difference", r)
	}
}

func TestBotFails(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	_, err := rerun(context.Background(), t, "crash")
	var failed *BotError
	if !errors.As(err, &failed) || !strings.Contains(err.Error(), "no answer to TURN 20") ||
		!strings.Contains(err.Error(), "exit code 3") ||
		strings.Join(failed.Tail, "") != "out of cheese" {
		t.Errorf("Run = %v, want a bot that ended with 3 at TURN 20", err)
	}
	ctx, cancel := context.WithTimeoutCause(context.Background(), 300*time.Millisecond, errStopped)
	defer cancel()
	if _, err := rerun(ctx, t, "sleep"); !errors.Is(err, errStopped) {
		t.Errorf("Run = %v, want %v", err, errStopped)
	}
}

var errStopped = errors.New("stopped by the test")

func TestNoSuchSeat(t *testing.T) {
	_, err := Run(context.Background(), Options{Path: golden, Games: hexabombGames, Seat: 3})
	if err == nil || !strings.Contains(err.Error(), "3 is not in 0…2") {
		t.Errorf("Run = %v, want that there is no seat 3", err)
	}
}
