package main

import (
	"crypto/ed25519"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hexarena/hexarena/server/cup/remote"
	"github.com/hexarena/hexarena/server/cup/remote/broker"
	"github.com/hexarena/hexarena/server/cup/remote/natsqueue"
	"github.com/hexarena/hexarena/tools/harness"
)

// BenchmarkBroker measures what a request, and a message of results, cost beyond what is done with
// them: processor time of client, broker and coordinator together, in µs. The time of a message of
// results is mostly that of syncing it.
func BenchmarkBroker(b *testing.B) {
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		b.Fatal(err)
	}
	public := key.Public().(ed25519.PublicKey)
	names := natsqueue.NamesOf(public)
	server, err := broker.Start(broker.Options{Address: "127.0.0.1:0", Key: key, Token: "token", Dir: b.TempDir(), Names: names})
	if err != nil {
		b.Fatal(err)
	}
	defer server.Stop()
	queue, err := natsqueue.Open(b.Context(), names, server, "", func(text string) { b.Error(text) })
	if err != nil {
		b.Fatal(err)
	}
	defer queue.Close()
	var taken atomic.Int64
	if err := queue.Serve(func(request []byte) []byte { return request }, func([]byte) { taken.Add(1) }); err != nil {
		b.Fatal(err)
	}
	address, err := natsqueue.ParseAddress(fmt.Sprintf("tls://worker:token@%s#%s", server.Addr(), remote.FormatKey(public)))
	if err != nil {
		b.Fatal(err)
	}
	client, err := natsqueue.Dial(address, "w")
	if err != nil {
		b.Fatal(err)
	}
	defer client.Close()
	measure := func(name string, do func() error) {
		b.Run(name, func(b *testing.B) {
			before := harness.ProcessorTime()
			for b.Loop() {
				if err := do(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64((harness.ProcessorTime()-before).Microseconds())/float64(b.N),
				"cpu-µs/op")
		})
	}
	// as workers send them
	request := fmt.Appendf(nil, `{"worker":"w","name":%q}`, strings.Repeat("n", 200))
	result, full := make([]byte, 800), make([]byte, 200_000)
	for _, text := range [][]byte{result, full} {
		copy(text, "\x02w") // the ID, after its length as a varint
	}
	measure("request", func() error { _, err := client.Request(b.Context(), request); return err })
	measure("result", func() error { return client.Publish(b.Context(), result) })
	measure("results", func() error { return client.Publish(b.Context(), full) })
	if taken.Load() == 0 {
		b.Error("no result arrived")
	}
}
