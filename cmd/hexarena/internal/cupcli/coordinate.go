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
	"slices"
	"strings"

	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/cup/remote"
	"github.com/hexarena/hexarena/server/cup/remote/natsqueue"
	"github.com/hexarena/hexarena/server/disk"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/web"
)

// BrokerOptions say where a server for workers listens, and which token it accepts.
type BrokerOptions struct {
	Address string
	Key     ed25519.PrivateKey
	Token   string
	Dir     string
	Names   natsqueue.Names
}

// Broker is a server for workers in this process.
type Broker interface {
	natsqueue.Embedded
	Addr() net.Addr
}

// workersDir is the folder below that of a cup with what its workers need: the secret by which they know it, the broker's
// data, which is a cache, and conflicts.
const workersDir = "workers"

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
		err = fmt.Errorf("%s: %w; delete it, and start the workers with the line that is printed then", path, err)
	}
	return s, err
}

// coordinated is a coordinator with its broker.
type coordinated struct {
	*remote.Coordinator
	prepared *prepared
	broker   Broker // nil: a cluster
	names    natsqueue.Names
	over     bool // the cup is, and its workers have been told
}

// coordinate begins to serve workers, and prints the line that starts one. resumed says that the cup has begun before.
func (p *prepared) coordinate(ctx context.Context, resumed bool) (*coordinated, error) {
	dir := filepath.Join(p.dir, workersDir)
	known, err := readSecret(dir)
	if err != nil {
		return nil, err
	}
	key := ed25519.NewKeyFromSeed(known.Seed)
	public := key.Public().(ed25519.PublicKey)
	names := natsqueue.NamesOf(public)
	c := &coordinated{prepared: p, names: names}
	objects, manifest, err := p.objects(key)
	if err != nil {
		return nil, err
	}
	var embedded natsqueue.Embedded
	servers := []string{p.NATS}
	if p.Workers != "" {
		if c.broker, err = p.StartBroker(BrokerOptions{Address: p.Workers, Key: key, Token: known.Token, Dir: filepath.Join(dir, "broker"), Names: names}); err != nil {
			return nil, fmt.Errorf("--workers: %w", err)
		}
		embedded, servers = c.broker, nil
		for _, address := range web.Reachable(c.broker.Addr()) {
			servers = append(servers, fmt.Sprintf("%s://%s:%s@%s", natsqueue.Pinned, names.User(), known.Token, address))
		}
	}
	queue, err := natsqueue.Open(ctx, names, embedded, p.NATS, p.warnOfWorkers)
	if err == nil {
		c.Coordinator, err = remote.Coordinate(ctx, queue, remote.Options{
			Plan: p.contest.Plan, Version: p.Version, Dir: dir, Objects: objects, Manifest: manifest, Resumed: resumed,
			Verify: remote.VerifyBy(p.Games.Replay), Warn: p.warnOfWorkers,
		})
	}
	if err != nil {
		c.stopBroker()
		return nil, err
	}
	p.note("start a worker on each machine, with hexarena %s, by one of these lines:", p.Version)
	for _, server := range servers {
		p.note("  hexarena worker %s", launch.Quote([]string{server + "#" + remote.FormatKey(public)}))
	}
	return c, nil
}

func (p *prepared) warnOfWorkers(text string) { p.note("%s", text) }

// objects returns the objects that workers need, by name, and the name of the manifest.
func (p *prepared) objects(key ed25519.PrivateKey) (objects map[string][]byte, name string, err error) {
	q := p.contest.Plan
	m := &remote.Manifest{Plan: q, Arguments: p.Values.Arguments("maps", "page-hosts"), Maps: p.custom, Version: p.Version}
	objects = map[string][]byte{}
	for i := range q.Bots {
		copied := p.contest.Copied(i)
		m.Copied = append(m.Copied, copied)
		if !copied {
			continue
		}
		if objects[remote.BotObject(&q.Bots[i])], err = cup.Pack(p.dir, q, i); err != nil {
			return nil, "", fmt.Errorf("pack the bot %s for workers: %w", q.Bots[i].Name, err)
		}
	}
	for name := range strings.SplitSeq(p.Values.Text("maps"), ",") {
		name = strings.TrimSpace(name)
		title := strings.TrimSuffix(filepath.Base(name), ".json")
		if slices.ContainsFunc(p.custom, func(f cup.MapFile) bool { return f.Name == title }) {
			name = title
		}
		m.MapNames = append(m.MapNames, name)
	}
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
	for _, w := range c.Report() {
		text := fmt.Sprintf("worker %s: %s, %d verified", w.Name, counted(w.Played, "match", "matches"), w.Verified)
		if w.Conflicts > 0 {
			text += fmt.Sprintf(", %s with another worker, in %s", counted(w.Conflicts, "conflict", "conflicts"), filepath.Join(c.prepared.dir, workersDir, remote.ConflictsFile))
		}
		if w.Suspicious() {
			text += fmt.Sprintf("; its results differ from those of the others as by chance in one of %.0f cups: look whether its machine is sound, or busy", 1/w.Chance)
		}
		if w.Refused != "" {
			text += "; it was refused: " + w.Refused
		}
		c.prepared.note("%s", text)
	}
}

func (c *coordinated) close() {
	c.Close()
	c.stopBroker()
	if c.broker != nil || !c.over {
		return
	}
	if err := natsqueue.Remove(context.Background(), c.names, c.prepared.NATS); err != nil {
		c.prepared.note("the cup keeps space in the cluster: %v", err)
	}
}

func (c *coordinated) stopBroker() {
	if c.broker != nil {
		c.broker.Stop()
	}
}
