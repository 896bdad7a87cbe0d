package check

// Severity says how much a fault matters.
type Severity string

// The severities. An error costs the bot turns, actions or matches; an advice is something that
// servers tolerate.
const (
	Error  Severity = "error"
	Advice Severity = "advice"
)

// Fault is something that a bot does wrong.
type Fault struct {
	Key      string   `json:"key"` // stable: programs may compare it
	Severity Severity `json:"severity"`
	Case     string   `json:"case"`             // in which it was found, such as "ordinary play"
	Found    string   `json:"found"`            // what the bot did, in sentences
	Rule     string   `json:"rule"`             // the line of the protocol, or of the documentation
	Source   string   `json:"source"`           // where the line is
	Remedy   string   `json:"remedy"`           // what to do
	Output   []string `json:"output,omitempty"` // what the bot printed last, if that may tell more
}

// Where the rules are quoted from.
const (
	specification = "protocol/netorcai/SPEC.md"
	packetSpec    = "protocol/htttx/SPEC.md"
	playHelp      = "hexarena play --help-all"
	playerGuide   = "docs/player.md"
	gamePage      = "docs/{game}.md" // of the game that is played
	operatorGuide = "docs/operator.md"
)

// kind is what is always so with faults of one key.
type kind struct {
	severity Severity
	rule     string // a quotation
	source   string
	remedy   string
}

// implies lists the faults that follow from others, and are not reported beside them.
var implies = map[string][]string{
	"player-id":        {"many-players", "stay"},
	"not-reproducible": {"stay-memory"},
	"stay":             {"stay-memory"},
	"refused":          {"player-id", "many-players", "stay"},
	"many-players":     {"crash", "left", "match"}, // in the match with built-in bots
	"rare-state":       {"crash", "left"},
	"other-side":       {"crash", "left", "refused"},
}

// kindOf returns what is always so with faults of a key.
func kindOf(key string) kind {
	if k, ok := kinds[key]; ok {
		return k
	}
	return packetKinds[key]
}

// Rules that several faults violate.
const (
	ruleAddress = "They find the server by BOT_HOST and BOT_PORT in their environment, or by {host} " +
		"and {port} in their command"
	ruleFrame = "A frame is a 4-byte little-endian length and that many bytes of content: one JSON " +
		"object in UTF-8 and a line feed."
	ruleOnce = "A TURN_ACK has the number of the newest TURN sent to the client, -1 before the " +
		"first."
	ruleUnknown = "Unknown fields are ignored."
	ruleStay    = "A client that stays is LOGGED again after GAME_ENDS"
	ruleEnd     = "GAME_ENDS may come in any state and is followed by a KICK"
	ruleLast    = "A KICK is always the last message of a connection."
	ruleAction  = "An impossible action has no effect and does no other harm."
)

