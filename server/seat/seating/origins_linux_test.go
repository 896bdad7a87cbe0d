package seating_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/seating"
)

func init() {
	special = map[string]func(string){
		"late":   startLate,
		"daemon": logInFromDaemon,
		"alias":  func(nickname string) { _ = os.Setenv("BOT_NICKNAME", nickname) },
		"waive": func(dir string) {
			waitForNote(filepath.Join(dir, "tried"))
			os.Exit(3)
		},
		"wait": func(dir string) { waitForNote(filepath.Join(dir, "true")) },
	}
	loggedIn = map[string]func(string){"twice": logInTwice, "late": func(dir string) {
		writeNote(dir,
			"true", "seated")
	}}
}

// writeNote writes a file that another process waits for.
func writeNote(dir, name, text string) {
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file+".new", []byte(text), 0o600); err != nil {
		panic(err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		panic(err)
	}
}

// waitForNote waits for another process's note.
func waitForNote(file string) string {
	for range time.Tick(time.Millisecond) {
		if text, err := os.ReadFile(file); err == nil {
			return string(text)
		}
	}
	panic("unreachable")
}

// startLate is a bot that starts slowly: it logs in after the impostor's attempt.
func startLate(dir string) {
	writeNote(dir, "started", "")
	waitForNote(filepath.Join(dir, "tried"))
}

// logInTwice logs in a second time, as the bot that starts slowly, and notes the result.
func logInTwice(dir string) {
	waitForNote(filepath.Join(dir, "started"))
	go impersonate(dir, loginAs)
}

// impersonate logs in as the bot that starts slowly, and plays if it gets a seat.
func impersonate(dir string, login func(nickname string) (*netorcai.Client, error)) {
	c, err := login("late")
	if err != nil {
		writeNote(dir, "tried", err.Error())
		return
	}
	writeNote(dir, "tried", "seated")
	if _, err := c.Start(context.Background()); err == nil {
		for turn, _, err := c.Next(context.Background()); turn != nil &&
			err == nil; turn, _, err = c.Next(context.Background()) {
			_ = c.Answer(context.Background(), turn.Number, nil)
		}
	}
}

// logInFromDaemon logs a descendant in as the bot that starts slowly. The descendant is in
// another session and its parent has ended. With the word bare, its environment holds
// only the server's address.
func logInFromDaemon(arg string) {
	dir, how, _ := strings.Cut(arg, " ")
	step := os.Getenv("ARENA_TEST_STEP")
	switch step {
	case "":
	case "1":
		logInAgain(dir, "2", how)
		os.Exit(0)
	case "2":
		for os.Getppid() != 1 && !adopted() {
			time.Sleep(time.Millisecond)
		}
		waitForNote(filepath.Join(dir, "started"))
		impersonate(dir, loginAs)
		os.Exit(0)
	}
	logInAgain(dir, "1", how)
}

// adopted reports whether the parent that started this process has ended.
func adopted() bool { return fmt.Sprint(os.Getppid()) != os.Getenv("ARENA_TEST_PARENT") }

func logInAgain(dir, step, how string) {
	cmd := exec.Command(os.Args[0], childWord, "daemon "+dir+" "+how)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Env = os.Environ()
	if how == "bare" {
		cmd.Env = []string{"BOT_HOST=" + os.Getenv("BOT_HOST"), "BOT_PORT=" + os.Getenv("BOT_PORT")}
	}
	cmd.Env = append(cmd.Env, "ARENA_TEST_STEP="+step, fmt.Sprint("ARENA_TEST_PARENT=", os.Getpid()))
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	if step == "1" {
		_ = cmd.Wait()
	}
}

// A bot that logs in a second time does not get the seat of a bot that starts slowly.
func TestSeatOfASlowBot(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	for _, tt := range []struct {
		evil    string
		ports   bool // each bot has its own port, as on systems without /proc
		strict  bool
		refused string // reason of the impostor's kick; empty: it gets the seat
		late    []string
		evils   []string
	}{
		{"twice", false, false, "LOGIN denied: twice has a seat already", nil, []string{
			`another login of its process, as "late", was refused`,
		}},
		{"twice", true, false, "LOGIN denied: twice has a seat already", nil, []string{
			`another login of its process, as "late", was refused`,
		}},
		{"daemon", false, false, "LOGIN denied: daemon has a seat already", nil, []string{
			`another login of its process, as "late", was refused`,
		}},
		{"daemon bare", false, true, "LOGIN denied: daemon has a seat already", nil, []string{
			`another login of its process, as "late", was refused`,
		}},
		{"stranger", false, false, "", []string{"another process had taken its seat"}, nil},
		{"stranger", false, true, "LOGIN denied: " + seating.ErrUntraced.Error(), nil, nil},
	} {
		t.Run(fmt.Sprint(tt.evil, tt.ports, tt.strict), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			evil, how, _ := strings.Cut(tt.evil, " ")
			first := "(" + strings.TrimSpace(evil+" "+dir+" "+how) + ")"
			if evil == "stranger" {
				first = "walker"
			}
			a := open(t, Options{
				Seats:   seats(t, first, "(late "+dir+")", "(wait "+dir+")"),
				Once:    seating.Once{Strict: tt.strict},
				Options: seating.Options{Launch: seating.Launch{OwnPorts: tt.ports}},
			})
			if evil == "stranger" {
				go func() {
					waitForNote(filepath.Join(dir, "started"))
					impersonate(dir, func(nickname string) (*netorcai.Client, error) {
						return netorcai.Dial(context.Background(), a.Addr().String(),
							netorcai.Login{Nickname: nickname, Role: netorcai.RolePlayer})
					})
				}()
			}
			r := a.Play(t.Context())
			if r.Err != nil || r.Turns != 10 {
				t.Fatalf("report = %+v, want a whole match", r)
			}
			told := strings.TrimPrefix(waitForNote(filepath.Join(dir, "tried")), "kicked: ")
			if tt.refused == "" && told != "seated" || !strings.HasSuffix(told, tt.refused) {
				t.Errorf("the impostor was kicked for %q, want %q", told, tt.refused)
			}
			for i, want := range [][]string{tt.evils, tt.late, nil} {
				s := r.Seats[i]
				if s.Status != result.Held || s.Untraced || s.Answers != 9 || !slices.Equal(s.Remarks, want) {
					t.Errorf("%s: %s %s, untraced %v, %d answers, remarks %q; want it to have played, and %q",
						s.Label, s.Status, s.Error, s.Untraced, s.Answers, s.Remarks, want)
				}
			}
		})
	}
}

