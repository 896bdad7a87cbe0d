package launch

// Place is where the process of a bot runs, which decides what the bot can reach.
type Place uint8

// The places, in the order in which one is preferred for a bot that another person has sent.
const (
	InEngine    Place = iota // in the JavaScript engine of this program, which confines it
	InContainer              // in a container of its own
	OnMachine                // on this machine
)

// PlaceOf returns where a bot runs that is a script run by js, or no script. containers reports
// whether bots are isolated in containers: the engine needs none, since a script in it reaches no
// file, network or process.
func PlaceOf(js JavaScript, containers bool) Place {
	switch {
	case js == JSBuiltin:
		return InEngine
	case containers:
		return InContainer
	}
	return OnMachine
}

// FullRights says to the operator what bots may do that run on the machine.
const FullRights = "run with your rights: they can read and change what you can"
