//go:build browser

package kits_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/tools/browser/chromium"
)

// botPage is a page that plays with the bot of the vectors by the options that are put into it. The
// promise played gets the exit code that a process has, and what the bot printed.
const botPage = `<!doctype html>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<script type="module">
	import "./hexarena.js";
	const printed = [];
	for (const level of ["log", "error"]) console[level] = (text) => printed.push(text + "\n");
	window.played = new Promise((resolve) => {
		const end = (code) => resolve({ code, printed: printed.join("") });
		const run = (Bot) => hexarena.run(Bot, %s).then(() => end(0), (error) => {
			console.error(error.message);
			end(1);
		});
		window.require = () => ({ ...hexarena, run });
		import("./vectors.js");
	});
</script>`

// pageEnd is what a botPage tells at its end.
type pageEnd struct {
	Code    int    `json:"code"`
	Printed string `json:"printed"`
}

// The kit has all conversations in a browser too, over a WebSocket, but for that with a length that
// is too large, since messages of a WebSocket have none, and those with a simulator, which needs
// Node.
func TestVectorsInABrowser(t *testing.T) {
	browser, stop, err := chromium.StartShell(context.Background())
	if errors.Is(err, chromium.ErrNone) {
		thorough.Lack(t, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	paths, err := filepath.Glob("vectors/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	k := kits.In("javascript")
	for _, path := range paths {
		v := readVector(t, path)
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		if v.Wire == "stdio" || len(v.Languages) > 0 && !v.concerns(k, v.Wire) || name == "too-large" ||
			strings.HasPrefix(name, "simulator") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			playInBrowser(t, browser, k, v)
		})
	}
}

// playInBrowser plays the conversation of a vector with the kit's bot in a page.
func playInBrowser(t *testing.T, browser context.Context, k *kits.Kit, v vector) {
	c := &conversation{t: t}
	address := c.listen(v.Closed)
	options, err := json.Marshal(optionsOf(t, v))
	if err != nil {
		t.Fatal(err)
	}
	site := http.NewServeMux()
	site.Handle("/", http.FileServer(http.Dir(k.Folder)))
	site.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, botPage, options)
	})
	site.HandleFunc("/netorcai",
		func(w http.ResponseWriter, r *http.Request) { bridge(w, r, address) })
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)

	tab, closeTab := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	t.Cleanup(closeTab)
	if err := chromedp.Do(tab); err != nil { // binds the tab to its context, so it has no deadline
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(tab, patience)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Navigate(server.URL)); err != nil {
		t.Fatal(err)
	}
	c.converse(v, cancel, func() (int, error) {
		end, err := chromedp.Run(ctx, chromedp.Evaluate[pageEnd](`played`, chromedp.EvalAwaitPromise))
		c.printed.WriteString(end.Printed)
		return end.Code, err
	})
}

// optionsOf returns the options of run that do what the command line and the environment of a
// vector do for a process.
func optionsOf(t *testing.T, v vector) map[string]any {
	options := map[string]any{"name": "vectors", "version": "page"}
	for _, entry := range v.Env {
		key, value, _ := strings.Cut(entry, "=")
		switch key {
		case "BOT_NICKNAME":
			options["name"] = value
		case "BOT_TOKEN":
			options["token"] = value
		case "BOT_SEED":
			options["seed"], options["stay"] = value, true
		default:
			t.Fatalf("a page has no option for %s", entry)
		}
	}
	for words := v.Args; len(words) > 0; {
		name, value, joined := strings.Cut(words[0], "=")
		words = words[1:]
		switch {
		case name == "--stay":
			options["stay"] = true
		case strings.HasPrefix(name, "--") && (joined || len(words) > 0):
			if !joined {
				value, words = words[0], words[1:]
			}
			options[strings.TrimPrefix(name, "--")] = value
		case len(words) == 1:
			options["host"], options["port"], words = name, words[0], nil
		default:
			t.Fatalf("a page has no option for %s", name)
		}
	}
	return options
}

// bridge carries the messages of a page's WebSocket to a server of a vector and back.
func bridge(w http.ResponseWriter, r *http.Request, address string) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer conn.Close()
	upgrader := websocket.Upgrader{}
	socket, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // it has answered
	}
	defer socket.Close()
	go func() {
		defer socket.Close()
		in := bufio.NewReader(conn)
		for {
			content, err := netorcai.ReadFrame(in, nil, netorcai.Limit)
			if err != nil || socket.WriteMessage(websocket.TextMessage, content) != nil {
				return
			}
		}
	}()
	for {
		_, message, err := socket.NextReader()
		if err != nil {
			return
		}
		content, err := io.ReadAll(message)
		if err != nil {
			return
		}
		content = append(content, '\n')
		frame := binary.LittleEndian.AppendUint32(nil, uint32(len(content)))
		if _, err := conn.Write(append(frame, content...)); err != nil {
			return
		}
	}
}
