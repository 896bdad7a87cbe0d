package deflate

// maxContexts is the number of connections that are compressed at a time: enough for a room of
// forty teams with some to spare, in at most 70 MB.
const maxContexts = 64

// Contexts limits the memory of the contexts of all connections. The zero value is not ready: see
// [NewContexts].
type Contexts struct {
	taken chan struct{}
}

// NewContexts returns contexts of which none is taken.
func NewContexts() *Contexts { return &Contexts{make(chan struct{}, maxContexts)} }

// Take takes the context of one connection. It reports false if all are taken, so that the
// connection has to do without compression. A nil c has none.
func (c *Contexts) Take() bool {
	if c == nil {
		return false
	}
	select {
	case c.taken <- struct{}{}:
		return true
	default:
		return false
	}
}

// Release gives a context back.
func (c *Contexts) Release() { <-c.taken }
