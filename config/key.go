package config

import "time"

// key is one setting. Whatever origin a value comes from, it comes as a text,
// so that one rule judges it.
type key struct {
	name    string
	kind    string                            // of the value, for the help of its flag
	accepts string                            // in words, for mistakes
	set     func(c *Config, text string) bool // false if text is not accepted
	show    func(c *Config) string            // as YAML
}

// keys lists the settings in the order in which they are shown. games are the
// values that the setting game takes.
func keys(games []string) []key {
	return []key{
		integer(port).key("port", func(c *Config) *int { return &c.Port }),
		integer(turnsMax).key("nb-turns-max", func(c *Config) *int { return &c.MaxTurns }),
		optional("map", integer(playersMax)).key("nb-players-max", func(c *Config) *Optional[int] { return &c.MaxPlayers }),
		integer(specialsMax).key("nb-splayers-max", func(c *Config) *int { return &c.MaxSpecials }),
		integer(visusMax).key("nb-visus-max", func(c *Config) *int { return &c.MaxVisus }),
		delay(delayFirstTurn).key("delay-first-turn", func(c *Config) *time.Duration { return &c.DelayFirstTurn }),
		delay(delayTurns).key("delay-turns", func(c *Config) *time.Duration { return &c.DelayTurns }),
		optional("endless", integer(matches)).key("matches", func(c *Config) *Optional[int] { return &c.Matches }),
		toggle.key("autostart", func(c *Config) *bool { return &c.Autostart }),
		toggle.key("fast", func(c *Config) *bool { return &c.Fast }),
		toggle.key("simple-prompt", func(c *Config) *bool { return &c.SimplePrompt }),
		levelKey(Verbose),
		levelKey(Quiet),
		levelKey(Debug),
		toggle.key("json-logs", func(c *Config) *bool { return &c.JSONLogs }),
		choice(games...).key("game", func(c *Config) *string { return &c.Game }),
		text("the name of a shipped map or a file", isName).key("map", func(c *Config) *string { return &c.Map }),
		text("printable text", isPrintable).key("tc", func(c *Config) *string { return &c.TC }),
		toggle.key("public", func(c *Config) *bool { return &c.Public }),
		text("an IP address, a host name, or nothing for all interfaces", isHost).key("bind", func(c *Config) *string { return &c.Bind }),
		duration("off, or a duration such as 500ms or 2s", 0).key("turn-timeout", func(c *Config) *time.Duration { return &c.TurnTimeout }),
		duration("off, or a duration such as 500ms or 2s", 0).key("game-timeout", func(c *Config) *time.Duration { return &c.GameTimeout }),
		duration("a duration above zero such as 10s", 1).key("login-timeout", func(c *Config) *time.Duration { return &c.LoginTimeout }),
		duration("off, or a duration such as 500ms or 2s", 0).key("reconnect", func(c *Config) *time.Duration { return &c.Reconnect }),
		duration("off, or a duration such as 500ms or 2s", 0).key("write-timeout", func(c *Config) *time.Duration { return &c.WriteTimeout }),
		duration("off, or a duration such as 500ms or 2s", 0).key("linger", func(c *Config) *time.Duration { return &c.Linger }),
		duration("off, or a duration such as 500ms or 2s", 0).key("drain-timeout", func(c *Config) *time.Duration { return &c.DrainTimeout }),
		integer(connections).key("max-connections", func(c *Config) *int { return &c.MaxConnections }),
		integer(perAddress).key("max-connections-per-address", func(c *Config) *int { return &c.MaxPerAddress }),
		integer(pageConnections).key("max-page-connections", func(c *Config) *int { return &c.MaxPage }),
		integer(pagePerAddress).key("max-page-connections-per-address", func(c *Config) *int { return &c.MaxPagePerAddress }),
		optional("game", integer(messageSize)).key("max-message-size", func(c *Config) *Optional[int] { return &c.MaxMessageSize }),
		integer(messageRate).key("max-message-rate", func(c *Config) *int { return &c.MaxMessageRate }),
		integer(visuMessageSize).key("max-visu-message-size", func(c *Config) *int { return &c.MaxVisuMessageSize }),
		integer(visuMessageRate).key("max-visu-message-rate", func(c *Config) *int { return &c.MaxVisuMessageRate }),
		integer(logicMessageSize).key("max-logic-message-size", func(c *Config) *int { return &c.MaxLogicMessageSize }),
		integer(messageDepth).key("max-message-depth", func(c *Config) *int { return &c.MaxMessageDepth }),
		text("printable text", isPrintable).key("tokens", func(c *Config) *string { return &c.Tokens }),
		choice(Arrival, Seeded).key("order", func(c *Config) *Order { return &c.Order }),
		optional("random", anySeed).key("seed", func(c *Config) *Optional[uint64] { return &c.Seed }),
		text("printable text", isPrintable).key("http", func(c *Config) *string { return &c.HTTP }),
		text("printable text", isPrintable).key("health", func(c *Config) *string { return &c.Health }),
		text("printable text", isPrintable).key("tls-cert", func(c *Config) *string { return &c.TLSCert }),
		text("printable text", isPrintable).key("tls-key", func(c *Config) *string { return &c.TLSKey }),
		text("printable text", isPrintable).key("record", func(c *Config) *string { return &c.Record }),
		choice("turn", "second", "end").key("durable", func(c *Config) *string { return &c.Durable }),
		keepRule.key("keep-recordings", func(c *Config) *Keep { return &c.Keep }),
	}
}

// key is the setting called name, kept in field under rule r.
func (r rule[T]) key(name string, field func(*Config) *T) key {
	return key{
		name: name, kind: r.kind, accepts: r.accepts,
		set: func(c *Config, text string) (ok bool) {
			*field(c), ok = r.parse(text)
			return ok
		},
		show: func(c *Config) string { return r.show(*field(c)) },
	}
}

// levelKey is the switch for a log level. Load sees to it that exactly one of
// them is on.
func levelKey(level LogLevel) key {
	return key{
		name: string(level), kind: toggle.kind, accepts: toggle.accepts,
		set: func(c *Config, text string) bool {
			on, ok := toggle.parse(text)
			if on {
				c.LogLevel = level
			}
			return ok
		},
		show: func(c *Config) string { return toggle.show(c.LogLevel == level) },
	}
}