// logInAsStranger logs in from this process, which no match has started, and answers.
func logInAsStranger(addr string) error {
	ctx := context.Background()
	c, err := netorcai.Dial(ctx, addr, netorcai.Login{Nickname: "stranger", Role: netorcai.RolePlayer})
	if err != nil {
		return err
	}
	defer c.Close()
	player, err := builtin("walker", 1)
	if err != nil {
		return err
	}
	return c.Play(ctx, player)
}

// A bot may be run by another program, such as a container runtime. Its login gets the
// seat and is marked as untraced, unless the match is strict.
func TestLoginThatCannotBeTraced(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	for _, strict := range []bool{false, true} {
		t.Run(fmt.Sprint(strict), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			a := open(t, Options{
				Seats: seats(t, "walker", "(late "+dir+")"), Once: seating.Once{Strict: strict},
			})
			played := make(chan error, 1)
			go func() {
				waitForNote(filepath.Join(dir, "started"))
				played <- logInAsStranger(a.Addr().String())
				if strict {
					writeNote(dir, "tried", "")
				}
			}()
			r := a.Play(t.Context())
			err := <-played
			s := r.Seats[1]
			if s.Untraced == strict || s.Status != result.Held || s.Answers != 9 {
				t.Errorf("%s %s, untraced %v, %d answers; want it to have played", s.Status, s.Error,
					s.Untraced, s.Answers)
			}
			if strict {
				if err == nil || !strings.Contains(err.Error(), seating.ErrUntraced.Error()) {
					t.Errorf("the stranger was refused for %v, want %v", err, seating.ErrUntraced)
				}
				return
			}
			want := []string{"its login came from a process that was not started for it"}
			if err != nil || !slices.Equal(s.Remarks, want) {
				t.Errorf("remarks = %q, want %q (the stranger ends with %v)", s.Remarks, want, err)
			}
		})
	}
}

// A strict match reports that a bot which never logged in may have been refused.
func TestRefusedLoginsAreTold(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	dir := t.TempDir()
	var a *arena
	a = open(t, Options{Seats: seats(t, "walker", "(waive "+dir+")"), Once: seating.Once{
		Strict: true,
		Progress: func(s *seat.Spec, what string) {
			if s.Label == "waive" && what == "starting" {
				go func() { writeNote(dir, "tried", fmt.Sprint(logInAsStranger(a.Addr().String()))) }()
			}
		},
	}})
	r := a.Play(t.Context())
	want := "exit code 3 before it had logged in; logins for its seat that were refused, since they " +
		"cannot be traced to its process: 1"
	if s := r.Seats[1]; s.Status != result.Absent || s.Error != want {
		t.Errorf("%s, %q; want %q", s.Status, s.Error, want)
	}
}

// A bot that uses another bot's nickname keeps its own seat, and is marked.
func TestNicknameOfAnotherBot(t *testing.T) {
	r := open(t, Options{Seats: seats(t, "(alias walker)", "walker")}).Play(t.Context())
	want := []string{`it calls itself "walker", the nickname of another bot`}
	for i, s := range r.Seats {
		if s.Status != result.Held || s.Answers != 9 || s.Untraced ||
			(i == 0) != slices.Equal(s.Remarks, want) {
			t.Errorf("%s: %s %s, %d answers, remarks %q; want the first to be marked", s.Label, s.Status,
				s.Error, s.Answers, s.Remarks)
		}
	}
}

// An open seat is for clients that the match has not started. An early client does not get
// the seat of a bot that is still starting.
func TestOpenSeat(t *testing.T) {
	thorough.Long(t)
	dir := t.TempDir()
	a := open(t,
		Options{Seats: append(seats(t, "(late "+dir+")"), seat.Spec{Kind: seat.Open, Label: "open"})})
	played := make(chan error, 1)
	go func() {
		waitForNote(filepath.Join(dir, "started"))
		c, err := netorcai.Dial(context.Background(), a.Addr().String(), netorcai.Login{Nickname: "stranger", Role: netorcai.RolePlayer})
		writeNote(dir, "tried", "")
		if err != nil {
			played <- err
			return
		}
		defer c.Close()
		player, err := builtin("walker", 1)
		if err == nil {
			err = c.Play(context.Background(), player)
		}
		played <- err
	}()
	r := a.Play(t.Context())
	if err := <-played; err != nil || r.Err != nil {
		t.Fatalf("the stranger ends with %v, the match with %v", err, r.Err)
	}
	for i, nickname := range []string{"late", "stranger"} {
		if s := r.Seats[i]; s.Nickname != nickname || s.Status != result.Held || s.Answers != 9 ||
			s.Untraced || len(s.Remarks) > 0 {
			t.Errorf("seat %d: %+v, want it to have been %s's", i, s, nickname)
		}
	}
}
