package session

// Meter counts what sessions do. Any goroutine may call its methods, which must not
// block.
type Meter interface {
	Connected()
	Disconnected()
	Refused(reason string) // a connection that did not get a session
	Kicked(reason string)
	Received(bytes int) // contents of messages
	Sent(bytes int)     // messages with their framing
}

// NoMeter counts nothing.
type NoMeter struct{}

// Connected implements Meter, as do the other methods.
func (NoMeter) Connected()     {}
func (NoMeter) Disconnected()  {}
func (NoMeter) Refused(string) {}
func (NoMeter) Kicked(string)  {}
func (NoMeter) Received(int)   {}
func (NoMeter) Sent(int)       {}
