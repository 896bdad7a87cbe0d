//go:build clockjump

package main

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/recording"
)

// The wall clock of the program under test jumps at these times after its start: first
// an hour forwards, then two days backwards. Matches are long enough to be running at
// both times.
const (
	jumpForward = 2 * time.Second
	jumpBack    = 4 * time.Second
	wallNow     = "func Now() Time {\n\tsec, nsec, mono := runtimeNow()\n"
	wallJumps   = `
// wallJump returns the error of the wall clock in seconds.
func wallJump(mono int64) int64 {
	switch since := Duration(mono - startNano); {
	case since < JumpForward:
		return 0
	case since < JumpBack:
		return 3600
	}
	return 3600 - 2*86400
}

` + wallNow + "\tsec += wallJump(mono)\n"
)

// buildJumpy builds hexarena with a wall clock that jumps.
func buildJumpy(t *testing.T) (binary string) {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatalf("go env GOROOT: %v", err)
	}
	overlay := enginetest.Overlay(t, enginetest.Mutant{
		File: filepath.Join(strings.TrimSpace(string(root)), "src", "time", "time.go"),
		Old:  wallNow,
		New: strings.NewReplacer("JumpForward", strconv.FormatInt(int64(jumpForward), 10), "JumpBack",
			strconv.FormatInt(int64(jumpBack), 10)).Replace(wallJumps),
	})
	binary = filepath.Join(t.TempDir(), "hexarena.exe")
	out, err := exec.Command("go", "build", "-overlay", overlay, "-o", binary, ".").CombinedOutput()
	if err != nil {
		t.Fatalf("go build -overlay: %v\n%s", err, out)
	}
	return binary
}

// TestClockJumps plays matches while the wall clock jumps forwards and backwards: turns
// keep their pace, no answer is late, a player that reconnects gets its seat, a silent
// client is refused after the login timeout, and the recordings are correct.
func TestClockJumps(t *testing.T) {
	jumpy := buildJumpy(t)
	t.Run("timer", func(t *testing.T) {
		t.Parallel()
		const turns, delay = 32, 250 * time.Millisecond
		j := newJump(t, jumpy, "--delay-first-turn=100",
			"--delay-turns="+strconv.Itoa(int(delay.Milliseconds())), "--nb-turns-max="+strconv.Itoa(turns))
		j.play(0)
		j.end(turns, (turns-1)*delay)
	})
	t.Run("fast", func(t *testing.T) {
		t.Parallel()
		const turns, think = 26, 300 * time.Millisecond
		j := newJump(t, jumpy, "--fast", "--turn-timeout=20s", "--nb-turns-max="+strconv.Itoa(turns))
		j.fast = true
		j.play(think)
		j.end(turns, (turns-1)*think)
	})
}

// jump is a server whose clock jumps, with its clients.
type jump struct {
	*process
	t     *testing.T
	dir   string
	page  string
	began time.Time
	fast  bool // no player is late
}

// loginTime ends after the first jump for a client that connects before it.
const loginTime = 3 * time.Second

func newJump(t *testing.T, binary string, flags ...string) *jump {
	j := &jump{t: t, dir: t.TempDir()}
	old := filepath.Join(j.dir, "20010101-000000-0.hexarena")
	if err := os.WriteFile(old, nil, 0o644); err != nil { // of any time
		t.Fatal(err)
	}
	if err := os.Chtimes(old, time.Time{}, time.Now().Add(1000*time.Hour)); err != nil {
		t.Fatal(err)
	}
	j.process = startServer(t, func(port string) *exec.Cmd {
		j.page = "127.0.0.1:" + strconv.Itoa(freePort(t))
		j.began = time.Now()
		return exec.Command(binary, append([]string{
			"serve", "--bind=127.0.0.1", "--port=" + port, "--http=" + j.page, "--record=" + j.dir,
			"--json-logs", "--autostart",
			"--nb-players-max=2", "--nb-visus-max=0", "--reconnect=30s",
			"--login-timeout=" + loginTime.String(),
		}, flags...)...)
	})
	return j
}

// play plays the match with two bots, one of which disconnects and reconnects, a viewer,
// a silent client, and clients that send invalid messages from time to time.
func (j *jump) play(think time.Duration) {
	ctx, cancel := context.WithTimeout(j.t.Context(), time.Minute)
	defer cancel()
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(j.silent)
	all.Go(j.viewer)
	over := make(chan struct{})
	all.Go(func() { j.strangers(over) })
	var bots sync.WaitGroup
	bots.Go(func() { j.bot(ctx, "ann", think, false) })
	bots.Go(func() { j.bot(ctx, "bob", think, true) })
	bots.Wait()
	close(over)
}

