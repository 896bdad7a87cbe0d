//go:build browser

package firefox

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

// programs are Firefox's names on different systems.
var programs = []string{"firefox-esr", "firefox"}

// ErrNone is the error if there is no Firefox on this machine.
var ErrNone = fmt.Errorf("there is no Firefox: none of %q is in PATH", programs)

// patience is the time that Firefox may take to start, to answer a command and to exit.
const patience = 60 * time.Second

// preferences keep Firefox from loading anything but the pages of tests.
const preferences = `user_pref("app.update.enabled", false);
user_pref("browser.safebrowsing.downloads.remote.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("extensions.update.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("services.settings.server", "http://127.0.0.1:9/");
user_pref("toolkit.telemetry.enabled", false);
`

// Browser is a running Firefox. Its methods and those of its tabs must not be called at the same
// time.
type Browser struct {
	cmd     *exec.Cmd
	profile string
	conn    *websocket.Conn
	last    int             // the id of the last command
	tabs    map[string]*Tab // by the ids of their contexts
}

// Start starts Firefox with an empty profile. It is killed when ctx ends.
func Start(ctx context.Context) (*Browser, error) {
	for _, name := range programs {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		b := &Browser{tabs: map[string]*Tab{}}
		if b.profile, err = os.MkdirTemp("", "firefox"); err != nil {
			return nil, err
		}
		if err := b.start(ctx, path); err != nil {
			return nil, errors.Join(fmt.Errorf("%s does not start: %w", path, err), b.Stop())
		}
		return b, nil
	}
	return nil, ErrNone
}

var listening = regexp.MustCompile(`WebDriver BiDi listening on (ws://\S+)`)

func (b *Browser) start(ctx context.Context, path string) error {
	file := filepath.Join(b.profile, "user.js")
	if err := os.WriteFile(file, []byte(preferences), 0o600); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, path, "--headless", "--no-remote", "--profile", b.profile,
		"--remote-debugging-port", "0")
	cmd.Env = append(os.Environ(), "HOME="+b.profile) // it writes to other folders as well
	out, err := os.Create(filepath.Join(b.profile, "stderr"))
	if err != nil {
		return err
	}
	defer out.Close()
	cmd.Stderr = out
	if err := cmd.Start(); err != nil {
		return err
	}
	b.cmd = cmd
	address, err := b.address(out.Name())
	if err != nil {
		return err
	}
	dialer := websocket.Dialer{HandshakeTimeout: patience}
	conn, _, err := dialer.DialContext(ctx, address+"/session", nil)
	if err != nil {
		return err
	}
	b.conn = conn
	if _, err := b.call("session.new", object{"capabilities": object{}}); err != nil {
		return err
	}
	_, err = b.call("session.subscribe", object{"events": []string{"log.entryAdded"}})
	return err
}

// address returns where Firefox listens, as it says in a file.
func (b *Browser) address(file string) (string, error) {
	for began := time.Now(); time.Since(began) < patience; time.Sleep(50 * time.Millisecond) {
		said, err := os.Open(file)
		if err != nil {
			return "", err
		}
		for lines := bufio.NewScanner(said); lines.Scan(); {
			if at := listening.FindStringSubmatch(lines.Text()); at != nil {
				return at[1], said.Close()
			}
		}
		_ = said.Close()
	}
	return "", errors.New("it does not say where it listens")
}

// Stop ends Firefox and removes the profile.
func (b *Browser) Stop() error {
	if b.conn != nil {
		_, _ = b.call("browser.close", object{})
		_ = b.conn.Close()
	}
	if b.cmd != nil {
		kill := time.AfterFunc(patience, func() { _ = b.cmd.Process.Kill() })
		_ = b.cmd.Wait()
		kill.Stop()
	}
	return os.RemoveAll(b.profile)
}

// object is a JSON object.
type object = map[string]any

// message is an answer to a command, or an event.
type message struct {
	ID      int             `json:"id"`
	Method  string          `json:"method"`
	Result  json.RawMessage `json:"result"`
	Params  json.RawMessage `json:"params"`
	Error   string          `json:"error"`
	Message string          `json:"message"`
}

// call sends a command and returns its result. Events that arrive before that are noted.
func (b *Browser) call(method string, params object) (json.RawMessage, error) {
	b.last++
	_ = b.conn.SetWriteDeadline(time.Now().Add(patience))
	if err := b.conn.WriteJSON(object{"id": b.last, "method": method, "params": params}); err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	for {
		var m message
		_ = b.conn.SetReadDeadline(time.Now().Add(patience))
		if err := b.conn.ReadJSON(&m); err != nil {
			return nil, fmt.Errorf("%s: %w", method, err)
		}
		switch {
		case m.Method == "log.entryAdded":
			b.note(m.Params)
		case m.ID == b.last && m.Error != "":
			return nil, fmt.Errorf("%s: %s: %s", method, m.Error, m.Message)
		case m.ID == b.last:
			return m.Result, nil
		}
	}
}

