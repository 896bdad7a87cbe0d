package seating

// Why a client or a bot gets no seat, for tests.
var (
	ErrUntraced   = errUntraced
	ErrNotBuiltin = errNotBuiltin
)
