package main

import (
	"runtime"
	"slices"
	"strings"
	"testing"
)

// row is a behaviour of netorcai in one situation that users rely on.
type row struct {
	id   string
	text string // the expected text, with verbs for the varying parts; may be empty
}

// rows lists all of them. The cases declare which rows they prove, and
// TestEveryRowIsProved fails if one is left out.
var rows = slices.Concat(kickRows, fieldRows, optionRows, promptRows, logRows, exitRows, matchRows,
	stopRows, terminalRows)

// kickRows holds the reasons of kicks.
var kickRows = []row{
	{"kick/first message too long", "Invalid first message: Received message size of first message " +
		"is too big: %d does not fit in 10 bits"},
	{"kick/first message no JSON object", "Invalid first message: Non-JSON message received"},
	{"kick/first message with a wrong field", "Invalid first message: %s"},
	{"kick/first message no LOGIN", "Invalid first message: Received '%s' message type, while LOGIN " +
		"was expected"},
	{"kick/bad nickname", "Invalid first message: Invalid nickname"},
	{"kick/bad role", "Invalid first message: Invalid role '%s'"},
	{"kick/bad version", "Invalid first message: Invalid metaprotocol version: Not MAJOR.MINOR.PATCH"},
	{"kick/other version", "Invalid first message: Metaprotocol version mismatch. Major version " +
		"must be identical but client asks for '%s' while netorcai uses '2.0.0'."},
	{"kick/player after the start", "LOGIN denied: Game has been started"},
	{"kick/special player after the start", "LOGIN denied: Game has been started"},
	{"kick/game logic after the start", "LOGIN denied: Game has been started"},
	{"kick/players' seats taken", "LOGIN denied: Maximum number of players reached"},
	{"kick/special players' seats taken", "LOGIN denied: Maximum number of special players reached"},
	{"kick/visualizations' seats taken", "LOGIN denied: Maximum number of visus reached"},
	{"kick/second game logic", "LOGIN denied: A game logic is already logged in"},
	{"kick/TURN_ACK before the start", "Received a TURN_ACK but the client state is not THINKING"},
	{"kick/TURN_ACK while READY", "Received a TURN_ACK but the client state is not THINKING"},
	{"kick/unreadable TURN_ACK", "Cannot read TURN_ACK. Non-JSON message received"},
	{"kick/TURN_ACK with a wrong field", "Invalid TURN_ACK received. %s"},
	{"kick/TURN_ACK of another turn", "Invalid TURN_ACK received. Invalid value (turn_number=%d): " +
		"expecting %d"},
	{"kick/message too long", "Cannot read TURN_ACK. Received message size is too big: %d does not " +
		"fit in 24 bits"},
	{"kick/connection broke", "Cannot read TURN_ACK. Remote endpoint closed? Read error: %s"},
	{"kick/state too large for GAME_STARTS", "Cannot send GAME_STARTS. content too big: size does " +
		"not fit in 24 bits"},
	{"kick/state too large for TURN", "Cannot send TURN. content too big: size does not fit in 24 " +
		"bits"},
	{"kick/state too large for GAME_ENDS", "Cannot send GAME_ENDS. content too big: size does not " +
		"fit in 24 bits"},
	{"kick/game over", "Game is finished"},
	{"kick/server stops", "netorcai abort"},
	{"kick/game logic fails", "netorcai abort"},
	{"kick/game logic speaks before the start", "Received a game logic message but the game has not " +
		"started"},
	{"kick/game logic unreadable before the start", "Game logic error. Non-JSON message received"},
	{"kick/game logic too long before the start", "Game logic error. Received message size is too " +
		"big: %d does not fit in 24 bits"},
	{"kick/game logic gone before the start", "Game logic error. Remote endpoint closed? Read " +
		"error: %s"},
	{"kick/no DO_INIT_ACK", "Did not receive DO_INIT_ACK after 3 seconds."},
	{"kick/bad DO_INIT_ACK", "Invalid DO_INIT_ACK message. %s"},
	{"kick/unreadable DO_INIT_ACK", "Cannot read DO_INIT_ACK. %s"},
	{"kick/bad DO_TURN_ACK", "Invalid DO_TURN_ACK message. %s"},
	{"kick/winner out of range", "Invalid DO_TURN_ACK message. Invalid winner_player_id: Not in " +
		"[-1, %d["},
	{"kick/unreadable DO_TURN_ACK", "Cannot read DO_TURN_ACK. %s"},
}

