package natsqueue

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/hexarena/hexarena/server/panics"
)

// Embedded is a server in this process.
type Embedded interface {
	nats.InProcessConnProvider
	Credentials() (user, password string)
	Sound() bool  // reports whether it runs and has its data
	Renew() error // starts it again without data
	Stop()
}

// Server is the coordinator's side of the queue. It keeps a goroutine that looks after the streams, until Close.
type Server struct {
	names    Names
	embedded Embedded // nil: a cluster
	replicas int
	warn     func(string)
	conn     *nats.Conn
	js       jetstream.JetStream
	lost     chan struct{}
	done     chan struct{}
	running  sync.WaitGroup

	mu        sync.Mutex // guards the fields below
	consuming jetstream.ConsumeContext
	take      func([]byte)
	delivery  delivery
}

// The times of looking after the queue.
const (
	// probePause is between two probes: a message that is stored as results are, and has to come back.
	probePause = 2 * time.Second
	// probeTimeout is after how long without a probe or any other message the stream is taken for damaged: more than a
	// cluster needs to choose another leader.
	probeTimeout = 10 * time.Second
	// callTimeout is for one call of the server.
	callTimeout = 5 * time.Second
	// openTimeout is for a cluster to answer at the beginning, so that a wrong address is told.
	openTimeout = 10 * time.Second
	// clusterReplicas is how many servers of a cluster keep each stream. Of fewer servers, one keeps it.
	clusterReplicas = 3
)

// Open connects to an embedded server, or to the servers of a cluster, and makes the streams. It calls warn with a text when it repairs
// something.
func Open(ctx context.Context, n Names, embedded Embedded, cluster string, warn func(string)) (*Server, error) {
	s := &Server{names: n, embedded: embedded, replicas: 1, warn: warn, lost: make(chan struct{}, 1), done: make(chan struct{})}
	options := append(usual("hexarena coordinator"), nats.RetryOnFailedConnect(false))
	if embedded != nil {
		user, password := embedded.Credentials()
		options = append(options, nats.InProcessServer(embedded), nats.UserInfo(user, password))
	} else {
		s.replicas = clusterReplicas
	}
	var err error
	if s.conn, err = nats.Connect(cluster, options...); err != nil {
		return nil, fmt.Errorf("connect to NATS: %w", err)
	}
	if s.js, err = jetstream.New(s.conn); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	if err := s.makeStreams(ctx); err != nil {
		if embedded == nil {
			s.conn.Close()
			return nil, fmt.Errorf("make the streams of the cup: %w", err)
		}
		if err := s.repair(ctx, "cannot be read: "+err.Error()); err != nil {
			s.conn.Close()
			return nil, err
		}
	}
	panics.Go(&s.running, s.look, func(p *panics.Error) { warn(fmt.Sprint("the queue is not looked after any more: ", p)) })
	return s, nil
}

// makeStreams makes what is missing. On a cluster of fewer servers than replicas it makes one of each.
func (s *Server) makeStreams(ctx context.Context) error {
	err := s.makeWith(ctx, s.replicas)
	var refused *jetstream.APIError
	if errors.As(err, &refused) && s.replicas > 1 && (refused.ErrorCode == noPeers || refused.ErrorCode == notClustered) {
		s.replicas = 1
		err = s.makeWith(ctx, 1)
	}
	return err
}

// Errors of JetStream's API when there are fewer servers than replicas.
const (
	noPeers      jetstream.ErrorCode = 10005
	notClustered jetstream.ErrorCode = 10074
)

func (s *Server) makeWith(ctx context.Context, replicas int) error {
	_, err := s.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: s.names.stream(), Subjects: []string{s.names.results()}, Storage: jetstream.FileStorage, Replicas: replicas,
		Retention: jetstream.LimitsPolicy, Discard: jetstream.DiscardOld, MaxBytes: maxResults, MaxAge: resultsAge, MaxMsgSize: MaxPayload,
	})
	if err != nil {
		return err
	}
	for _, c := range []jetstream.ObjectStoreConfig{
		{Bucket: s.names.objects(), Storage: jetstream.FileStorage, Replicas: replicas, MaxBytes: maxObjects},
		{Bucket: s.names.recordings(), Storage: jetstream.FileStorage, Replicas: replicas, MaxBytes: maxRecordings, TTL: recordingsAge},
	} {
		if _, err := s.js.CreateOrUpdateObjectStore(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// Serve implements remote.Server.
func (s *Server) Serve(answer func([]byte) []byte, take func([]byte)) error {
	requests, err := s.conn.Subscribe(s.names.requests(), func(m *nats.Msg) {
		if text := answer(m.Data); text != nil {
			_ = m.Respond(text) // else the worker asks again
		}
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.take = take
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	if err := s.consume(ctx); err != nil {
		_ = requests.Unsubscribe()
		return err
	}
	return nil
}

// consume has the results delivered, from the first that the stream has. The consumer has no state on the server that
// could be lost or wrong: the library notices a gap, and begins again behind the last message that arrived.
func (s *Server) consume(ctx context.Context) error {
	stream, err := s.js.Stream(ctx, s.names.stream())
	if err != nil {
		return err
	}
	consumer, err := stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{})
	if err != nil {
		return err
	}
	consuming, err := consumer.Consume(s.arrive, jetstream.ConsumeErrHandler(func(jetstream.ConsumeContext, error) {}))
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
	store, err := s.js.ObjectStore(ctx, s.names.objects())
	if err != nil {
		return err
	}
	_, err = store.PutBytes(ctx, name, data)
	return err
}

// Fetch implements remote.Server.
func (s *Server) Fetch(ctx context.Context, name string) ([]byte, error) {
	data, err := get(ctx, s.js, s.names.recordings(), name)
	if err != nil {
		return nil, err
	}
	if store, err := s.js.ObjectStore(ctx, s.names.recordings()); err == nil {
		_ = store.Delete(ctx, name) // else it goes by its age
	}
	return data, nil
}

// Lost implements remote.Server.
func (s *Server) Lost() <-chan struct{} { return s.lost }

// Close implements remote.Server. It does not stop an embedded server.
func (s *Server) Close() {
	select {
	case <-s.done:
		return
	default:
		close(s.done)
	}
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
