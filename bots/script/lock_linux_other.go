//go:build linux && !amd64 && !arm64

package script

// arch says that there is no filter here.
const arch = 0

var older []uint32