// fieldRows holds the errors of message fields.
var fieldRows = []row{
	{"field/missing", "Field '%s' is missing"},
	{"field/no string", "Non-string value for field '%s'"},
	{"field/no integer", "Non-integral value for field '%s'"},
	{"field/no object", "Non-object value for field '%s'"},
	{"field/no array", "Non-array value for field '%s'"},
	{"field/other message type", "Received '%s' message type, while %s was expected"},
	{"field/numbers are truncated", ""},
}

// numbers holds the numeric options, each with its least and greatest value and the
// values just outside.
var numbers = []struct{ name, standard, least, most, below, above string }{
	{"port", "4242", "1", "65535", "0", "65536"},
	{"nb-turns-max", "100", "1", "65535", "0", "65536"},
	{"nb-players-max", "4", "0", "1024", "-1", "1025"},
	{"nb-splayers-max", "0", "0", "1024", "-1", "1025"},
	{"nb-visus-max", "1", "0", "1024", "-1", "1025"},
	{"delay-first-turn", "1000", "50", "10000", "49.999", "10000.001"},
	{"delay-turns", "1000", "50", "10000", "49.999", "10000.001"},
}

// switches holds the options without a value.
var switches = []string{
	"autostart", "fast", "simple-prompt", "verbose", "quiet", "debug", "json-logs",
}

var optionRows = func() (list []row) {
	for _, o := range numbers {
		for _, what := range []string{"default", "least", "most", "below the least", "above the most"} {
			list = append(list, row{id: "option/" + o.name + ": " + what})
		}
	}
	for _, name := range switches {
		list = append(list, row{id: "option/" + name})
	}
	for _, what := range []string{
		"as --name=value", "as --name value", "fractions of delays", "0x10 and 010",
		"beginning of a name", "ambiguous beginning",
		"repeated", "switch with a value", "number without a value", "two log levels", "unknown",
		"argument", "not a number",
		"-h", "--help", "--version", "--version beside an unknown option",
		"environment and settings file do not count",
	} {
		list = append(list, row{id: "option/" + what})
	}
	return list
}()

// promptRows holds the effects of lines on standard input.
var promptRows = []row{
	{"prompt/start", ""},
	{"prompt/start without a game logic", "Cannot start: Game logic not connected"},
	{"prompt/start a second time", "Game has already been started"},
	{"prompt/quit", "Shell exited. Aborting."},
	{"prompt/print a variable", "%s=%s"},
	{"prompt/print all", ""},
	{"prompt/set with =", ""},
	{"prompt/set with a space", ""},
	{"prompt/set no number", `Bad VALUE=%s. strconv.%s: parsing "%[1]s": %[3]s`},
	{"prompt/set out of range", "Bad VALUE=%s: Not in [%s,%s]"},
	{"prompt/set during a match", ""},
	{"prompt/print an unknown variable", "Bad VARIABLE=%s. Accepted values: %s all"},
	{"prompt/set an unknown variable", "Bad VARIABLE=%s. Accepted values: %s"},
	{"prompt/white space behind a command", ""},
	{"prompt/longest variable", ""},
	{"prompt/longest line", ""},
	{"prompt/malformed start", "expected syntax: start"},
	{"prompt/malformed quit", "expected syntax: quit"},
	{"prompt/malformed print", "expected syntax: print VARIABLE"},
	{"prompt/malformed set", "expected syntax: set VARIABLE=VALUE"},
	{"prompt/malformed set, second line", "   (alt syntax): set VARIABLE VALUE"},
	{"prompt/anything else", ""},
	{"prompt/white space around a line", ""},
	{"prompt/end of input", ""},
	{"prompt/no prompt characters", ""},
	{"prompt/quiet", ""},
}

// logRows holds log texts that tools wait for.
var logRows = []row{
	{"log/listening", "Listening incoming connections"},
	{"log/cannot listen", "Cannot listen incoming connections"},
	{"log/game logic", "Game logic accepted"},
	{"log/player", "New player accepted"},
	{"log/special player", "New player accepted"},
	{"log/visualization", "New visualization accepted"},
	{"log/start", "Starting game"},
	{"log/finished", "Game is finished (no winner!)"},
	{"log/finished with a winner", "Game is finished"},
	{"log/kick", "Kicking client"},
	{"log/hang-up", "Remote endpoint closed"},
	{"log/hang-up without a byte", "Invalid first message: Remote endpoint closed? Read error: EOF"},
	{"log/automatic start", "Automatic starting conditions are met"},
	{"log/sending kicks", "Sending KICK messages to clients"},
	{"log/closing", "Closing listening socket."},
	{"log/not accepting", "Could not accept incoming connection. Aborting server."},
	{"log/format", ""},
	{"log/game logic failed", "Game logic failed. Aborting."},
	{"log/SIGTERM", "SIGTERM received. Aborting."},
	{"log/SIGINT", "SIGTERM received. Aborting."},
	{"log/quit", "Shell exited. Aborting."},
	{"log/first line, and then silence", ""},
	{"log/an info line an event", ""},
	{"log/verbose", ""},
	{"log/quiet", ""},
	{"log/debug", ""},
	{"log/JSON", ""},
	{"log/unread pipe", ""},
}

