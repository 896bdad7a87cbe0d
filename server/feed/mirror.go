package feed

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// maxEvents bounds the history of a mirror: twice the 65 535 turns that a match may have.
const maxEvents = 1 << 17

// gapSize is what an event that is missing takes in the history, in bytes.
const gapSize = 64

// NewMirror returns the feed of a match on another server, whose records [Feed.Receive] adds. Readers get the same bytes as
// there. Of the options only MaxBytes and MaxLag count: if the history takes more bytes, turns before the newest key are dropped, and slow viewers
// skip to that key.
func NewMirror(about Brief, o Options) *Feed {
	maxBytes := cmp.Or(o.MaxBytes, MaxBytes())
	return &Feed{
		opts:  Options{ID: about.ID, Labels: about.Labels, MaxBytes: maxBytes, MaxLag: cmp.Or(o.MaxLag, defaultMaxLag)},
		epoch: time.Now(), phase: Gathering, brief: about,
		lobby:     lobby{Present: []lobbyClient{}, Addresses: []string{}},
		history:   history{limit: maxBytes, mirrored: true},
		listeners: map[*func()]struct{}{}, over: make(chan struct{}),
	}
}

// Events returns the number of events of the history, including those that were dropped.
func (f *Feed) Events() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.history.entries)
}

// Receive adds a record to a mirror, and sets what is known of the match unless about is nil. The event itself is not read, except that of a
// lobby. An error means that the other server is wrong, or that the history would take too many bytes; the mirror is then as before,
// except that in the latter case it is released.
func (f *Feed) Receive(r Record, about *Brief) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.released {
		return nil
	}
	if err := f.checkRecord(&r); err != nil {
		return fmt.Errorf("%s record with index %d, after %d events: %w", r.Kind, r.Index, len(f.history.entries), err)
	}
	if about != nil {
		f.brief = *about
	}
	if r.Kind == LobbyRecord {
		f.lobby.event = Event{Serial: f.nextSerial(), Data: bytes.Clone(r.Data)}
		f.notify()
		return nil
	}
	f.mirror(&r)
	f.notify()
	if f.history.size > f.history.limit {
		f.release()
		return fmt.Errorf("the events since the last whole state take more than %d bytes", f.opts.MaxBytes)
	}
	return nil
}

// mirror adds a record to the history. The caller holds the lock.
func (f *Feed) mirror(r *Record) {
	h := &f.history
	if gap := r.Index - len(h.entries); gap > 0 {
		for k := h.oldest; k < len(h.entries); k++ { // turns before a gap lead nowhere
			h.size -= len(h.entries[k].data)
			h.entries[k].data = nil
		}
		h.entries = append(h.entries, make([]entry, gap)...)
		h.size += gap * gapSize
		h.oldest = r.Index
		h.dropMarks()
	}
	switch r.Kind {
	case KeyRecord:
		h.key = r.Index
		if r.State != nil {
			h.mark(r.Index, r.State)
		}
	case EndRecord:
		f.phase = Over
		defer close(f.over)
	}
	if r.Index == 0 && r.Kind == KeyRecord {
		f.phase = Playing
	}
	f.add(r.Data, span{r.From, r.To})
}

// checkRecord returns an error if a record cannot be the next one.
func (f *Feed) checkRecord(r *Record) error {
	n := len(f.history.entries)
	if r.From < 0 || r.To < r.From || r.To > len(r.Data) {
		return fmt.Errorf("its body is from %d to %d of %d bytes", r.From, r.To, len(r.Data))
	}
	body := string(r.Data[r.From:min(r.To, r.From+len(stateKey))])
	switch {
	case r.Kind == LobbyRecord && f.phase == Gathering:
		return json.Unmarshal(r.Data, &f.lobby)
	case f.phase == Over, r.Kind == LobbyRecord:
		return fmt.Errorf("the match is %s", f.phase)
	case r.Index != n && (r.Index < n || n == 0 || r.Kind != KeyRecord), r.Index > maxEvents:
		return errors.New("it is not the next one")
	case n == 0 && (r.Kind == DeltaRecord || r.Kind == KeyRecord && body != stateKey):
		return errors.New("a match begins with a state")
	}
	want, known := bodies[r.Kind]
	switch {
	case !known:
		return errors.New("there is no such kind")
	case r.State != nil && (r.Kind != KeyRecord || body != deltaKey):
		return errors.New("it has a state that does not belong to it")
	case r.State == nil && body != want:
		return fmt.Errorf("its body begins with %q", body)
	}
	return nil
}

// bodies has what the body of an event begins with that contains all that its record says, by the record's kind.
var bodies = map[Kind]string{KeyRecord: stateKey, DeltaRecord: deltaKey, EndRecord: ""}