// note keeps a warning or an error of a page.
func (b *Browser) note(params json.RawMessage) {
	var entry struct {
		Level, Text string
		Source      struct{ Context string }
	}
	if json.Unmarshal(params, &entry) != nil || entry.Level != "error" && entry.Level != "warn" {
		return
	}
	if t := b.tabs[entry.Source.Context]; t != nil {
		t.Problems = append(t.Problems, entry.Level+": "+entry.Text)
	}
}

// Tab is a page with its own cookies and storage.
type Tab struct {
	Problems []string // what the page has logged as warnings and errors

	b             *Browser
	context, user string
}

// Open opens a page in a new tab.
func (b *Browser) Open(url string) (*Tab, error) {
	var user struct{ UserContext string }
	var tab struct{ Context string }
	result, err := b.call("browser.createUserContext", object{})
	if err == nil {
		err = json.Unmarshal(result, &user)
	}
	if err == nil {
		result, err = b.call("browsingContext.create",
			object{"type": "tab", "userContext": user.UserContext})
	}
	if err == nil {
		err = json.Unmarshal(result, &tab)
	}
	if err != nil {
		return nil, err
	}
	t := &Tab{b: b, context: tab.Context, user: user.UserContext}
	b.tabs[t.context] = t
	_, err = b.call("browsingContext.navigate",
		object{"context": t.context, "url": url, "wait": "complete"})
	return t, err
}

// Size sets the size of the window in pixels.
func (t *Tab) Size(width, height int) error {
	_, err := t.b.call("browsingContext.setViewport",
		object{"context": t.context, "viewport": object{"width": width, "height": height}})
	return err
}

// Close closes the tab and forgets what it has stored.
func (t *Tab) Close() error {
	_, err := t.b.call("browser.removeUserContext", object{"userContext": t.user})
	delete(t.b.tabs, t.context)
	return err
}

// Evaluate evaluates an expression in the page, or a promise of its value, into value, as JSON.
func (t *Tab) Evaluate(expression string, value any) error {
	result, err := t.b.call("script.evaluate", object{
		"expression":   "(async () => JSON.stringify((" + expression + ") ?? null))()",
		"target":       object{"context": t.context},
		"awaitPromise": true, "userActivation": true,
	})
	if err != nil {
		return err
	}
	var answer struct {
		Type             string
		Result           struct{ Value string }
		ExceptionDetails struct{ Text string }
	}
	if err := json.Unmarshal(result, &answer); err != nil {
		return err
	}
	if answer.Type != "success" {
		return fmt.Errorf("%s: %s", expression, answer.ExceptionDetails.Text)
	}
	return json.Unmarshal([]byte(answer.Result.Value), value)
}

// Keys presses keys one after another, each while the ones named before it with a + are held:
// "Control+Enter".
func (t *Tab) Keys(keys ...string) error {
	codes := map[string]string{
		"Control": "\ue009", "Shift": "\ue008", "Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004",
		"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015",
		"Home": "\ue011", "End": "\ue010",
	}
	var steps []object
	for _, key := range keys {
		parts := strings.Split(key, "+")
		if key == "+" {
			parts = []string{key}
		}
		for i, part := range parts {
			if code, ok := codes[part]; ok {
				parts[i] = code
			}
			steps = append(steps, object{"type": "keyDown", "value": parts[i]})
		}
		for i := range parts {
			steps = append(steps, object{"type": "keyUp", "value": parts[len(parts)-1-i]})
		}
	}
	_, err := t.b.call(
		"input.performActions",
		object{
			"context": t.context, "actions": []object{{"type": "key", "id": "keyboard", "actions": steps}},
		},
	)
	return err
}

// Click clicks at a place of the window, in pixels.
func (t *Tab) Click(x, y int) error {
	actions := []object{
		{"type": "pointerMove", "x": x, "y": y},
		{"type": "pointerDown", "button": 0},
		{"type": "pointerUp", "button": 0},
	}
	_, err := t.b.call("input.performActions", object{
		"context": t.context,
		"actions": []object{{"type": "pointer", "id": "mouse", "actions": actions}},
	})
	return err
}

// Picture returns the tab as a PNG file.
func (t *Tab) Picture() ([]byte, error) {
	result, err := t.b.call("browsingContext.captureScreenshot", object{"context": t.context})
	var picture struct{ Data string }
	if err == nil {
		err = json.Unmarshal(result, &picture)
	}
	if err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(picture.Data)
}
