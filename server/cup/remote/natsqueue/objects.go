package natsqueue

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Get implements remote.Client. It asks for one message after another, so that a worker needs no
// consumer, whose messages it could have delivered anywhere.
func (c *Client) Get(ctx context.Context, name string) ([]byte, error) {
	bucket := c.names.objects()
	stream, err := c.js.Stream(ctx, "OBJ_"+bucket)
	if err != nil {
		return nil, err
	}
	last, err := stream.GetLastMsgForSubject(ctx,
		"$O."+bucket+".M."+base64.URLEncoding.EncodeToString([]byte(name)))
	var info jetstream.ObjectInfo
	if err == nil {
		err = json.Unmarshal(last.Data, &info)
	}
	if err != nil {
		return nil, fmt.Errorf("the object %s: %w", name, err)
	}
	if info.Size > maxObjects {
		return nil, fmt.Errorf("the object %s has %d bytes", name, info.Size)
	}
	data, chunks := []byte(nil), "$O."+bucket+".C."+info.NUID
	for next := uint64(1); uint64(len(data)) < info.Size; {
		chunk, err := stream.GetMsg(ctx, next, jetstream.WithGetMsgSubject(chunks))
		if err == nil && len(chunk.Data) == 0 {
			err = errors.New("a part of it is empty")
		}
		if err != nil {
			return nil, fmt.Errorf("the object %s: %w", name, err)
		}
		data, next = append(data, chunk.Data...), chunk.Sequence+1
	}
	sum := sha256.Sum256(data)
	if info.Digest != "SHA-256="+base64.URLEncoding.EncodeToString(sum[:]) {
		return nil, fmt.Errorf("the object %s is not what was stored", name)
	}
	return data, nil
}

const (
	// partSize is the size of the parts of a recording.
	partSize = 512 << 10
	// partsHeader is the header of a part that says how many there are.
	partsHeader = "Hexarena-Parts"
	// maxParts bounds them: a recording has up to 16 MiB.
	maxParts = 64
)

// Send implements remote.Client. The name of a recording begins with the worker's ID and a dot.
func (c *Client) Send(ctx context.Context, name string, data []byte) error {
	parts := max(1, (len(data)+partSize-1)/partSize)
	for i := range parts {
		m := nats.NewMsg(c.names.part(name, i))
		m.Header.Set(partsHeader, strconv.Itoa(parts))
		m.Data = data[i*partSize : min(len(data), (i+1)*partSize)]
		if _, err := c.js.PublishMsg(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// part returns the subject of a part of a recording.
func (n Names) part(name string, i int) string {
	return fmt.Sprint(n.recordings(), ".", name, ".", i)
}

// Fetch implements remote.Server.
func (s *Server) Fetch(ctx context.Context, name string) (data []byte, err error) {
	stream, err := s.js.Stream(ctx, s.names.recorded())
	if err != nil {
		return nil, err
	}
	for i, parts := 0, 1; i < parts; i++ {
		m, err := stream.GetLastMsgForSubject(ctx, s.names.part(name, i))
		if err == nil {
			parts, err = strconv.Atoi(m.Header.Get(partsHeader))
		}
		if err == nil && parts > maxParts {
			err = fmt.Errorf("there are %d parts, and %d at most", parts, maxParts)
		}
		if err != nil {
			return nil, fmt.Errorf("part %d of %s: %w", i, name, err)
		}
		data = append(data, m.Data...)
	}
	// else they go by their age
	_ = stream.Purge(ctx, jetstream.WithPurgeSubject(s.names.recordings()+"."+name+".*"))
	return data, nil
}
