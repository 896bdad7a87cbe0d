package host

import "github.com/hexarena/hexarena/server/result"

// Account returns the account of the room's match.
func (r *Room) Account() *result.Account { return r.account }
