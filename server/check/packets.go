package check

// packetKinds are the faults in the HTTTX Bot API, by key.
var packetKinds = map[string]kind{}

func packetCases(*checker) []scenario { return nil }

func (r *run) packetDrill() error { return nil }

func (r *run) dial(string) error { return nil }