// bot plays to the end. If returns is set, it disconnects between the jumps, after an
// answer, and reconnects after the next turn.
func (j *jump) bot(ctx context.Context, name string, think time.Duration, returns bool) {
	login := netorcai.Login{Nickname: name, Role: netorcai.RolePlayer}
	c, err := netorcai.Dial(ctx, j.addr, login)
	if err != nil {
		j.t.Error(err)
		return
	}
	defer func() { _ = c.Close() }()
	starts, err := c.Start(ctx)
	for newest := -1; err == nil; {
		var turn *netorcai.Turn
		if turn, _, err = c.Next(ctx); err != nil || turn == nil {
			break
		}
		if turn.Number < newest {
			j.t.Errorf("%s: TURN %d follows %d", name, turn.Number, newest)
		}
		newest = turn.Number
		<-time.After(think)
		if err = c.Answer(ctx, turn.Number, nil); err != nil || !returns ||
			time.Since(j.began) < (jumpForward+jumpBack)/2 {
			continue
		}
		returns = false
		_ = c.Close()
		back, failed := netorcai.Dial(ctx, j.addr, login)
		for failed != nil && ctx.Err() == nil { // the server may not have noticed the disconnect yet
			back, failed = netorcai.Dial(ctx, j.addr, login)
		}
		if err = failed; err != nil {
			break
		}
		c = back
		var again netorcai.GameStarts
		if again, err = c.Start(ctx); err == nil && again.PlayerID != starts.PlayerID {
			j.t.Errorf("%s is player %d after reconnecting, want %d", name, again.PlayerID, starts.PlayerID)
		}
	}
	if err != nil {
		j.t.Errorf("%s: %v", name, err)
	}
}

// silent begins a message and expects to be refused after loginTime, not before.
func (j *jump) silent() {
	began := time.Now() // the server may count from before Dial returns
	conn, err := net.Dial("tcp", j.addr)
	if err != nil {
		j.t.Error(err)
		return
	}
	defer conn.Close()
	_ = conn.SetReadDeadline(began.Add(time.Minute))
	if _, err := conn.Write([]byte{2}); err != nil { // without it, it may be a browser's connection
		j.t.Error(err)
	}
	text, err := io.ReadAll(conn)
	if took := time.Since(began); err != nil ||
		!strings.Contains(string(text), "No LOGIN received within 3s") || took < loginTime {
		j.t.Errorf("a silent client was told %q, %v after %v; want that %v have passed", text, err, took,
			loginTime)
	}
}

// viewer watches to the end.
func (j *jump) viewer() {
	conn, _, err := websocket.DefaultDialer.Dial("ws://"+j.page+"/api/live", nil)
	if err != nil {
		j.t.Error(err)
		return
	}
	defer conn.Close()
	_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
	for {
		_, data, err := conn.ReadMessage()
		if err != nil {
			j.t.Errorf("a viewer before the end: %v", err)
			return
		}
		if strings.HasPrefix(string(data), `{"type":"end"`) {
			return
		}
	}
}

// strangers connects clients that are kicked, which adds lines to the log, and lists the
// recordings.
func (j *jump) strangers(over chan struct{}) {
	again := time.NewTicker(200 * time.Millisecond)
	defer again.Stop()
	for {
		select {
		case <-again.C:
		case <-over:
			return
		}
		if conn, err := net.Dial("tcp", j.addr); err == nil { // the match may just have ended
			_, _ = conn.Write([]byte("\x02\x00\x00\x00{}"))
			_, _ = io.Copy(io.Discard, conn)
			_ = conn.Close()
		}
		if resp, err := http.Get("http://" + j.page + "/api/recordings"); err == nil {
			if resp.StatusCode != http.StatusOK {
				j.t.Errorf("GET /api/recordings: %s", resp.Status)
			}
			_ = resp.Body.Close()
		}
	}
}

// end waits for the server to end by itself. It checks that times in the log jump, and
// that those in the recording, which has this number of turns and this duration, do not.
func (j *jump) end(turns int, takes time.Duration) {
	t := j.t
	t.Helper()
	defer time.AfterFunc(time.Minute, func() { _ = j.Process.Kill() }).Stop()
	eras := map[time.Duration]bool{}
	for line := range j.lines {
		var l struct{ Time time.Time }
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		eras[time.Until(l.Time).Round(time.Hour)] = true
	}
	if err := j.Wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
	for _, era := range []time.Duration{0, time.Hour, -47 * time.Hour} {
		if !eras[era] || len(eras) != 3 {
			t.Errorf("lines of the log are off by %v; want 0, 1h and -47h", eras)
		}
	}
	paths, err := filepath.Glob(filepath.Join(j.dir, "*lagoon*"))
	if err != nil || len(paths) != 1 {
		t.Fatalf("recordings: %v, %v", paths, err)
	}
	r, err := recording.Open(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	replay, err := recording.NewReplay(r, gameList.Replay)
	if err != nil {
		t.Fatal(err)
	}
	lost, at, first := 0, time.Duration(0), time.Duration(0)
	for turn, err := range replay.Turns() {
		if err != nil {
			t.Fatal(err)
		}
		if turn.Step == 1 {
			first, at = turn.At, turn.At
		}
		if pause := turn.At - at; pause < 0 || pause > 10*time.Second {
			t.Errorf("turn %d came %v after the one before", turn.Step, pause)
		}
		at = turn.At
		for _, in := range turn.Inputs {
			if in.Lapse == engine.TimedOut {
				lost++
			}
		}
	}
	if e := r.End(); e == nil || e.Error != "" || e.Turns != turns || lost > 0 && j.fast {
		t.Errorf("the recording ends with %+v; %d answers were late", e, lost)
	}
	if took := at - first; took < takes*9/10 {
		t.Errorf("%d turns took %v, want %v at least", turns, took, takes)
	}
}
