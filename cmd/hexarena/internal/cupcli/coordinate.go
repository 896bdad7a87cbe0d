package cupcli

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/contest/source"
	"github.com/hexarena/hexarena/server/cup/remote"
	"github.com/hexarena/hexarena/server/cup/remote/natsqueue"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/machine/disk"
	"github.com/hexarena/hexarena/server/machine/limits"
	"github.com/hexarena/hexarena/server/web"
)

// BrokerOptions say where a server for workers listens, and which token it accepts.
type BrokerOptions struct {
	Address string
	Key     ed25519.PrivateKey
	Token   string
	Dir     string
	Names   natsqueue.Names

	Connections *limits.Connections // counts them with those of other ports; nil: by itself
}

// Broker is a server for workers in this process.
type Broker interface {
	natsqueue.Embedded
	Addr() net.Addr
}

// WorkersDir is the folder below that of a cup with what its workers need: the secret by which they
// know it, the broker's data, which is a cache, and conflicts.
const WorkersDir = "workers"

// leases reports whether workers play the matches.
func (p *prepared) leases() bool { return p.Workers != "" || p.NATS != "" }

// secret identifies a cup to its workers, also after it was interrupted.
type secret struct {
	Seed  []byte `json:"seed"` // of the key that signs what workers run
	Token string `json:"token"`
}

// readSecret returns the secret of a cup, which it draws for a new one.
func readSecret(dir string) (s secret, err error) {
	path := filepath.Join(dir, "secret.json")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		s = secret{Seed: make([]byte, ed25519.SeedSize), Token: rand.Text()}
		_, _ = rand.Read(s.Seed) // it never fails
		if text, err = json.Marshal(s); err != nil {
			panic(err) // no field can fail
		}
		return s, errors.Join(os.MkdirAll(dir, 0o700), disk.WriteSecret(disk.Or(nil), path, text))
	}
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err == nil && (len(s.Seed) != ed25519.SeedSize || s.Token == "") {
		err = errors.New("it has no seed and no token")
	}
	if err != nil {
		err = fmt.Errorf("%s: %w; delete it, and start the workers with the line that is printed then",
			path, err)
	}
	return s, err
}

// QueueOptions say how a coordinator and its workers exchange messages.
type QueueOptions struct {
	Dir     string // of the secret by which workers know the coordinator, and of the broker's data
	Workers string // host:port of the server for workers; empty: a cluster
	NATS    string // the URLs of its servers
	Start   func(BrokerOptions) (Broker, error)

	// counts those of workers with those of other ports; nil: by itself
	Connections *limits.Connections

	Warn func(text string) // is told what the user should know
}

// Queue is what a coordinator and its workers exchange messages by.
type Queue struct {
	*natsqueue.Server
	Key     ed25519.PrivateKey // signs what workers run
	servers []string           // as workers are told
	broker  Broker             // nil: a cluster
	cluster string             // the URLs of its servers
}

// OpenQueue opens the queue, with a server for workers in this process unless there is a cluster.
// The caller has to call Stop.
func OpenQueue(ctx context.Context, o QueueOptions) (*Queue, error) {
	known, err := readSecret(o.Dir)
	if err != nil {
		return nil, err
	}
	q := &Queue{
		Key: ed25519.NewKeyFromSeed(known.Seed), servers: []string{forWorkers(o.NATS)},
		cluster: o.NATS,
	}
	names := natsqueue.NamesOf(q.public())
	var embedded natsqueue.Embedded
	if o.Workers != "" {
		q.broker, err = o.Start(BrokerOptions{
			Address: o.Workers, Key: q.Key, Token: known.Token,
			Dir: filepath.Join(o.Dir, "broker"), Names: names, Connections: o.Connections,
		})
		if err != nil {
			return nil, fmt.Errorf("--workers: %w", err)
		}
		embedded, q.servers = q.broker, nil
		for _, address := range web.Reachable(q.broker.Addr()) {
			q.servers = append(q.servers,
				fmt.Sprintf("%s://%s:%s@%s", natsqueue.Pinned, names.User(), known.Token, address))
		}
	}
	if q.Server, err = natsqueue.Open(ctx, names, embedded, o.NATS, o.Warn); err != nil {
		q.Stop()
		return nil, err
	}
	return q, nil
}

func (q *Queue) public() ed25519.PublicKey { return q.Key.Public().(ed25519.PublicKey) }

// Commands returns the lines that start a worker, of which each machine takes one that reaches this
// one.
func (q *Queue) Commands() (lines []string) {
	for _, server := range q.servers {
		lines = append(lines,
			"hexarena worker "+launch.Quote([]string{server + "#" + remote.FormatKey(q.public())}))
	}
	return lines
}

