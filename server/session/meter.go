package session

// Meter counts what sessions do. Its methods are called by any goroutine, and
// must not block.
type Meter interface {
	Connected()
	Disconnected()
	Refused(reason string) // a connection that gets no session
	Kicked(reason string)
	Received(bytes int) // the content of messages
	Sent(bytes int)     // messages, as they are framed
}

// NoMeter counts nothing.
type NoMeter struct{}

// Connected implements Meter, and so do the others.
func (NoMeter) Connected()     {}
func (NoMeter) Disconnected()  {}
func (NoMeter) Refused(string) {}
func (NoMeter) Kicked(string)  {}
func (NoMeter) Received(int)   {}
func (NoMeter) Sent(int)       {}
