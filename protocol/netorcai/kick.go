package netorcai

import (
	"errors"
	"time"
)

// DoInitTimeout is the time that a game logic has to answer DO_INIT; it appears in the text of
// [KickNoDoInitAck].
const DoInitTimeout = 3 * time.Second

// Complete kick reasons. The texts are part of the protocol: tools match them.
const (
	KickStarted            = "LOGIN denied: Game has been started"
	KickPlayersFull        = "LOGIN denied: Maximum number of players reached"
	KickSpecialPlayersFull = "LOGIN denied: Maximum number of special players reached"
	KickVisusFull          = "LOGIN denied: Maximum number of visus reached"
	KickGameLogicTaken     = "LOGIN denied: A game logic is already logged in"

	KickNotThinking = "Received a TURN_ACK but the client state is not THINKING"
	KickFinished    = "Game is finished"
	KickAbort       = "netorcai abort"

	KickGameLogicTooSoon = "Received a game logic message but the game has not started"
	KickNoDoInitAck      = "Did not receive DO_INIT_ACK after 3 seconds."
)

// Beginnings of kick reasons, completed by the text of an error.
const (
	KickFirstMessage = "Invalid first message: " // any error of ReadFrame or ParseLogin
	KickGameLogic    = "Game logic error. "      // an unreadable message before the start

	KickSendGameStarts = "Cannot send GAME_STARTS. "
	KickSendTurn       = "Cannot send TURN. "
	KickSendGameEnds   = "Cannot send GAME_ENDS. "
)

// TurnAckReason returns the kick reason for an error of [ReadFrame] or [ParseTurnAck].
func TurnAckReason(err error) string {
	return reason(err, "Cannot read TURN_ACK. ", "Invalid TURN_ACK received. ")
}

// DoInitAckReason returns the kick reason for an error of [ReadFrame] or [ParseDoInitAck].
func DoInitAckReason(err error) string {
	return reason(err, "Cannot read DO_INIT_ACK. ", "Invalid DO_INIT_ACK message. ")
}

// DoTurnAckReason returns the kick reason for an error of [ReadFrame] or [ParseDoTurnAck].
func DoTurnAckReason(err error) string {
	return reason(err, "Cannot read DO_TURN_ACK. ", "Invalid DO_TURN_ACK message. ")
}

// reason distinguishes messages that could not be read from those that violate a rule.
func reason(err error, unreadable, invalid string) string {
	var field *FieldError
	var other *TypeError
	if errors.As(err, &field) || errors.As(err, &other) {
		return invalid + err.Error()
	}
	return unreadable + err.Error()
}

// maxReason is the longest kick reason in bytes; a KICK always fits a frame.
const maxReason = 64 << 10

// AppendKick appends a KICK. It cuts reasons of more than 64 KiB, which peers cannot provoke.
func AppendKick(dst []byte, reason string) []byte {
	start := len(dst)
	dst = append(BeginFrame(dst), `{"message_type":"KICK","kick_reason":`...)
	dst = appendString(dst, clip(reason, maxReason))
	return endSmall(append(dst, '}'), start)
}

var kickFields = []string{"message_type", "kick_reason"}

// ParseKick parses a KICK and returns its reason.
func ParseKick(content []byte) (reason string, err error) {
	f := readFields(content, kickFields)
	f.messageType(typeKick)
	reason = f.text()
	return reason, f.err
}