// forWorkers returns the URLs of a cluster's servers, separated by commas, without the
// coordinator's password: workers have a user of their own.
func forWorkers(urls string) string {
	list := strings.Split(urls, ",")
	for i, url := range list {
		scheme, rest, found := strings.Cut(url, "://")
		if !found {
			scheme, rest = "nats", url
		}
		if at := strings.LastIndex(rest, "@"); at >= 0 {
			list[i] = scheme + "://USER:PASSWORD" + rest[at:]
		}
	}
	return strings.Join(list, ",")
}

// Stop closes the queue, and stops the server for workers.
func (q *Queue) Stop() {
	if q.Server != nil {
		q.Close()
	}
	if q.broker != nil {
		q.broker.Stop()
	}
}

// RemoveStreams removes what a queue that is stopped has in a cluster.
func (q *Queue) RemoveStreams() error {
	if q.broker != nil {
		return nil
	}
	return natsqueue.Remove(context.Background(), natsqueue.NamesOf(q.public()), q.cluster)
}

// coordinated is a coordinator with its queue.
type coordinated struct {
	*remote.Coordinator
	prepared *prepared
	queue    *Queue
	over     bool // the cup is, and its workers have been told
}

// coordinate begins to serve workers, and prints the line that starts one. resumed says that the
// cup has begun before.
func (p *prepared) coordinate(ctx context.Context, resumed bool) (*coordinated, error) {
	dir := filepath.Join(p.dir, WorkersDir)
	q, err := OpenQueue(
		ctx,
		QueueOptions{
			Dir: dir, Workers: p.Workers, NATS: p.NATS, Start: p.StartBroker, Warn: p.warnOfWorkers,
		},
	)
	if err != nil {
		return nil, err
	}
	c := &coordinated{prepared: p, queue: q}
	objects, manifest, err := p.objects(q.Key)
	if err == nil {
		c.Coordinator, err = remote.Coordinate(ctx, q, remote.Options{
			Assignment: remote.Assignment{Plan: p.contest.Plan, Objects: objects, Manifest: manifest},
			Version:    p.Version, Dir: dir, Resumed: resumed,
			Verify: remote.VerifyBy(p.Games.Replay), Warn: p.warnOfWorkers,
		})
	}
	if err != nil {
		q.Stop()
		return nil, err
	}
	p.note("start a worker on each machine, with hexarena %s, by one of these lines:", p.Version)
	for _, line := range q.Commands() {
		p.note("  %s", line)
	}
	return c, nil
}

func (p *prepared) warnOfWorkers(text string) { p.note("%s", text) }

// objects returns the objects that workers need, by name, and the name of the manifest.
func (p *prepared) objects(
	key ed25519.PrivateKey,
) (objects map[string][]byte, name string, err error) {
	q := p.contest.Plan
	m := &remote.Manifest{
		Plan: q, Arguments: p.Values.Arguments("maps", "page-hosts"), Maps: p.custom, Version: p.Version,
	}
	objects = map[string][]byte{}
	for i := range q.Bots {
		copied := p.contest.Copied(i)
		m.Copied = append(m.Copied, copied)
		if !copied {
			continue
		}
		if objects[remote.BotObject(&q.Bots[i])], err = source.Pack(p.dir, q, i); err != nil {
			return nil, "", fmt.Errorf("pack the bot %s for workers: %w", q.Bots[i].Name, err)
		}
	}
	m.MapNames = mapNames(p.Values.Text("maps"), p.custom)
	name, objects[""] = m.Sign(key)
	objects[name] = objects[""]
	delete(objects, "")
	return objects, name, nil
}

// tell prints what the workers did. If the cup is over, it tells the workers first.
func (c *coordinated) tell(ctx context.Context, over bool) {
	if over {
		c.Finish(ctx)
		c.over = true
	}
	for _, text := range WorkersOf(c.Coordinator, filepath.Join(c.prepared.dir, WorkersDir)) {
		c.prepared.note("%s", text)
	}
}

// WorkersOf returns a line for each worker of a coordinator, whose conflicts are in a folder.
func WorkersOf(c *remote.Coordinator, dir string) (lines []string) {
	for _, w := range c.Report() {
		text := fmt.Sprintf("worker %s: %s, %d verified", w.Name,
			textutil.Counted(w.Played, "match", "matches"), w.Verified)
		if w.Conflicts > 0 {
			text += fmt.Sprintf(", %s with another worker, in %s",
				textutil.Counted(w.Conflicts, "conflict", "conflicts"),
				filepath.Join(dir, remote.ConflictsFile))
		}
		if w.Overloaded() {
			text += fmt.Sprintf("; warning: its bots skipped %.1f %% of turns, and the median of the "+
				"workers is %.1f %%: its machine is too slow or busy, start it with fewer --jobs",
				100*w.Skipped, 100*w.Median)
		}
		if w.Refused != "" {
			text += "; it was refused: " + w.Refused
		}
		lines = append(lines, text)
	}
	return lines
}

func (c *coordinated) close() {
	c.Close()
	c.queue.Stop()
	if !c.over {
		return
	}
	if err := c.queue.RemoveStreams(); err != nil {
		c.prepared.note("the cup keeps space in the cluster: %v", err)
	}
}
