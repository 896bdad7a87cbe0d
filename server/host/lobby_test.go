package host

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/session"
)

// A game logic that logs in while there is no room referees the next one: a server listens
// before its first match.
func TestLogicWaitsForARoom(t *testing.T) {
	const patience = 10 * time.Second
	room := &Room{logic: session.NewLogic(0, zerolog.Nop())}
	for _, tt := range []struct {
		name    string
		happens func(*lobby, *sync.WaitGroup)
		want    *session.Logic
		waits   time.Duration
	}{
		{"a room is added", func(l *lobby, running *sync.WaitGroup) {
			l.add(room,
				running)
		}, room.logic, time.Second},
		{"a room without a referee is added", func(l *lobby, running *sync.WaitGroup) {
			l.add(&Room{},
				running)
		}, nil, time.Second},
		{"the lobby is closed", func(l *lobby, _ *sync.WaitGroup) { l.close() }, nil, time.Second},
		{"nothing", func(*lobby, *sync.WaitGroup) {}, nil, patience},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var l lobby
				var running sync.WaitGroup
				l.init(patience, nil, nil)
				time.AfterFunc(time.Second, func() { tt.happens(&l, &running) })
				began := time.Now()
				if got := l.logic(); got != tt.want {
					t.Errorf("the logic is to referee %p, want %p", got, tt.want)
				}
				if waited := time.Since(began); waited != tt.waits {
					t.Errorf("it waited %v, want %v", waited, tt.waits)
				}
			})
		})
	}
}
