//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/tools/harness"
)

// eventTrial is an attack on an event.
type eventTrial struct {
	*options
	*harness.Process
	ctx    context.Context
	r      *row
	addr   string // host and port
	log    string // its file
	admin  string // the operator's token
	worker string // the address for workers
}

// onEvent returns what runs an attack on an event of its own. course reports what does not hold by
// faults of the row.
func onEvent(course func(*eventTrial) error) func(*options, context.Context, attack) (row, error) {
	return func(o *options, ctx context.Context, a attack) (r row, err error) {
		r.attack = a
		dir, err := os.MkdirTemp(o.Dir, "event-")
		if err != nil {
			return r, err
		}
		defer os.RemoveAll(dir)
		t := &eventTrial{options: o, ctx: ctx, r: &r, log: filepath.Join(dir, "log")}
		if err := t.open(dir); err != nil {
			return r, err
		}
		defer t.Stop()
		if err := course(t); err != nil {
			return r, err
		}
		_, status, err := t.from("127.0.0.1").ask(http.MethodGet, "/screen.json", "", nil)
		if err != nil || status != http.StatusOK {
			r.fault("the screen is answered with %d, %v", status, err)
		}
		r.peak = int64(harness.Peak(t.ID()))
		r.judge(0)
		return r, nil
	}
}

// open starts the event.
func (t *eventTrial) open(dir string) error {
	var ports [2]string
	for i := range ports {
		port, err := harness.FreePort()
		if err != nil {
			return err
		}
		ports[i] = strconv.Itoa(port)
	}
	t.addr = net.JoinHostPort("127.0.0.1", ports[0])
	var err error
	t.Process, err = t.start(t.ctx, servedOn, "sh", "-c", `log=$1; shift; exec "$@" 2>"$log"`,
		"sh", t.log, t.Hexarena, "event", filepath.Join(dir, "event"),
		"--bind", "127.0.0.1", "--port", ports[0], "--send", "trusted", "--rounds", "operator",
		"--turns", "10", "--workers", net.JoinHostPort("127.0.0.1", ports[1]))
	for err == nil && t.worker == "" {
		var line []byte
		line, err = t.Line()
		if _, token, found := strings.Cut(string(line), "/admin#"); found {
			t.admin = token
		}
		if _, worker, found := strings.Cut(string(line), "hexarena worker '"); found {
			t.worker, _, _ = strings.Cut(worker, "'")
		}
	}
	if err == nil {
		t.Watch(func([]byte) {})
	}
	return err
}

// machine sends requests from one address.
type machine struct {
	*eventTrial
	http http.Client
	dial net.Dialer
}

func (t *eventTrial) from(address string) *machine {
	m := &machine{eventTrial: t, dial: net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}}
	m.http.Transport = &http.Transport{DialContext: m.dial.DialContext, MaxIdleConnsPerHost: 64}
	return m
}

