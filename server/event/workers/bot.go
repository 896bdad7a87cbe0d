package workers

import (
	"bufio"
	"net"
	"net/url"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/launch"
)

const (
	// maxAnswers bounds the answers of a bot that the match has not read. It gives one for each message, and the match reads on.
	maxAnswers = 8
	// lastTime is how long the match may take to read the last answers of a bot that has ended.
	lastTime = time.Second
)

// bot is a version in a worker of a page. It implements process.Child.
type bot struct {
	page   *page
	number int
	ended  func(launch.Exit) // may be nil
	input  net.Conn          // its end of its standard input
	out    net.Conn          // its end of its standard output
	done   chan struct{}     // closed when it has ended

	mu      sync.Mutex // guards all below
	output  *launch.Output
	answers chan string // closed when the bot is over
	isOver  bool
	exit    launch.Exit
}

// sourcePath returns the address of a version's code.
func sourcePath(digest, file string) string {
	return "/admin/versions/" + url.PathEscape(digest) + "/" + url.PathEscape(file)
}

// pass passes the messages of the match to the page, until the match or the bot is over.
func (b *bot) pass() {
	for lines := bufio.NewReader(b.input); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil || b.page.write(passed(b.number, line)) != nil {
			return
		}
	}
}

// answer passes the bot's answers to the match, until the bot is over, and then ends the bot.
func (b *bot) answer() {
	for text := range b.answers {
		_, _ = b.out.Write(append([]byte(text), '\n')) // an error means that the match is over
	}
	_ = b.out.Close()
	_ = b.input.Close()
	b.mu.Lock()
	b.output.Close()
	b.mu.Unlock()
	b.page.mu.Lock()
	delete(b.page.bots, b.number)
	b.page.mu.Unlock()
	if b.ended != nil {
		b.ended(b.exit)
	}
	close(b.done)
}

// answered takes an answer. A bot whose answers the match has not read is ended: it sends some that it was not asked for.
func (b *bot) answered(text string) {
	b.mu.Lock()
	full := false
	if !b.isOver {
		select {
		case b.answers <- text:
		default:
			full = true
		}
	}
	b.mu.Unlock()
	if full {
		b.print("The bot was stopped: it answers more than it is asked.")
		b.stop(launch.Exit{Code: 1})
	}
}

// print keeps a line that the bot printed.
func (b *bot) print(line string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.isOver {
		_, _ = b.output.Write(append([]byte(line), '\n'))
	}
}

// stop has the page terminate the worker, and ends the bot.
func (b *bot) stop(e launch.Exit) {
	if b.over(e) {
		_ = b.page.write(encode(stop{b.number})) // an error means that the page is lost
	}
}

// over notes how the bot has ended. It reports whether that is news.
func (b *bot) over(e launch.Exit) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.isOver {
		return false
	}
	b.isOver, b.exit = true, e
	_ = b.out.SetWriteDeadline(time.Now().Add(lastTime))
	close(b.answers)
	return true
}

// PID implements process.Child. Bots of different pages may have the same number.
func (b *bot) PID() int { return b.number }

// Done implements process.Child.
func (b *bot) Done() <-chan struct{} { return b.done }

// Exit implements process.Child.
func (b *bot) Exit() launch.Exit {
	<-b.done
	return b.exit
}

// CPU implements process.Child. Pages do not tell it.
func (b *bot) CPU() time.Duration { return 0 }

// Pin implements process.Child. The page's system chooses the processors.
func (b *bot) Pin([]int) {}

// Tail implements process.Child.
func (b *bot) Tail() []string { return b.output.Lines() }

// Stop implements process.Child. A worker is terminated at once.
func (b *bot) Stop(time.Duration) {
	b.stop(launch.Exit{Code: -1, Signal: "SIGKILL", Stopped: true})
	<-b.done
}
