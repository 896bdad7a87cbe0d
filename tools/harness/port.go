package harness

import (
	"errors"
	"net"
	"os"
	"strconv"
	"sync"
)

// The ports that FreePort returns are below those that systems give to outgoing connections
// and to listeners of port 0, which begin at 32768 on Linux and at 49152 elsewhere, and below
// those that bots listen on, which package process takes at random from 20000 on: a bot could be
// faster than the server that has its port from here. The ports are divided into blocks. A process
// owns a block while it listens on the block's first port.
const (
	firstPort = 10000
	blockSize = 256 // more than most runs of a package's tests take
	blocks    = 39  // up to port 19983
)

var ports struct {
	mu        sync.Mutex
	claims    []net.Listener // on the first ports of this process's blocks; never closed
	next, end int            // the ports of the last block that were not returned yet
}

var errNoPort = errors.New("no port is free")

// FreePort returns a TCP port that was free on all addresses a moment ago. It returns each
// port once, and no other process that takes its ports here gets the same one.
func FreePort() (int, error) {
	ports.mu.Lock()
	defer ports.mu.Unlock()
	for {
		if ports.next == ports.end && !claimBlock() {
			return 0, errNoPort
		}
		port := ports.next
		ports.next++
		if l, err := net.Listen("tcp", net.JoinHostPort("", strconv.Itoa(port))); err == nil {
			return port, l.Close()
		}
	}
}

// claimBlock gives this process a block that no process owns, and reports whether there was
// one. The system ends a claim with its process.
func claimBlock() bool {
	for i := range blocks {
		first := firstPort + (os.Getpid()+i)%blocks*blockSize
		if l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(first))); err == nil {
			ports.claims = append(ports.claims, l)
			ports.next, ports.end = first+1, first+blockSize
			return true
		}
	}
	return false
}
