package join

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/contest/source"
	"github.com/hexarena/hexarena/server/event/versions"
	"github.com/hexarena/hexarena/server/launch/build"
	"github.com/hexarena/hexarena/server/machine/filelock"
	"github.com/hexarena/hexarena/server/seat"
)

// SendOptions say which bot is sent to which event.
type SendOptions struct {
	Address Address
	Token   string
	// a file or a folder, after stdio: if the bot speaks on its standard input and output
	Argument string
	Known    seat.Known
	Print    func(text string)
}

const (
	// sendTime bounds how long a version takes to be sent and looked at: longer than the server allows
	// for either.
	sendTime = 2 * time.Minute
	// triedPause is between two questions whether a version has been tried; the test match takes
	// seconds.
	triedPause = time.Second
)

// Send sends a bot to an event, where it plays on when this program has ended, and waits until it
// has been tried there. The error says what to do, and wraps [ErrUnreachable] or [ErrDenied] if it
// is one of these.
func Send(ctx context.Context, o SendOptions) error {
	scratch, err := filelock.MkdirTemp()
	if err != nil {
		return err
	}
	defer scratch.Close()
	argument, stdio := strings.CutPrefix(o.Argument, seat.StdioPrefix)
	e, err := o.read(ctx, argument, scratch.Dir)
	if err != nil {
		return err
	}
	content, err := pack(e)
	if err != nil {
		return err
	}
	name := strings.TrimSuffix(e.Start(), filepath.Ext(e.Start())) + ".zip"
	query := url.Values{"name": {name}}
	if stdio {
		query.Set("stdio", "1")
	}
	var sent struct{ Version, File string }
	if err := o.ask(ctx, http.MethodPost, "/event/versions", query, content, &sent); err != nil {
		return err
	}
	o.Print(
		fmt.Sprintf("Sent %s, which is version %s there. It plays a test match now, which is not shown.",
			sent.File, short(sent.Version)),
	)
	return o.await(ctx, sent.Version)
}

// short returns a version as people compare it.
func short(version string) string { return strings.TrimPrefix(version, "sent:") }

// read returns the bot that a file or a folder holds. One that is compiled is built here.
func (o *SendOptions) read(ctx context.Context, argument, scratch string) (*source.Entrant, error) {
	if _, err := os.Stat(argument); err != nil && !source.IsRevision(argument) {
		return nil, fmt.Errorf("%q cannot be sent: name a file or a folder with a file main.* or bot.*",
			argument)
	}
	dir := filepath.Join(scratch, "bot")
	e, err := source.EnterSubmission(ctx, argument, argument, "", o.Known, dir)
	if err != nil || e.Source() == "" {
		return &e, err
	}
	words, err := build.Command(ctx, []string{e.Path()}, func(what string) { o.Print(what) })
	if err != nil {
		return nil, err
	}
	program := words[0]
	if dir, class, isJava := classesOf(words); isJava {
		if program, err = writeJar(dir, class, scratch); err != nil {
			return nil, err
		}
		o.Print(
			fmt.Sprintf(
				"Built %s.jar, which is sent: the Java of the event has to be as new as the one here.", class),
		)
	} else if len(words) != 1 {
		return nil, fmt.Errorf(
			"%s in %s is no single program when it is built: connect it with hexarena join", argument,
			e.Source())
	} else {
		o.Print(
			fmt.Sprintf("Built for %s on %s: an event on another kind of machine cannot run it.",
				runtime.GOOS, runtime.GOARCH),
		)
	}
	e, err = source.EnterSubmission(ctx, program, argument, "", o.Known,
		filepath.Join(scratch, "program"))
	return &e, err
}

// pack returns a zip archive of a bot's files in a folder.
func pack(e *source.Entrant) ([]byte, error) {
	files, names, closing, err := e.Files()
	if err != nil {
		return nil, err
	}
	defer closing()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names {
		if err := packFile(w, files, name); err != nil {
			return nil, err
		}
		if b.Len() > versions.MaxSent {
			return nil, fmt.Errorf(
				"the bot has more than %d MiB when it is packed: leave out what it does not need",
				versions.MaxSent>>20)
		}
	}
	err = w.Close()
	return b.Bytes(), err
}

func packFile(w *zip.Writer, files fs.FS, name string) error {
	f, err := files.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	head := &zip.FileHeader{Name: path.Join("bot", name), Method: zip.Deflate}
	head.SetMode(info.Mode())
	out, err := w.CreateHeader(head)
	if err == nil {
		_, err = io.Copy(out, io.LimitReader(f, versions.MaxSent+1))
	}
	return err
}

// await waits until the event has tried a version.
func (o *SendOptions) await(ctx context.Context, version string) error {
	for {
		var team struct {
			Name     string
			Plays    string
			Versions []struct{ Version, State, Reason string }
		}
		if err := o.ask(ctx, http.MethodGet, "/event/team", nil, nil, &team); err != nil {
			return err
		}
		for _, v := range team.Versions {
			switch {
			case v.Version != version || v.State == "untried":
			case v.State == "bad":
				return fmt.Errorf(
					"version %s plays no rounds: %s; the version before it goes on, if there is one",
					short(version), v.Reason)
			default:
				o.Print(
					fmt.Sprintf(
						"It plays for %s from the next round on, whenever no bot of the team is connected.",
						team.Name),
				)
				return nil
			}
		}
		if err := pause(ctx, triedPause); err != nil {
			return err
		}
	}
}

// ask sends a request with the team's token, and reads the answer into v.
func (o *SendOptions) ask(
	ctx context.Context, method, path string, query url.Values, body []byte, v any,
) error {
	ctx, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	address := o.Address.path(path, query)
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+o.Token)
	client := http.Client{CheckRedirect: o.Address.redirect}
	resp, err := client.Do(req)
	if err != nil {
		return unreachable(o.Address, err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return unreachable(o.Address, err)
	}
	var wrong struct{ Error string }
	switch {
	case resp.StatusCode == http.StatusOK:
		if json.Unmarshal(text, v) != nil {
			return unreachable(o.Address, errNotHexarena)
		}
		return nil
	case json.Unmarshal(text, &wrong) != nil || wrong.Error == "",
		resp.StatusCode == http.StatusNotFound, resp.StatusCode == http.StatusMethodNotAllowed:
		return fmt.Errorf("%s takes no bots (%s): only an event does", o.Address, resp.Status)
	case resp.StatusCode == http.StatusUnauthorized:
		return fmt.Errorf("%w: %s", ErrDenied, wrong.Error)
	}
	return fmt.Errorf("%s: %s", o.Address, wrong.Error)
}
