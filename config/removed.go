package config

// noRelays is what replaces relays of a server's matches.
const noRelays = "one server has 6000 viewers, see --max-page-connections; " +
	"recordings and exported pages are files that any web server serves"

// RemovedCommands maps the names of commands that hexarena no longer has to the replacement.
var RemovedCommands = map[string]string{
	"relay":   noRelays,
	"analyse": "use hexarena replay analyse",
	"analyze": "use hexarena replay analyse",
}

// removed maps the names of settings that hexarena no longer has to the replacement.
var removed = map[string]string{
	"relay-token": noRelays,
}

// removedFault returns the fault of a setting that was removed; "" if there never was one of this
// name.
func removedFault(name string) string {
	if instead := removed[name]; instead != "" {
		return "no longer exists: " + instead
	}
	return ""
}
