package natsqueue

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/hexarena/hexarena/server/cup/remote"
	"github.com/hexarena/hexarena/server/machine/panics"
)

// Embedded is a server in this process.
type Embedded interface {
	nats.InProcessConnProvider
	Credentials() (user, password string)
	Sound() bool  // reports whether it runs and has its data
	Renew() error // starts it again without data
	Stop()
}

// Server is the coordinator's side of the queue. It keeps a goroutine that looks after the streams,
// until Close.
type Server struct {
	names    Names
	embedded Embedded // nil: a cluster
	replicas int
	warn     func(string)
	conn     *nats.Conn
	js       jetstream.JetStream
	lost     chan struct{}
	ctx      context.Context // until Close
	stop     context.CancelFunc
	running  sync.WaitGroup
	making   sync.Mutex // held while streams are looked at, removed or made

	mu        sync.Mutex // guards the fields below
	consuming jetstream.ConsumeContext
	take      func([]byte)
	delivery  delivery
}

// The times of looking after the queue.
const (
	// probePause is between two probes: a message that is stored as results are, and has to come
	// back.
	probePause = 2 * time.Second
	// probeTimeout is after how long without a probe or any other message the stream is taken for
	// damaged: more than a cluster needs to choose another leader.
	probeTimeout = 10 * time.Second
	// callTimeout is for one call of the server.
	callTimeout = 5 * time.Second
	// openTimeout is for a cluster to have leaders: it chooses one in 4 to 9 s, and then one of
	// each stream. A wrong address is told before.
	openTimeout = 30 * time.Second
	// choicePause is between calls of a cluster that has no leader.
	choicePause = 500 * time.Millisecond
	// idleBeat is how often the server says that it has no more results: the library begins again
	// after two that are missing, long before probeTimeout.
	idleBeat = 2 * time.Second
	// clusterReplicas is the number of servers of a cluster that keep each stream. Of fewer servers,
	// one keeps it.
	clusterReplicas = 3
)

// Open connects to an embedded server, or to the servers of a cluster, and makes the streams. It
// calls warn with a text when it repairs something.
func Open(
	ctx context.Context, n Names, embedded Embedded, cluster string, warn func(string),
) (*Server, error) {
	s := &Server{names: n, embedded: embedded, replicas: 1, warn: warn, lost: make(chan struct{}, 1)}
	s.ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	options := append(usual("hexarena coordinator"), nats.RetryOnFailedConnect(false))
	if embedded != nil {
		user, password := embedded.Credentials()
		options = append(options, nats.InProcessServer(embedded), nats.UserInfo(user, password))
	} else {
		s.replicas = clusterReplicas
	}
	var err error
	if s.conn, err = nats.Connect(cluster, options...); err != nil {
		s.stop()
		return nil, fmt.Errorf("connect to NATS: %w", err)
	}
	if s.js, err = jetstream.New(s.conn); err == nil {
		err = s.begin(ctx)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	panics.Go(&s.running, s.look,
		func(p *panics.Error) { warn(fmt.Sprint("the queue is not looked after any more: ", p)) })
	return s, nil
}

// begin makes the streams, in an embedded server without the data that it has if they cannot be
// read.
func (s *Server) begin(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	err := s.makeStreams(ctx)
	switch {
	case err != nil && s.embedded != nil:
		return s.repair(ctx, "cannot be read: "+err.Error())
	case err != nil:
		return fmt.Errorf(
			"make the streams of the cup: %w; do most of the NATS servers run, with JetStream?", err)
	}
	return nil
}

// makeStreams makes what is missing. On a cluster of fewer servers than replicas it makes one of
// each.
func (s *Server) makeStreams(ctx context.Context) error {
	err := s.makeWith(ctx, s.replicas)
	if s.replicas > 1 && (refusedBy(err, noPeers) || refusedBy(err, notClustered)) {
		err = s.makeWith(ctx, 1)
	}
	return err
}

// Errors of JetStream's API when there are fewer servers than replicas, and when a cluster has no
// leader.
const (
	noPeers      jetstream.ErrorCode = 10005
	notClustered jetstream.ErrorCode = 10074
	noLeader     jetstream.ErrorCode = 10008
)

func refusedBy(err error, code jetstream.ErrorCode) bool {
	var refused *jetstream.APIError
	return errors.As(err, &refused) && refused.ErrorCode == code
}

// whenLed makes a call. That of a cluster it repeats until it succeeds, fails for good, or ctx
// ends: a server that is killed, or cannot be reached, takes calls with it, and the others answer
// none until they have chosen a leader.
func (s *Server) whenLed(
	ctx context.Context, timeout time.Duration, call func(context.Context) error,
) error {
	if s.embedded != nil {
		return call(ctx)
	}
	for {
		once, cancel := context.WithTimeout(ctx, timeout)
		err := call(once)
		cancel()
		transient := errors.Is(err, context.DeadlineExceeded) || errors.Is(
			err, jetstream.ErrNoStreamResponse,
		) || errors.Is(err, nats.ErrNoResponders) || refusedBy(err, noLeader)
		if !transient {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(choicePause):
		}
	}
}

func (s *Server) makeWith(ctx context.Context, replicas int) error {
	err := s.whenLed(ctx, callTimeout, func(ctx context.Context) error {
		_, err := s.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
			Name: s.names.stream(), Subjects: []string{s.names.results() + ".*"},
			Storage: jetstream.FileStorage, Replicas: replicas,
			Retention: jetstream.LimitsPolicy, Discard: jetstream.DiscardOld, MaxBytes: maxResults,
			MaxAge: resultsAge, MaxMsgSize: MaxPayload,
		})
		return err
	})
	if err != nil {
		return err
	}
	err = s.whenLed(ctx, callTimeout, func(ctx context.Context) error {
		_, err := s.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
			Name: s.names.recorded(), Subjects: []string{s.names.recordings() + ".>"},
			Storage: jetstream.FileStorage, Replicas: replicas,
			Discard: jetstream.DiscardOld, MaxBytes: maxRecordings, MaxAge: recordingsAge,
			MaxMsgsPerSubject: 1, MaxMsgSize: MaxPayload,
		})
		return err
	})
	if err != nil {
		return err
	}
	return s.whenLed(ctx, callTimeout, func(ctx context.Context) error {
		_, err := s.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{
			Bucket: s.names.objects(), Storage: jetstream.FileStorage, Replicas: replicas,
			MaxBytes: maxObjects,
		})
		return err
	})
}