// ask sends a request with a token and a body, which is sent as JSON unless it is a text, and
// returns the answer and its status.
func (m *machine) ask(
	method, path, token string, body any,
) (answer map[string]any, status int, err error) {
	text, isText := body.(string)
	if !isText {
		encoded, err := json.Marshal(body)
		if err != nil {
			return nil, 0, err
		}
		text = string(encoded)
	}
	req, err := http.NewRequestWithContext(m.ctx, method, "http://"+m.addr+path,
		strings.NewReader(text))
	if err != nil {
		return nil, 0, err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := m.http.Do(req)
	if err != nil {
		return nil, 0, err
	}
	defer resp.Body.Close()
	m.r.tally.Requests++
	if resp.StatusCode >= http.StatusBadRequest {
		m.r.tally.Refused++
	}
	err = json.NewDecoder(resp.Body).Decode(&answer)
	return answer, resp.StatusCode, err
}

// code returns the code that the screen shows.
func (m *machine) code() (string, error) {
	answer, _, err := m.ask(http.MethodGet, "/screen.json", "", nil)
	code, _ := answer["code"].(string)
	return code, err
}

// signUp signs teams up and returns their tokens, fewer if some are refused.
func (m *machine) signUp(prefix, code string, n int) (tokens []string, err error) {
	for i := range n {
		team := map[string]any{"name": fmt.Sprint(prefix, i), "code": code}
		answer, status, err := m.ask(http.MethodPost, "/join", "", team)
		if err != nil {
			return tokens, err
		}
		if status == http.StatusOK {
			tokens = append(tokens, answer["token"].(string))
		}
	}
	return tokens, nil
}

// fillEvent signs up as many teams as it can from two addresses, which one act each removes.
func fillEvent(t *eventTrial) error {
	code, err := t.from("127.0.0.1").code()
	if err != nil {
		return err
	}
	for _, address := range []string{"127.0.1.1", "127.0.1.2"} {
		tokens, err := t.from(address).signUp(address+" ", code, 200)
		if err != nil {
			return err
		}
		if len(tokens) > 45 {
			t.r.fault("%d teams of an address have signed up", len(tokens))
		}
	}
	if tokens, err := t.from("127.0.1.3").signUp("honest ", code, 30); err != nil || len(tokens) < 30 {
		t.r.fault("of a class of 30 %d have signed up, %v", len(tokens), err)
	}
	for _, address := range []string{"127.0.1.1", "127.0.1.2"} {
		removed := map[string]any{"address": address, "back": 10}
		answer, status, err := t.from("127.0.0.1").ask(
			http.MethodPost, "/admin/remove-address", t.admin, removed)
		if err != nil || status != http.StatusOK {
			t.r.fault("the teams of an address are not removed: %v, %v", answer, err)
		}
	}
	return nil
}

// wrongCodes sends wrong codes from one address, from which 30 teams with the right one join.
func wrongCodes(t *eventTrial) error {
	m := t.from("127.0.1.1")
	code, err := m.code()
	if err != nil {
		return err
	}
	wrong := make(chan error, 1)
	go func() {
		_, err := t.from("127.0.1.1").quietly(func(other *machine) ([]string, error) {
			return other.signUp("wrong ", "AAAAAAAA", 10_000/t.scale)
		})
		wrong <- err
	}()
	began := time.Now()
	tokens, err := m.signUp("pupil ", code, 30)
	if took := time.Since(began); len(tokens) < 30 || took > time.Minute {
		t.r.fault("%d of 30 teams have joined in %v, %v", len(tokens), took.Round(time.Second), err)
	}
	return errors.Join(err, <-wrong)
}

// quietly does something for a machine whose requests are not counted, beside others that are.
func (m *machine) quietly(do func(*machine) ([]string, error)) ([]string, error) {
	trial := *m.eventTrial
	trial.r = new(row)
	other := *m
	other.eventTrial = &trial
	return do(&other)
}

// maxLog bounds the log of an event after 2000 logins that it refuses: 2 kinds of lines of 200
// bytes, of which an address causes a hundred at once and five a second.
const maxLog = 200 << 10

// wrongTokens logs in with wrong tokens.
func wrongTokens(t *eventTrial) error {
	for range 2000 / t.scale {
		_, err := netorcai.Dial(t.ctx, t.addr,
			netorcai.Login{Nickname: "x", Role: netorcai.RolePlayer, Token: "AAAAAAAAAA"})
		if kick := (*netorcai.KickError)(nil); !errors.As(err, &kick) {
			t.r.fault("a wrong token is answered with %v", err)
			break
		}
		t.r.tally.Requests++
	}
	if info, err := os.Stat(t.log); err != nil || info.Size() > maxLog {
		t.r.fault("the log has %d bytes, %v", info.Size(), err)
	}
	return nil
}

// The least bots that hang, and that play.
const (
	sleeps = "#!/bin/sh\nexec sleep 60%d\n"
	paints = "#!/bin/sh\nexec %s bot painter --port $BOT_PORT\n"
)

// sleepingVersions holds up test matches and uploads.
func sleepingVersions(t *eventTrial) error {
	const sleepers, uploads, limit = 8, 16, time.Minute
	m := t.from("127.0.1.1")
	code, err := m.code()
	if err != nil {
		return err
	}
	tokens, err := m.signUp("team ", code, sleepers+uploads)
	if err != nil || len(tokens) < sleepers+uploads {
		return fmt.Errorf("%d teams have signed up, %w", len(tokens), err)
	}
	honest, err := t.from("127.0.1.2").signUp("honest ", code, 1)
	if err != nil || len(honest) < 1 {
		return fmt.Errorf("no honest team has signed up: %w", err)
	}
	for i, token := range tokens[:sleepers] {
		bot := fmt.Sprintf(sleeps, i)
		_, _, err := m.ask(http.MethodPost, "/event/versions?name=a.sh", token, bot)
		if err != nil {
			return err
		}
	}
	for _, token := range tokens[sleepers:] {
		conn, err := m.dial.DialContext(t.ctx, "tcp", t.addr)
		if err != nil {
			return err
		}
		defer conn.Close()
		fmt.Fprintf(conn, "POST /event/versions?name=a.sh HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer "+
			"%s\r\nContent-Length: 100000\r\n\r\n#", t.addr, token)
	}
	other := t.from("127.0.1.2")
	bot := fmt.Sprintf(paints, t.Hexarena)
	answer, status, err := other.ask(http.MethodPost, "/event/versions?name=b.sh", honest[0], bot)
	if err != nil || status != http.StatusOK {
		t.r.fault("an upload beside slow ones is answered with %d, %v, %v", status, answer, err)
		return nil
	}
	for began := time.Now(); ; harness.Pause(t.ctx, 200*time.Millisecond) {
		answer, _, err := other.ask(http.MethodGet, "/event/team", honest[0], nil)
		text, _ := json.Marshal(answer["versions"])
		switch took := time.Since(began); {
		case err != nil:
			return err
		case bytes.Contains(text, []byte(`"plays"`)):
			return nil
		case took > limit:
			t.r.fault("a version behind %d that sleep has not been tried after %v: %s", sleepers,
				took.Round(time.Second), text)
			return nil
		}
	}
}

// silentWorkers opens connections to the port of workers that say nothing, while a worker connects.
func silentWorkers(t *eventTrial) error {
	_, rest, _ := strings.Cut(t.worker, "@")
	port, _, _ := strings.Cut(rest, "#")
	var open sync.WaitGroup
	for i := range 4300 / t.scale {
		dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, byte(3+i%200), 1)}}
		conn, err := dialer.DialContext(t.ctx, "tcp", port)
		if err != nil {
			return err
		}
		defer conn.Close()
		t.r.tally.Requests++
		open.Go(func() { _, _ = io.Copy(io.Discard, conn) })
	}
	w, err := t.start(t.ctx, attackedFrom, t.Hexarena, "worker", t.worker, "--jobs", "1")
	if err != nil {
		return err
	}
	defer w.Stop()
	const pause = 200 * time.Millisecond
	for began := time.Now(); time.Since(began) < gatherTime; harness.Pause(t.ctx, pause) {
		page, err := harness.Get(t.ctx, "http://"+t.addr+"/admin?part=live")
		if err != nil {
			return err
		}
		if bytes.Contains(page, []byte("Workers on other machines: 1.")) {
			open.Wait() // they end by themselves
			return nil
		}
	}
	t.r.fault("a worker is not let in")
	return nil
}
