package cupcli

import "testing"

// The line that starts a worker has no password of the coordinator.
func TestForWorkers(t *testing.T) {
	for urls, want := range map[string]string{
		"":                                 "",
		"nats://a:4222":                    "nats://a:4222",
		"nats://c:secret@a:4222":           "nats://USER:PASSWORD@a:4222",
		"tls://secret@a:4222,nats://b":     "tls://USER:PASSWORD@a:4222,nats://b",
		"c:secret@a:4222,nats://c:s@t@b:1": "nats://USER:PASSWORD@a:4222,nats://USER:PASSWORD@b:1",
	} {
		if got := forWorkers(urls); got != want {
			t.Errorf("forWorkers(%q) = %q, want %q", urls, got, want)
		}
	}
}