// Serve implements remote.Server.
func (s *Server) Serve(answer func([]byte) []byte, take func([]byte)) error {
	requests, err := s.conn.Subscribe(s.names.requests()+".*", func(m *nats.Msg) {
		if remote.Requester(m.Data) != sender(m.Subject) {
			return // it speaks for another worker
		}
		if text := answer(m.Data); text != nil {
			_ = m.Respond(text) // else the worker asks again
		}
	})
	if err == nil {
		err = requests.SetPendingLimits(maxRequests, maxRequestBytes)
	}
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.take = take
	s.delivery.moved = time.Now()
	s.mu.Unlock()
	_ = s.consume(s.ctx) // else look tries again
	return nil
}

// sender returns the ID of the worker that has published on a subject, which is the last part of
// it.
func sender(subject string) string { return subject[strings.LastIndexByte(subject, '.')+1:] }

// Bounds of what waits in this process. Of requests that do not fit, workers send the next one.
const (
	maxRequests     = 8192    // two of each worker
	maxRequestBytes = 8 << 20 // one has a kilobyte
	maxAhead        = 8 << 20 // bytes of results: 16 of the largest messages
)

// consume subscribes to the results, from the first that the stream has. The consumer has no state
// on the server that could be lost or wrong: the library notices a gap, and begins again behind the
// last message that arrived.
func (s *Server) consume(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	stream, err := s.js.Stream(ctx, s.names.stream())
	if err != nil {
		return err
	}
	consumer, err := stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{})
	if err != nil {
		return err
	}
	consuming, err := consumer.Consume(s.arrive, jetstream.PullMaxBytes(maxAhead),
		jetstream.PullHeartbeat(idleBeat),
		jetstream.ConsumeErrHandler(func(jetstream.ConsumeContext, error) {}))
	if err != nil {
		return err
	}
	s.mu.Lock()
	before := s.consuming
	s.consuming, s.delivery = consuming, delivery{moved: time.Now()}
	s.mu.Unlock()
	if before != nil { // repair may have begun one before Serve was called again
		before.Stop()
	}
	return nil
}

// Put implements remote.Server.
func (s *Server) Put(ctx context.Context, name string, data []byte) error {
	timeout := callTimeout + time.Duration(len(data))*time.Microsecond // a megabyte a second
	return s.whenLed(ctx, timeout, func(ctx context.Context) error {
		store, err := s.js.ObjectStore(ctx, s.names.objects())
		if err != nil {
			return err
		}
		_, err = store.PutBytes(ctx, name, data)
		return err
	})
}

// Remove implements remote.Server.
func (s *Server) Remove(ctx context.Context, name string) error {
	store, err := s.js.ObjectStore(ctx, s.names.objects())
	if err == nil {
		err = store.Delete(ctx, name)
	}
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil
	}
	return err
}

// Lost implements remote.Server.
func (s *Server) Lost() <-chan struct{} { return s.lost }

// Close implements remote.Server. It does not stop an embedded server.
func (s *Server) Close() {
	if s.ctx.Err() != nil {
		return
	}
	s.stop()
	s.running.Wait()
	s.stopConsuming()
	s.conn.Close() // which ends the subscription to requests
}

func (s *Server) stopConsuming() {
	s.mu.Lock()
	c := s.consuming
	s.consuming = nil
	s.mu.Unlock()
	if c != nil {
		c.Stop()
	}
}
