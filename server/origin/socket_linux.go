package origin

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"strconv"
)

// socket is a TCP socket of this machine, from a line of /proc/net/tcp.
type socket struct {
	local, remote netip.AddrPort // IPv4 in IPv6 is converted to IPv4
	listens       bool
	uid           uint32 // of the socket's owner
	inode         uint64
}

// socketTables are the tables of the sockets of this network namespace.
var socketTables = []string{"/proc/self/net/tcp", "/proc/self/net/tcp6"}

// findSocket returns the first socket for which fits returns true, or nil.
func findSocket(fits func(*socket) bool) (*socket, error) {
	for _, table := range socketTables {
		s, err := scanSockets(table, fits)
		if s != nil || err != nil && !errors.Is(err, fs.ErrNotExist) { // without IPv6 there is no tcp6
			return s, err
		}
	}
	return nil, nil
}

func scanSockets(table string, fits func(*socket) bool) (*socket, error) {
	f, err := os.Open(table)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Scan() // the header
	for lines.Scan() {
		s, err := parseSocket(lines.Bytes())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", table, err)
		}
		if fits(&s) {
			return &s, nil
		}
	}
	return nil, lines.Err()
}

const (
	stateListen = "0A" // TCP_LISTEN in the kernel's net/tcp_states.h
	// The columns of a line: number, both addresses, state, queues, timer, retransmits,
	// user, timeouts and inode.
	columnLocal, columnRemote, columnState, columnUser, columnInode = 1, 2, 3, 7, 9
)

func parseSocket(line []byte) (s socket, err error) {
	columns := bytes.Fields(line)
	if len(columns) <= columnInode {
		return s, fmt.Errorf("line %q has %d columns", line, len(columns))
	}
	if s.local, err = parseAddress(columns[columnLocal]); err != nil {
		return s, err
	}
	if s.remote, err = parseAddress(columns[columnRemote]); err != nil {
		return s, err
	}
	s.listens = string(columns[columnState]) == stateListen
	uid, err := strconv.ParseUint(string(columns[columnUser]), 10, 32)
	if err != nil {
		return s, err
	}
	s.uid = uint32(uid)
	s.inode, err = strconv.ParseUint(string(columns[columnInode]), 10, 64)
	return s, err
}

// parseAddress parses an address such as 0100007F:1092: 32-bit words in this machine's byte
// order, and the port.
func parseAddress(text []byte) (netip.AddrPort, error) {
	host, portText, _ := bytes.Cut(text, []byte{':'})
	ip := make([]byte, hex.DecodedLen(len(host)))
	_, err := hex.Decode(ip, host)
	if err != nil {
		return netip.AddrPort{}, fmt.Errorf("address %q: %w", text, err)
	}
	for word := ip; len(word) >= 4; word = word[4:] {
		binary.NativeEndian.PutUint32(word, binary.BigEndian.Uint32(word))
	}
	addr, ok := netip.AddrFromSlice(ip)
	port, err := strconv.ParseUint(string(portText), 16, 16)
	if !ok || err != nil {
		return netip.AddrPort{}, fmt.Errorf("address %q: want 8 or 32 hexadecimal digits, a colon and a port", text)
	}
	return netip.AddrPortFrom(addr.Unmap(), uint16(port)), nil
}
