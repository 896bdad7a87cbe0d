package session

import "github.com/rs/zerolog"

// The program netorcai logs, at the level debug, each connection, each message that it receives and
// most of those that it sends. These functions do so under its name only.

// noPlayer is the id in the log of a client that has none.
const noPlayer = -1

// trace returns a line of the level debug, which has no effect under another name.
func (s *Session) trace() *zerolog.Event {
	if !s.opts.Netorcai {
		return nil
	}
	return s.log.Debug()
}

// traceReceived logs a message of the client. The reader calls it.
func (s *Session) traceReceived(content []byte) {
	if line := s.trace(); line.Enabled() {
		s.mu.Lock()
		line = line.Str("nickname", s.nickname)
		s.mu.Unlock()
		line.Int("content size", len(content)).Bytes("content", content).Msg("New message received")
	}
}

// traceAnswer logs that the client has answered. The caller holds mu.
func (s *Session) traceAnswer() {
	if s.opts.Netorcai {
		s.opts.Log.Debug().Int("player_id", s.player).Msg("Client received a TURN_ACK (from socket)")
	}
}

// traceSent logs a frame that is sent to the client. The caller holds mu.
func (s *Session) traceSent(what string, frame []byte) {
	const header, lineFeed = 4, 1
	if line := s.trace(); line.Enabled() {
		content := frame[header : len(frame)-lineFeed]
		line.Str("nickname", s.nickname).Bytes("content", content).Msg("Sending " + what)
	}
}
