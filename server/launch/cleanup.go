package launch

import (
	"context"
	"os/exec"
	"time"
)

// cleanupTime bounds a cleanup: removing a container takes a second, and a daemon may hang.
const cleanupTime = 10 * time.Second

// cleanUp runs the Cleanup of a Command, unless that is empty. An error means that there was
// nothing to remove, or that the user finds it in the runtime's own list.
func cleanUp(argv []string) {
	if len(argv) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), cleanupTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.WaitDelay = time.Second
	_ = cmd.Run()
}
