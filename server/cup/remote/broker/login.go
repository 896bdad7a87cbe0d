package broker

import (
	"crypto/subtle"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/hexarena/hexarena/server/cup/remote/natsqueue"
)

// coordinator is the user that may do everything, from within this process.
const coordinator = "coordinator"

// logins says who may log in: the coordinator, and workers by their common token, each of which is
// a user of its own by its ID. It implements server.Authentication.
type logins struct {
	password, token string
	names           natsqueue.Names
}

// Check implements server.Authentication.
func (l *logins) Check(c server.ClientAuthentication) bool {
	o := c.GetOpts()
	is := func(user, password string) bool {
		return o.Username == user && subtle.ConstantTimeCompare([]byte(o.Password), []byte(password)) == 1
	}
	switch {
	case is(coordinator, l.password):
		c.RegisterUser(&server.User{Username: coordinator})
		return true
	case is(l.names.User(), l.token) && natsqueue.ValidID(o.Name):
		c.RegisterUser(&server.User{Username: "worker " + o.Name, Permissions: &server.Permissions{
			Publish:   &server.SubjectPermission{Allow: l.names.WorkerSubjects(o.Name)},
			Subscribe: &server.SubjectPermission{Allow: []string{natsqueue.Inbox(o.Name) + ".>"}},
		}})
		return true
	}
	return false
}
