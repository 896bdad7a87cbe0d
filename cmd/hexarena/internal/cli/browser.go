package cli

import (
	"fmt"
	"os/exec"
	"runtime"
)

// opener returns the command that shows a page in the user's browser.
func opener(url string) []string {
	switch runtime.GOOS {
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler", url}
	case "darwin":
		return []string{"open", url}
	}
	return []string{"xdg-open", url}
}

// OpenBrowser shows a page in the user's browser. The channel receives an error if that
// fails. The command may run as long as the browser, so the goroutine that waits for it ends
// with the process.
func OpenBrowser(url string) <-chan error {
	failed := make(chan error, 1)
	words := opener(url)
	cmd := exec.Command(words[0], words[1:]...)
	if err := cmd.Start(); err != nil {
		failed <- err
		return failed
	}
	go func() {
		if err := cmd.Wait(); err != nil {
			failed <- fmt.Errorf("%s: %w", words[0], err)
		}
	}()
	return failed
}
