package session

// Meter counts what sessions do. Its methods are called by any goroutine, and
// must not block.
type Meter interface {
	Connected()
	Disconnected()
	Kicked(reason string)
	Received(bytes int) // the content of messages
	Sent(bytes int)     // messages, as they are framed
}

// noMeter counts nothing.
type noMeter struct{}

func (noMeter) Connected()    {}
func (noMeter) Disconnected() {}
func (noMeter) Kicked(string) {}
func (noMeter) Received(int)  {}
func (noMeter) Sent(int)      {}
