//go:build browser

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"time"

	"github.com/chromedp/chromedp"
)

// patience is how long the page may take for each step.
const patience = time.Minute

// pollInterval is the time between two checks of a condition.
const pollInterval = 50 * time.Millisecond

// tab is the page in the browser, with a temporary folder.
type tab struct {
	ctx    context.Context
	folder string
}

func (t *tab) open(url string) error {
	return chromedp.Do(t.ctx, chromedp.Navigate(url))
}

// await waits until an expression is true in the page.
func (t *tab) await(expression string) error {
	ctx, cancel := context.WithTimeout(t.ctx, patience)
	defer cancel()
	next := time.NewTicker(pollInterval)
	defer next.Stop()
	for {
		if ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression)); err == nil && ok {
			return nil
		}
		select {
		case <-next.C:
		case <-ctx.Done():
			return fmt.Errorf("the page never came to %s: %w", expression, ctx.Err())
		}
	}
}

// eval returns the value of a promise in the page.
func eval[T any](t *tab, expression string) (T, error) {
	return chromedp.Run(t.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

var address = regexp.MustCompile(`http://[^ "]+`)

// play starts a match and waits for the address of its page. stop ends it.
func play(ctx context.Context, o options, args ...string) (url string, stop func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, o.program, append([]string{"play", "--http", "127.0.0.1:0", "--port", "0"}, args...)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	said, say := io.Pipe()
	cmd.Stdout, cmd.Stderr = say, say
	if err := cmd.Start(); err != nil {
		cancel()
		return "", nil, err
	}
	urls := make(chan string, 1)
	var running sync.WaitGroup
	ended := make(chan struct{})
	running.Go(func() {
		_ = cmd.Wait() // always fails, since the process is interrupted
		say.Close()
		close(ended)
	})
	running.Go(func() {
		for lines := bufio.NewScanner(said); lines.Scan(); {
			if found := address.FindString(lines.Text()); found != "" {
				select {
				case urls <- found:
				default:
				}
			}
		}
	})
	stop = func() {
		cancel()
		running.Wait()
	}
	select {
	case url = <-urls:
		return url, stop, nil
	case <-ended:
		stop()
		return "", nil, errors.New("hexarena ended before it showed a page")
	case <-ctx.Done():
		stop()
		return "", nil, ctx.Err()
	}
}