// kinds are the faults in netorcai's protocol and in play, by key.
var kinds = map[string]kind{
	// Reaching the server.
	"never-connects": {Error, ruleAddress, playHelp, "Connect to the host in BOT_HOST and the port " +
		"in BOT_PORT as soon as the bot starts."},
	"hard-coded-port": {Error, ruleAddress, playHelp, "Read the port from BOT_PORT, or have {port} " +
		"in the command; a number in the source fits one server only."},
	"hard-coded-host": {Advice, ruleAddress, playHelp, "Read the host from BOT_HOST, or have {host} " +
		"in the command: a server may be on another address."},
	"other-wire": {Error, ruleAddress, playHelp, "Have the bot speak the same protocol each " +
		"time that it is started."},

	// The first message.
	"silent-login": {Error, "a client's first message", specification, "Send the LOGIN as soon as " +
		"the bot is connected: the server says nothing before it."},
	"no-frames": {Error, ruleFrame, specification, "Send the length of each message in four " +
		"bytes before it; the kits do so."},
	"byte-order": {
		Error, ruleFrame, specification,
		`Send the length with its lowest byte first: struct.pack("<I", n) in Python, ` +
			`ByteOrder.LITTLE_ENDIAN in Java.`,
	},
	"frame-length": {Error, "The length includes the line feed", specification, "Count the bytes of " +
		"the encoded content, line feed included, not its characters."},
	"first-message-size": {Error, "the content of a client's first message, line feed included | 1 " +
		"023 bytes", specification, "Shorten the LOGIN."},
	"login-unreadable": {
		Error, "one JSON object in UTF-8", specification,
		"Write the LOGIN with a JSON library, in UTF-8.",
	},
	"not-login": {Error, "a client's first message", specification, "Send the LOGIN first, with " +
		"the message_type LOGIN."},
	"login-field": {Error, "only the first error is reported", specification, "Send nickname, role " +
		"and metaprotocol_version as strings."},
	"login-nickname": {Error, "1 to 10 code points without space, tab, line feed, form feed or " +
		"carriage return", specification, "Use BOT_NICKNAME, or shorten the nickname and replace its " +
		"spaces."},
	"login-role": {Error, "the role that a client asks for: `player`, `special player`, " +
		"`visualization`", specification, `Send the role "player".`},
	"login-version": {
		Error, "three numbers separated by dots; the first is 2", specification,
		`Send the metaprotocol_version "2.0.0".`,
	},
	"not-flushed": {Error, "each content is one line, and the line feed ends " +
		"it", specification, "Flush the output after each line: print(…, flush=True) in Python, " +
		"std::flush in C++."},
	"prints": {Error, "each content is one line, and the line feed ends " +
		"it", specification, "Print to standard error: on standard output every line is a message."},

	// Answers.
	"unasked": {Error, ruleOnce, specification, "Send one TURN_ACK for each TURN, and " +
		"nothing else."},
	"answers-twice": {Error, ruleOnce, specification, "Send all actions of a turn in one TURN_ACK."},
	"answers-end":   {Error, ruleEnd, specification, "Send nothing after GAME_ENDS."},
	"turn-number": {Error, ruleOnce, specification, "Copy turn_number from the TURN into the " +
		"TURN_ACK."},
	"answer-type": {
		Error, "GAME_STARTS──> READY ──TURN──> THINKING", specification,
		"Answer a TURN with the message_type TURN_ACK.",
	},
	"answer-field": {
		Error, "array of any | the game's actions", specification,
		"Send turn_number as a number and actions as an array, which may be empty.",
	},
	"answer-unreadable": {Error, "Other values, text after the object, a byte order mark, numbers " +
		"beyond float64", specification, "Write the answer with a JSON library; NaN, single quotes " +
		"and comments are no JSON."},
	"answer-size": {Error, "the content of every other message, in both directions | 16 777 " +
		"215 bytes", specification, "Send shorter answers, and the right length before each."},
	"silent": {Error, "time limit for an answer, after which the turn ends without " +
		"it", playHelp, "Answer each TURN, with an empty array if there is nothing to do, and flush " +
		"it at once."},
	"slow": {Error, "time limit for an answer, after which the turn ends without " +
		"it", playHelp, "Think less, or watch the clock and answer with what was found so far."},
	"crash": {Error, "it raised an exception; see the last lines of its file in " +
		"`bot-logs`", playerGuide, "The last lines of what it printed say where it failed."},
	"left": {Error, ruleEnd, specification, "Stay connected and read messages until the KICK."},
	"crash-at-end": {Error, ruleLast, specification, "End with exit code 0 after the KICK that " +
		"follows GAME_ENDS."},
	"stays-running": {Error, ruleLast, specification, "End when a KICK comes, or the connection " +
		"is closed; close windows and end threads."},
	"refused": {Error, ruleAction, playerGuide, "Check actions against the state before " +
		"they are sent; the rules of the game say what is possible."},
	"not-reproducible": {
		Error, "they may use BOT_NICKNAME and BOT_SEED", playHelp,
		"Seed all random numbers with BOT_SEED, or with the seed of GAME_STARTS; do not depend " +
			"on the order of sets or on the time.",
	},
	"match": {Error, ruleEnd, specification, "hexarena play shows the same match; its " +
		"logs say more."},

	// Unusual, but permitted.
	"pieces": {Error, ruleFrame, specification, "Read until the four bytes of the length, " +
		"and then all bytes of the content, are there: a read may return fewer."},
	"joined": {Error, ruleFrame, specification, "Take only one message from what was read, " +
		"and keep the rest for the next one."},
	"unknown-fields": {
		Error, ruleUnknown, specification,
		"Ignore fields that you do not know: later versions add some.",
	},
	"notation": {Error, "keys are case-sensitive, the last of equal keys counts, escapes are " +
		"resolved", specification, "Read messages with a JSON library: the order of keys, spaces and " +
		"escapes may differ."},
	"large-state": {Error, "the content of every other message, in both directions | 16 777 215 " +
		"bytes", specification, "Allocate as many bytes as the length says, and read all of them."},
	"deep-state": {
		Error, "nesting of the JSON of a message | 512 levels", specification,
		"Read JSON that is nested 500 levels deep.",
	},
	"skipped-turns": {
		Error, "0 for the first; numbers may be skipped", specification,
		"Take the number from each TURN; do not count TURNs.",
	},
	"no-turns": {Error, ruleEnd, specification, "Accept GAME_ENDS as the message after " +
		"GAME_STARTS."},
	"kick-before": {Error, ruleLast, specification, "Read the kick_reason and end when a KICK " +
		"comes in place of LOGIN_ACK or GAME_STARTS."},
	"kick-during": {Error, ruleLast, specification, "Read the kick_reason and end when a KICK " +
		"comes in a match."},
	"long-wait": {Error, "It may wait as LOGGED for any time", specification, "Wait for messages " +
		"without a time limit: other players may still be missing."},
	"player-id": {
		Error, "your colour is your player id **plus one**", playerGuide,
		"Take the player id from GAME_STARTS; it differs from match to match.",
	},
	"many-players": {Error, "without special players", specification, "Take the number of players " +
		"from GAME_STARTS; special players have the first ids."},
	"rare-state": {Error, ruleAction, playerGuide, "Handle states in which none of your " +
		"characters can act: answer with an empty array."},
	"players-info": {Error, "all players by id, for visualizations; empty for " +
		"players", specification, "Know yourself by player_id: a server may append a number to the " +
		"nickname, and tells players no names."},
	"stay": {Error, ruleStay, specification, "Begin afresh with each GAME_STARTS, which " +
		"has another player id, or leave stay out of the LOGIN."},
	"stay-memory": {Error, ruleStay, specification, "Make a new object for each match and seed it " +
		"with the seed of GAME_STARTS, so that matches do not depend on earlier ones."},

	// Advice.
	"header-alone": {Advice, "A frame is sent in one write", specification, "Send length and " +
		"content in one write, and set TCP_NODELAY."},
	"debug": {Advice, "`debug` is dropped if it has another form, or more than 4 096 " +
		"bytes as sent.", specification, "Keep debug short: text, cells with q and r, values that are " +
		"numbers."},
	"own-nickname": {
		Advice, "they may use BOT_NICKNAME and BOT_SEED", playHelp,
		"Log in as BOT_NICKNAME, so that rankings show the name that the match was given.",
	},
	"no-stay": {Advice, "keep the connection when a match is over and play the next " +
		"one", specification, "With stay in the LOGIN, cups need not start the bot for each match."},
	"no-reconnect": {
		Advice, "If it connects again within `reconnect`", operatorGuide,
		"Connect again with the same nickname and token when the connection breaks without a KICK.",
	},
	"unknown-messages": {
		Advice, ruleUnknown, specification,
		"Ignore messages of a message_type that you do not know: later versions may add some.",
	},
}
