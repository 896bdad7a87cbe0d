package harness

import (
	"fmt"
	"os"
	"testing"
)

// Processes that take ports at the same time get different ones.
func TestFreePort(t *testing.T) {
	const variable, processes, each = "TEST_FREE_PORT", 3, 2*blockSize + 1
	if os.Getenv(variable) != "" {
		for range each {
			fmt.Println(FreePort())
		}
		_, _ = os.Stdin.Read(make([]byte, 1)) // as long as this process runs, its ports are its own
		return
	}
	t.Setenv(variable, "1")
	var started []*Process
	for range processes {
		p, err := Start(t.Context(), os.Args[0], "-test.run=^TestFreePort$")
		if err != nil {
			t.Fatal(err)
		}
		defer p.Stop()
		started = append(started, p)
	}
	owners := map[int]int{}
	for i, p := range started {
		for range each {
			line, err := p.Line()
			if err != nil {
				t.Fatal(err)
			}
			var port int
			if _, err := fmt.Sscan(string(line), &port); err != nil || port < firstPort ||
				port >= firstPort+blocks*blockSize {
				t.Fatalf("process %d: %s", i+1, line)
			}
			if owner, taken := owners[port]; taken {
				t.Fatalf("processes %d and %d have port %d", owner, i+1, port)
			}
			owners[port] = i + 1
		}
	}
}
