package isolate

import "encoding/json"

// task is what this program is to do as the first process of a sandbox.
type task struct {
	Argv    []string // empty: the sandbox is only tried
	Dir     string   `json:",omitempty"` // where the bot runs
	Sockets string   // folder of the sockets, in the sandbox
	Port    int      `json:",omitempty"` // where the bot logs in; 0: nowhere
	Image   string   // for messages
}

// insideArgument is the first argument of this program in a sandbox.
const insideArgument = "isolated-bot"

// inside returns the arguments with which this program does a task.
func inside(t task) ([]string, error) {
	text, err := json.Marshal(t)
	return []string{insideArgument, string(text)}, err
}
