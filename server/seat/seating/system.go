package seating

import (
	"net"
	"net/netip"

	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/machine/origin"
	"github.com/hexarena/hexarena/server/seat/process"
)

// System is where bots are started. Programs use this machine; tests may use something else.
type System interface {
	// Launch starts a program, as [process.Launch] does.
	Launch(launch.Command) (*process.Process, error)
	// Listen returns a listener at a free port of a host.
	Listen(host string) (net.Listener, error)
	// FreePort returns a port of a host for a bot to listen on, as [process.FreePort] does.
	FreePort(host string) (int, error)
	// Traces reports whether Find can find the processes behind connections to a port.
	Traces(port uint16) bool
	// Find returns which of the roots, the ids of processes, has made a connection from peer to a
	// port, as [origin.Find] does.
	Find(peer netip.AddrPort, port uint16, roots []int) (int, error)
}

// machine is the System that is this machine.
type machine struct{}

// Launch implements System.
func (machine) Launch(c launch.Command) (*process.Process, error) { return process.Launch(c) }

// Listen implements System.
func (machine) Listen(host string) (net.Listener, error) {
	return net.Listen("tcp", net.JoinHostPort(host, "0"))
}

// FreePort implements System.
func (machine) FreePort(host string) (int, error) { return process.FreePort(host) }

// Traces implements System.
func (machine) Traces(port uint16) bool { return origin.Supported(port) }

// Find implements System.
func (machine) Find(peer netip.AddrPort, port uint16, roots []int) (int, error) {
	return origin.Find(peer, port, roots)
}
