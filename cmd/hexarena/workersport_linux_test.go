package main

import (
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"net"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/cup/remote/natsqueue"
	"github.com/hexarena/hexarena/tools/harness"
)

// startServingEvent starts an event that serves workers, and returns the URL for them and its port.
func startServingEvent(t *testing.T) (e *runningEvent, worker, port string) {
	t.Helper()
	port = net.JoinHostPort("127.0.0.1", strconv.Itoa(freePort(t)))
	e = startEvent(t, filepath.Join(t.TempDir(), "event"), "--rounds", "operator", "--send", "trusted",
		"--workers", port)
	_, worker, _ = strings.Cut(e.waitLine("worker "), "'")
	return e, strings.TrimSuffix(worker, "'"), port
}

// Connections that say nothing do not keep a worker out, and end by themselves.
func TestSilentWorkersGiveWay(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	e, address, port := startServingEvent(t)
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP("127.0.0.7")}}
	var silent sync.WaitGroup
	for range 1500 { // more than one address may have
		conn, err := dialer.Dial("tcp", port)
		if err != nil {
			t.Fatal(err)
		}
		silent.Go(func() {
			defer conn.Close()
			_ = conn.SetReadDeadline(time.Now().Add(hangs))
			if _, err := conn.Read(make([]byte, 1)); err == nil || strings.Contains(err.Error(), "timeout") {
				t.Errorf("a silent connection gets an answer, or does not end: %v", err)
			}
		})
	}
	w := command(t, "worker", address, "--jobs", "1")
	if err := w.Start(); err != nil {
		t.Fatal(err)
	}
	e.awaitPage("/admin?part=live", "Workers on other machines: 1.")
	silent.Wait()
	_ = w.Process.Kill()
	_ = w.Wait()
	e.quit()
}

// secureDialer begins connections with TLS, as workers do, and does not ask with whom.
type secureDialer struct{}

func (secureDialer) Dial(network, address string) (net.Conn, error) {
	return tls.Dial(network, address, &tls.Config{InsecureSkipVerify: true})
}

// Who has a worker's token may ask, send and read for itself, and nothing else; what it sends does
// not pile up in the event's memory.
func TestHostileWorker(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	e, address, port := startServingEvent(t)
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	token, _ := u.User.Password()
	connect := func(id, token string) (*nats.Conn, error) {
		return nats.Connect("nats://worker:"+token+"@"+port, nats.SetCustomDialer(
			secureDialer{}), nats.Name(id),
			nats.CustomInboxPrefix("_INBOX.x"), nats.ErrorHandler(
				func(*nats.Conn, *nats.Subscription, error) {}))
	}
	for _, id := range []string{"", "a.b", "*", ">", strings.Repeat("x", 65)} {
		if c, err := connect(id, token); err == nil {
			c.Close()
			t.Errorf("a worker with the ID %q logs in", id)
		}
	}
	if c, err := connect("x", token+"A"); err == nil {
		c.Close()
		t.Error("a worker with a wrong token logs in")
	}
	c, err := connect("x", token)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	cup := natsID(t, address)
	own := "hexarena." + cup + ".results.x"
	objects, results, recordings := "OBJ_hexarena-"+cup+"-objects", "HEXARENA_"+cup, "HEXARENA_"+cup+"_recordings"
	for _, subject := range []string{
		"hexarena." + cup + ".results.y", "hexarena." + cup + ".requests.y",
		"hexarena." + cup + ".recordings.y.a.0", "$O.hexarena-" + cup + "-objects.M.x",
		"_INBOX.y.z", "$JS.API.STREAM.PURGE." + recordings, "$JS.API.STREAM.PURGE." + objects,
		"$JS.API.STREAM.DELETE." + results, "$JS.API.STREAM.MSG.GET." + recordings,
		"$JS.API.DIRECT.GET." + recordings, "$JS.API.CONSUMER.CREATE." + objects,
		"$JS.API.CONSUMER.CREATE." + objects + ".x", "$JS.API.CONSUMER.CREATE." + results + ".x",
		"$JS.API.STREAM.CREATE.X", "$JS.API.STREAM.UPDATE." + objects, "$SYS.REQ.SERVER.PING",
		"$JS.API.META.LEADER.STEPDOWN",
	} {
		if err := refusedOn(c, func() error { return c.Publish(subject, []byte("{}")) }); err == nil {
			t.Errorf("a worker may publish on %s", subject)
		}
	}
	for _, subject := range []string{">", "_INBOX.>", "_INBOX.y.>", "hexarena.>", "$JS.>", "$SYS.>"} {
		if err := refusedOn(c, func() error { _, err := c.SubscribeSync(subject); return err }); err == nil {
			t.Errorf("a worker may subscribe to %s", subject)
		}
	}
	js, err := jetstream.New(c)
	if err != nil {
		t.Fatal(err)
	}
	junk := make([]byte, 1_000_000)
	for range 60 { // more than the bounds of a worker and of what waits
		if _, err := js.Publish(t.Context(), own, junk); err != nil {
			t.Fatal(err)
		}
	}
	if peak := harness.Peak(e.Process.Pid) >> 20; peak > 250 {
		t.Errorf("junk takes %d MiB of memory", peak)
	}
	e.quit()
}

// natsID returns the ID in the subjects of a coordinator, by the address of its workers.
func natsID(t *testing.T, address string) string {
	t.Helper()
	a, err := natsqueue.ParseAddress(address)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(a.Key)
	return hex.EncodeToString(sum[:6])
}

// refusedOn returns the error of the server for what is done.
func refusedOn(c *nats.Conn, do func() error) error {
	refused := make(chan error, 10)
	c.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err })
	if err := do(); err != nil {
		return err
	}
	if err := c.Flush(); err != nil {
		return err
	}
	select {
	case err := <-refused:
		return err
	case <-time.After(20 * time.Second): // the handler is called in a goroutine of its own
		return nil
	}
}
