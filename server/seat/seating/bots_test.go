package seating_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/protocol/netorcai"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == childWord {
		fmt.Println("hello from", os.Getenv("BOT_NICKNAME"))
		childBot(os.Args[2])
	}
	if len(os.Args) == 3 && os.Args[1] == stdioWord {
		stdioBot(os.Args[2])
		os.Exit(0)
	}
	thorough.Overlap()
	goleak.VerifyTestMain(m)
}

// childBot is a bot in its own process. The number in its task is the TURN at which it
// performs the task.
func childBot(task string) {
	name, arg, _ := strings.Cut(task, " ")
	at, _ := strconv.Atoi(arg)
	switch name {
	case "refuse":
		fmt.Println("I will not play")
		os.Exit(3)
	case "mute":
		hang()
	case "second":
		if os.Mkdir(filepath.Join(arg, "tried"), 0o700) == nil {
			os.Exit(3)
		}
	case "places":
		placeAsChild()
	case "serves":
		serveAsChild(arg)
	case "stays":
		stayAsChild(arg, false)
	}
	if prepare := special[name]; prepare != nil {
		prepare(arg)
	}
	ctx := context.Background()
	c, err := loginAs(os.Getenv("BOT_NICKNAME"))
	if err != nil {
		fmt.Println(err)
		os.Exit(4)
	}
	if after := loggedIn[name]; after != nil {
		after(arg)
	}
	if _, err = c.Start(ctx); err != nil {
		os.Exit(5)
	}
	for {
		turn, _, err := c.Next(ctx)
		if err != nil {
			os.Exit(6)
		}
		if turn == nil { // as old clients do
			os.Exit(1)
		}
		number := turn.Number
		if number == at {
			switch name {
			case "crash":
				fmt.Println("Traceback: it went wrong")
				os.Exit(9)
			case "quit":
				os.Exit(0)
			case "hang":
				hang()
			case "cheat":
				number++
			}
		}
		if err := c.Answer(ctx, number, nil); err != nil {
			os.Exit(7)
		}
		if name == "done" && number == at {
			_ = c.Close()
			os.Exit(0)
		}
	}
}

// loginAs logs a child in.
func loginAs(nickname string) (*netorcai.Client, error) {
	addr := net.JoinHostPort(os.Getenv("BOT_HOST"), os.Getenv("BOT_PORT"))
	return netorcai.Dial(context.Background(), addr,
		netorcai.Login{Nickname: nickname, Role: netorcai.RolePlayer})
}

// Tasks of children before and after the login.
var special, loggedIn map[string]func(arg string)

// hang blocks until the process is killed. The runtime would report a select without
// cases as a deadlock.
func hang() { <-time.After(time.Hour) }

// walkingBot is a built-in bot that moves its first character at random.
type walkingBot struct {
	rng     *rand.Rand
	id      int32
	failure func(turn int) error
}

func (w *walkingBot) Start(m netorcai.GameStarts) error {
	state, err := hexabomb.ParseState(m.State)
	if err != nil {
		return err
	}
	for _, c := range state.Characters {
		if c.Color.Player() == engine.PlayerID(m.PlayerID) {
			w.id = c.ID
			return nil
		}
	}
	return errors.New("no character")
}

func (w *walkingBot) Turn(m netorcai.Turn) ([]byte, error) {
	if w.failure != nil {
		if err := w.failure(m.Number); err != nil {
			return nil, err
		}
	}
	return fmt.Appendf(nil, `[{"id":%d,"movement":"move","direction":%q},{"id":99,"movement":"revive"}]`,
		w.id, hexgrid.Dirs[w.rng.IntN(hexgrid.NumDirs)]), nil
}

func (w *walkingBot) End(netorcai.GameEnds) {}

func builtin(name string, seed uint64) (netorcai.Bot, error) {
	w := &walkingBot{rng: rand.New(rand.NewPCG(seed, 0))}
	if text, ok := strings.CutPrefix(name, "says "); ok {
		return &fixedBot{w, []byte(text)}, nil
	}
	switch name {
	case "walker", "ghost":
	case "clumsy":
		w.failure = func(turn int) error {
			if turn == 2 {
				return errors.New("stumbled")
			}
			return nil
		}
	case "wild":
		w.failure = func(turn int) error { panic("roar") }
	default:
		return nil, errUnknown
	}
	return w, nil
}
