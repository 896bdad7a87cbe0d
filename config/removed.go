package config

// noRelays is what replaces relays of a server's matches.
const noRelays = "one server has 6000 viewers, see --max-page-connections; " +
	"recordings and exported pages are files that any web server serves"

// manyMatches is what replaces series of matches of play.
const manyMatches = "hexarena cup plays many matches, and has --count and --jobs"

// RemovedCommands maps the names of commands that hexarena no longer has to the replacement.
var RemovedCommands = map[string]string{
	"relay":   noRelays,
	"analyse": "use hexarena replay analyse",
	"analyze": "use hexarena replay analyse",
}

// removed maps the names of settings that hexarena no longer has to the replacement.
var removed = map[string]string{
	"relay-token": noRelays,
	"headless":    "leave it out, and give --http= --port 0 for no page and any port",
	"count":       manyMatches,
	"jobs":        manyMatches,
}

// removedFault returns the fault of a setting that was removed; "" if there never was one of this
// name.
func removedFault(name string) string {
	if instead := removed[name]; instead != "" {
		return "no longer exists: " + instead
	}
	return ""
}