var exitRows = []row{
	{id: "exit/0: game finished"},
	{id: "exit/0: quit"},
	{id: "exit/0: help"},
	{id: "exit/0: version"},
	{id: "exit/1: usage error"},
	{id: "exit/1: value out of range"},
	{id: "exit/1: port taken"},
	{id: "exit/1: SIGINT"},
	{id: "exit/1: SIGTERM"},
	{id: "exit/1: game logic failure"},
}

// matchRows holds the behaviour of matches.
var matchRows = []row{
	{id: "match/no players"},
	{id: "match/one player"},
	{id: "match/many players, special players and visualizations"},
	{id: "match/fewer players than seats"},
	{id: "match/N turns are N-1 TURNs"},
	{id: "match/GAME_STARTS"},
	{id: "match/ids"},
	{id: "match/players_info"},
	{id: "match/timer pace"},
	{id: "match/fast pace"},
	{id: "match/visualizations are not waited for"},
	{id: "match/order of arrival"},
	{id: "match/skipped turns"},
	{id: "match/late answer"},
	{id: "match/late answer beside the next"},
	{id: "match/kept TURN is dropped at the end"},
	{id: "match/numbers in actions"},
	{id: "match/states in plain notation"},
	{id: "match/states are valid UTF-8"},
	{id: "match/actions are valid UTF-8"},
	{id: "match/autostart waits for all, the game logic too"},
	{id: "match/autostart is judged at logins"},
	{id: "match/leaves before the start"},
	{id: "match/leaves before DO_INIT_ACK"},
	{id: "match/leaves while READY"},
	{id: "match/leaves while THINKING"},
	{id: "match/kicked during the match"},
	{id: "match/game logic leaves before the start"},
	{id: "match/game logic leaves during the match"},
	{id: "match/early DO_TURN_ACK"},
	{id: "match/second early DO_TURN_ACK"},
	{id: "match/late visualization"},
	{id: "match/a hundred logins in a row"},
	{id: "match/nicknames of all kinds"},
	{id: "match/two clients of one name"},
	{id: "match/largest first message"},
	{id: "match/largest message"},
	{id: "match/line feed may be left out"},
	{id: "match/unknown fields"},
	{id: "match/IPv6"},
	{id: "match/hexarena netorcai and hexarena serve"},
}

// stopRows holds the moments at which a server can be stopped, and the ways.
var stopRows = func() (list []row) {
	for _, m := range moments {
		for _, h := range stopMethods {
			list = append(list, row{id: "stop/" + m.name + ": " + h.name})
		}
	}
	return list
}()

// terminalRows holds the behaviour on a terminal.
var terminalRows = []row{
	{id: "terminal/prompt"},
	{id: "terminal/logs leave the line alone"},
	{id: "terminal/completes commands"},
	{id: "terminal/completes variables"},
	{id: "terminal/history"},
	{id: "terminal/help"},
	{id: "terminal/Ctrl-C"},
	{id: "terminal/Ctrl-D"},
	{id: "terminal/quit"},
	{id: "terminal/SIGTERM"},
	{id: "terminal/game finished"},
	{id: "terminal/simple prompt"},
}

// rowText returns the text of a row.
func rowText(id string) string {
	i := slices.IndexFunc(rows, func(r row) bool { return r.id == id })
	if i < 0 {
		panic("no row " + id)
	}
	return rows[i].text
}

func TestEveryRowIsProved(t *testing.T) {
	var proved []string
	for _, c := range allCases() {
		for _, id := range c.rows {
			if !slices.ContainsFunc(rows, func(r row) bool { return r.id == id }) {
				t.Errorf("case %s: there is no row %s", c.name, id)
			}
			proved = append(proved, id)
		}
	}
	seen := map[string]bool{}
	for _, r := range rows {
		if seen[r.id] {
			t.Errorf("row %s is there twice", r.id)
		}
		seen[r.id] = true
		if strings.HasPrefix(r.id, "terminal/") && runtime.GOOS != "linux" {
			continue // these cases need a Linux pseudo-terminal
		}
		if !slices.Contains(proved, r.id) {
			t.Errorf("no case proves row %s", r.id)
		}
	}
}
