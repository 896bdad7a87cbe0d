package config

import "time"

// NetorcaiPlayers is netorcai's default number of seats for players. It has no map from which the
// number could follow.
const NetorcaiPlayers = 4

// Bounds of numbers of connections, of messages a second, and of a message's bytes.
const (
	maxConnections = 1_000_000
	maxRate        = 10_000_000
	leastMessage   = 1 << 10
	mostMessage    = 1<<24 - 1 // the maximum of the metaprotocol
)

// hosting is for settings that serve shares with netorcai.
const hosting = Serve | netorcai

// table holds the general settings, which do not belong to a game. The help shows those of a group
// in this order. The names of the games are added to the setting game, see Scope.complete.
var table = []Setting{
	{
		Name: "game", Default: "hexabomb",
		Commands: Serve | Play | Cup | Check | Event | Env,
		Help:     "game to play",
	},
	{
		Name: "turns", Aliases: []Alias{{Name: turnsMax.Name}}, Kind: integer(turnsMax), Default: "100",
		Commands: hosting | Play | Cup | Check | Event | Env,
		Help:     "number of turns to play",
		In:       map[Command]Variant{Check: {Help: "number of turns of the match with built-in bots"}},
	},
	{
		Name: "seed", Kind: seed.Or("random"), Default: "random", Commands: Serve | Play | Cup | Check,
		Help: "seed of all random choices; the second match of a series adds 1 to it, and so on",
		In: map[Command]Variant{
			Cup: {Help: "seed of all random choices; random: that of the same cup if it has begun, else " +
				"a new one"},
			Check: {Default: "1", Help: "seed of all random choices"},
		},
	},
	{
		Name: "order", Kind: Choice(string(Arrival), string(Seeded)), Default: string(Seeded),
		Commands: Serve | Play | Cup,
		Help: "order in which the players' actions are applied: as their answers arrive, or drawn from " +
			"the seed in each turn, so that the match can be played again",
		In: map[Command]Variant{
			Serve: {Default: string(Arrival)},
			Cup: {Help: "order in which the players' actions are applied; in a cup it is drawn from the " +
				"seed in each turn"},
		},
	},

	{
		Name: "players", Kind: Integer(0, maxSeats).Or("map"), Default: "map", Group: SeatsGroup,
		Commands: hosting | Env,
		Aliases: []Alias{{
			Name: "nb-players-max", Help: "seats for players",
		}},
		Help: "seats for players; map: as many as the map has (4 for an external game)",
		In: map[Command]Variant{
			netorcai: {Kind: Integer(0, maxSeats), Default: "4"},
			Env:      {Help: "players; map: as many as the map has"},
		},
	},
	{
		Name: "seats", Kind: Text(), Group: SeatsGroup, Commands: Serve,
		Help: "who plays in each match: SEATs as of hexarena play, separated by spaces; all other " +
			"seats are open",
	},
	{
		Name: "special-players", Aliases: []Alias{{Name: specialsMax.Name}}, Kind: integer(specialsMax),
		Default: "0", Group: SeatsGroup, Commands: hosting,
		Help: "seats for special players",
	},
	{
		Name: "visualizations", Aliases: []Alias{{Name: visusMax.Name}}, Kind: integer(visusMax),
		Default: "1", Group: SeatsGroup, Commands: hosting,
		Help: "seats for visualizations",
	},
	{
		Name: "autostart", Kind: Bool(), Default: "false", Group: SeatsGroup, Commands: hosting,
		Help: "start once all seats are taken",
	},
	{
		Name: "reconnect", Kind: Duration(0), Default: "30s", Group: SeatsGroup, Commands: Serve | Event,
		Help: "how long a disconnected player can reconnect and keep its seat; off or 0 if it cannot",
	},
	{
		Name: "start-timeout", Kind: Duration(1), Default: "10s",
		Group: SeatsGroup, Commands: Play | Serve | Rerun | Cup | Check | Verify,
		Help: "time limit for a started bot to log in",
		In:   map[Command]Variant{Verify: {Help: "time limit for the game logic of --logic to log in"}},
	},
	{
		Name: "env", Kind: Text(), Group: SeatsGroup, Commands: Serve | Play | Rerun | Cup | Check,
		Repeats: true,
		Help: "environment variables for started bots, in addition to PATH, HOME, LANG and those that " +
			"languages need: NAME or NAME=VALUE, separated by spaces; the flag can be repeated",
	},
	{
		Name: "js", Kind: Choice("auto", "builtin", "node"), Default: "auto",
		Group: SeatsGroup, Commands: Serve | Play | Rerun | Cup | Check, Rare: true,
		Help: "what runs bots in JavaScript: hexarena itself (builtin), node, or auto: node where it " +
			"is installed",
	},
	{
		Name: "js-memory", Kind: Integer(16, 1<<20), Default: "1024",
		Group: SeatsGroup, Commands: Serve | Play | Rerun | Cup | Check, Rare: true,
		Help: "memory of a bot in JavaScript that hexarena runs itself, in MiB",
	},
	{
		Name: "isolate", Kind: Bool(), Default: "false", Group: SeatsGroup,
		Commands: Serve | Play | Rerun | Cup,
		Help: "run started bots in containers of podman or docker: without network but to the match, " +
			"without files but their own, and with limits",
	},
	{
		Name: "isolate-image", Kind: Text(), Default: "auto", Group: SeatsGroup,
		Commands: Serve | Play | Rerun | Cup | Event, With: "isolate", Rare: true,
		Help: "container image with the programs that isolated bots need; auto: one for the language",
	},
	{
		Name: "isolate-memory", Kind: Integer(16, 1<<20), Default: "512", Group: SeatsGroup,
		Commands: Serve | Play | Rerun | Cup | Event, With: "isolate", Rare: true,
		Help: "memory of an isolated bot, in MiB",
	},
	{
		Name: "isolate-cpus", Kind: Integer(1, 1024), Default: "1", Group: SeatsGroup,
		Commands: Serve | Play | Rerun | Cup | Event, With: "isolate", Rare: true,
		Help: "processor cores' worth of time for an isolated bot",
	},
	{
		Name: "strict", Kind: Bool(), Default: "false", Group: SeatsGroup, Commands: Play,
		Help: "exit with 3 or 4 if a bot failed, and refuse logins that cannot be traced to a started " +
			"bot",
	},

	{
		Name: "pace", Kind: Choice(string(Fast), string(Timer)), Default: string(Fast),
		Group: PaceGroup, Commands: hosting | Play,
		Aliases: []Alias{{
			Name: "fast", Kind: fastSwitch, Default: "false",
			Help: "end a turn as soon as all players have answered",
		}},
		Help: "fast: a turn ends when all players have answered; timer: turns have the length that " +
			"--tps says",
		In: map[Command]Variant{Serve: {Default: string(Timer)}, netorcai: {Default: string(Timer)}},
	},
	{
		Name: "tps", Kind: rate.Or("auto"), Default: "auto", Group: PaceGroup, Commands: hosting | Play,
		Aliases: []Alias{{
			Name: delayTurns.Name, Kind: millis(delayTurns), Default: "1000",
			Help: "milliseconds between turns",
		}},
		Help: "turns per second at most, 0 for no limit; auto: 1 with --pace timer, otherwise no limit",
		In: map[Command]Variant{
			Play: {Help: "turns per second at most, 0 for no limit; auto: 1 with --pace timer, " +
				"otherwise 10 on a terminal or with --open, else no limit"},
			netorcai: {Default: "1"},
		},
	},
	{
		Name: delayFirstTurn.Name, Kind: millis(delayFirstTurn), Default: "1000", Group: PaceGroup,
		Commands: hosting,
		Help:     "milliseconds before the first turn",
	},
	{
		Name: "turn-timeout", Kind: Duration(0), Default: "10s",
		Group: PaceGroup, Commands: Serve | Play | Rerun | Cup | Check | Event, With: "pace=fast",
		Help: "time limit for an answer, after which the turn ends without it; off or 0 for no limit",
		In: map[Command]Variant{
			Serve: {Default: "off"},
			Rerun: {Help: "time limit for an answer; off or 0 for no limit"},
			Check: {Kind: Duration(1), Help: "time limit for an answer; a later one is a fault"},
			Event: {Kind: Duration(1), Default: "1s", Help: "time limit for an answer, after which the " +
				"turn ends without it; after five in a row the match no longer waits for the bot"},
			Cup: {Help: "time limit for an answer, after which the turn ends without it; after five in a " +
				"row the match no longer waits for the bot; off or 0 for no limit"},
		},
	},

	{
		Name: "matches", Kind: Integer(1, 1_000_000).Or("endless"), Default: "1", Group: SeriesGroup,
		Commands: Serve,
		Help:     "number of matches, played one after another on the same port",
	},
	{
		Name: "watch", Kind: Bool(), Default: "false", Group: SeriesGroup, Commands: Play,
		Help: "play again whenever the file of a bot changes, until Ctrl-C",
	},

	{
		Name: "port", Kind: Integer(1, 65535), Default: "4242",
		Group: NetworkGroup, Commands: hosting | Play | Event,
		Help: "TCP port that clients connect to",
		In: map[Command]Variant{
			Event: {Help: "TCP port that bots connect to, and at which the pages are"},
			Play: {Kind: Integer(0, 65535), Help: "TCP port that bots connect to; 0 for any free port. If " +
				"this setting is left out and the port is in use, another one is taken"},
		},
	},
	{
		Name: "bind", Kind: text("an IP address, a host name, or nothing for all interfaces", isHost),
		Group: NetworkGroup, Commands: Serve | Play | Event,
		Help: "IP address or host name to listen on; empty for all interfaces",
		In:   map[Command]Variant{Play: {Default: "127.0.0.1"}},
	},
	{
		Name: "health", Kind: address, Group: NetworkGroup, Commands: Serve | Event,
		Help: "address that answers only the probes /healthz and /readyz, such as 127.0.0.1:8081, with " +
			"its own limits; empty for none",
	},
	{
		Name: "drain-timeout", Kind: Duration(0), Default: "off", Group: NetworkGroup, Commands: Serve,
		Help: "after SIGTERM, wait at most this long for the running match to end; off or 0 to end it " +
			"immediately",
	},
	{
		Name: "login-timeout", Kind: Duration(1), Default: "10s", Group: NetworkGroup,
		Commands: Serve | Event, Rare: true,
		Help: "close a connection that has not logged in within this time",
	},
	{
		Name: "write-timeout", Kind: Duration(0), Default: "1m", Group: NetworkGroup,
		Commands: Serve | Event, Rare: true,
		Help: "close a connection that has not read what it was sent within this time; off or 0 for no " +
			"limit",
	},
	{
		Name: "linger", Kind: Duration(0), Default: "5s", Group: NetworkGroup, Commands: Serve,
		Rare: true,
		Help: "after the last match, wait at most this long for clients that still owe an answer, so " +
			"that they can read the end; off or 0 for half a second, as for all other clients",
	},
	{
		Name: "max-connections", Kind: Integer(0, maxConnections), Default: "2000", Group: NetworkGroup,
		Commands: Serve | Event, Rare: true,
		Help: "largest number of open connections of bots; 0 for no limit. At the limit, a new " +
			"connection replaces one that has not logged in",
	},
	{
		Name: "max-connections-per-address", Kind: Integer(0, maxConnections), Default: "100",
		Group: NetworkGroup, Commands: Serve | Event, Rare: true,
		Help: "largest number of these from one address or one IPv6 network of 64 bits; twice as many " +
			"from a network of 56 bits, four times as many from one of 48; 0 for no limit. An address " +
			"with most of the connections, such as a school's or a container host's, is assumed to be a " +
			"NAT gateway and may have up to nine tenths of all",
		In: map[Command]Variant{Event: {Default: "1000"}}, // a room may be behind one address
	},
	{
		Name: "max-page-connections", Kind: Integer(0, maxConnections), Default: "6000",
		Group: NetworkGroup, Commands: Serve | Event, Rare: true,
		Help: "largest number of open connections of browsers and other HTTP clients; 0 for no limit. " +
			"At the limit, a new connection replaces an idle one. 6000 need up to 150 MiB",
	},
	{
		Name: "max-page-connections-per-address", Kind: Integer(0, maxConnections), Default: "1000",
		Group: NetworkGroup, Commands: Serve | Event, Rare: true,
		Help: "largest number of these from one address, with the same exception; 0 for no limit",
	},
	{
		Name: "max-message-size", Kind: Integer(leastMessage, mostMessage).Or("game"), Default: "game",
		Group: NetworkGroup, Commands: Serve, Rare: true,
		Help: "largest size of a player's answer, in bytes; game: what the game needs, which is 16384, " +
			"more on a map where a player has more than 44 characters, and 1048576 for an external game",
	},
	{
		Name: "max-message-rate", Kind: Integer(0, maxRate), Default: "100000", Group: NetworkGroup,
		Commands: Serve, Rare: true,
		Help: "largest number of answers of a player per second; 0 for no limit",
	},
	{
		Name: "max-visu-message-size", Kind: Integer(leastMessage, mostMessage), Default: "65536",
		Group: NetworkGroup, Commands: Serve, Rare: true,
		Help: "largest size of a visualization's answer, in bytes",
	},
	{
		Name: "max-visu-message-rate", Kind: Integer(0, maxRate), Default: "100000", Group: NetworkGroup,
		Commands: Serve, Rare: true,
		Help: "largest number of answers of a visualization per second; 0 for no limit",
	},
	{
		Name: "max-logic-message-size", Kind: Integer(leastMessage, mostMessage), Default: "16777215",
		Group: NetworkGroup, Commands: Serve, Rare: true,
		Help: "largest size of a message of an external game logic, in bytes",
	},
	{
		Name: "max-message-depth", Kind: Integer(8, 512), Default: "512", Group: NetworkGroup,
		Commands: Serve, Rare: true,
		Help: "largest nesting depth of an answer of a player or a visualization",
	},

	{
		Name: "tokens", Kind: Text(), Group: AccessGroup, Commands: Serve,
		Help: "file with the tokens of the clients that may take part, made by hexarena tokens; empty " +
			"to admit every client",
	},
	{
		Name: "ask-publication", Kind: Bool(), Default: "false", Group: AccessGroup, Commands: Event,
		Help: "ask teams at sign-up for permission to publish their matches and code; exports have " +
			"the answer",
	},
	{
		Name: "ask-ai", Kind: Bool(), Default: "false", Group: AccessGroup, Commands: Event,
		Help: "ask teams at sign-up how AI helped to make their bots; exports have the answer",
	},
	{
		Name: "http", Kind: address, Default: "127.0.0.1:8080", Group: PageGroup,
		Commands: Serve | Play | Event,
		Help: "address of the page that shows the match in browsers; empty for no page. If this " +
			"setting is left out and the port is in use, another one is taken",
		In: map[Command]Variant{Event: {
			Default: "127.0.0.1:0",
			Help: "another address of the pages, with /metrics, also over https; the port of the bots " +
				"has the pages as well. Port 0: any",
		}},
	},
	{
		Name: "page-hosts", Kind: text("host names, separated by spaces", areHosts),
		Group: PageGroup, Commands: Serve | Play | Event | Cup | ShownCup, Rare: true,
		Help: "host names, separated by spaces, of the page behind a proxy or a tunnel on this " +
			"machine; requests for other names with a dot are refused, because they may be another site's",
	},
	{
		Name: "trusted-proxies",
		Kind: text("IP addresses and networks, separated by spaces", areNetworks), Group: PageGroup,
		Commands: Serve | Event, Rare: true,
		Help: "addresses or networks of proxies before the page, separated by spaces, whose " +
			"X-Forwarded-For is believed: limits and sign-up then count the addresses of their clients",
	},
	{
		Name: "open", Kind: Bool(), Default: "false", Group: PageGroup, Commands: Play, With: "http",
		Help: "open the page in a browser, and keep it until Ctrl-C, with a button to play again",
	},
	{
		Name: "tls-cert", Kind: Text(), Group: PageGroup, Commands: Serve | Event, Rare: true,
		With: "tls-key",
		Help: "file with a certificate in PEM, to serve the page over https, which is read again " +
			"when it changes; empty for http",
	},
	{
		Name: "tls-key", Kind: Text(), Group: PageGroup, Commands: Serve | Event, Rare: true,
		With: "tls-cert",
		Help: "file with the certificate's key in PEM",
	},

	{
		Name: "record", Kind: Text(), Default: "recordings", Group: RecordingGroup,
		Commands: Serve | Play,
		Help:     "folder for recordings, created when needed; empty to record nothing",
	},
	{
		Name: "keep-recordings", Kind: keep, Default: "1GiB", Group: RecordingGroup,
		Commands: Serve | Play,
		Help: "recordings to keep in that folder: a number such as 100, a size such as 1GiB, an age " +
			"such as 30d or 72h, several of these separated by commas, or all. The oldest finished " +
			"recordings are deleted first; one match may take half of the size",
		In: map[Command]Variant{Play: {Default: "all"}},
	},
	{
		Name: "durable", Kind: Choice("turn", "second", "end"), Default: "second", Group: RecordingGroup,
		Commands: Serve | Play, Rare: true,
		Help: "what a loss of power can destroy of a running match's recording: the current turn " +
			"(turn), the last second (second), or all of it (end)",
	},

	{
		Name: string(Verbose), Kind: Bool(), Default: "true", Group: LogsGroup, Commands: hosting | Event,
		Help: "log every event; verbose, quiet and debug exclude each other",
	},
	{
		Name: string(Quiet), Kind: Bool(), Default: "false", Group: LogsGroup, Commands: hosting | Event,
		Help: "log warnings and errors only",
	},
	{
		Name: string(Debug), Kind: Bool(), Default: "false", Group: LogsGroup, Commands: hosting | Event,
		Help: "log details as well",
	},
	{
		Name: "json-logs", Kind: Bool(), Default: "false", Group: LogsGroup, Commands: hosting | Event,
		Help: "write logs as one JSON object per line",
	},
	{
		Name: "simple-prompt", Kind: Bool(), Default: "false", Group: LogsGroup, Commands: hosting,
		Rare: true,
		Help: "prompt without line editing, even on a terminal",
	},
	{
		Name: "json", Kind: Bool(), Default: "false", Group: LogsGroup, Commands: Play,
		Help: "print the result as one JSON object",
	},
	{
		Name: "text", Kind: Bool(), Default: "false", Group: LogsGroup, Commands: Play,
		Help: "print the board after each turn as text",
	},
	{
		Name: "logs", Kind: Text(), Default: "bot-logs", Group: LogsGroup, Commands: Play | Serve,
		Help: "folder for the output of started bots, created when needed",
	},
}

// fastSwitch is the kind of paces as netorcai writes them: fast, true or false.
var fastSwitch = kindOf("bool", Bool().Accepts, func(text string) (string, bool) {
	on, ok := Bool().Parse(text)
	if on == true {
		return string(Fast), ok
	}
	return string(Timer), ok
}, func(pace string) string { return show(pace == string(Fast)) })

// defaultInterval is the time from one turn to the next at the timer's pace if tps is not given.
// Clients are told the same at the fast pace.
const defaultInterval = time.Second
