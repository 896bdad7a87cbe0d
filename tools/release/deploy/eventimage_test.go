//go:build image

package deploy

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// eventPage is where an event in a container is reached: without a network of its own.
const eventPage = "http://127.0.0.1:18435"

// hostsAnEvent starts an event in a container. A team that signs up there is offered the program
// for Windows, and gets it.
func (b *builder) hostsAnEvent(image string) {
	b.Helper()
	const program = "hexarena-test-windows-amd64.tar.gz"
	ctr := b.buildah("from", "--quiet", image)
	event := b.command("run", "--env", "HEXARENA_HTTP=", "--env", "HEXARENA_HEALTH=", ctr, "--",
		"/hexarena", "event", "/recordings/friday", "--port", "18435", "--send", "off")
	commands, err := event.StdinPipe() // of the operator
	if err != nil {
		b.Fatal(err)
	}
	var out bytes.Buffer
	event.Stdout, event.Stderr = &out, &out
	if err := event.Start(); err != nil {
		b.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- event.Wait() }()
	defer quit(b.T, event, commands, ended)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for !answers(ctx, eventPage+"/join", "<title>Join · friday</title>") {
		select {
		case err := <-ended:
			ended <- err
			b.Fatalf("the event ended: %v\n%s", err, out.String())
		case <-ctx.Done():
			b.Fatalf("the event has no page to join\n%s", out.String())
		case <-time.After(200 * time.Millisecond): // between two questions
		}
	}
	var screen struct{ Code string }
	var team struct{ Token string }
	b.decode(b.ask(ctx, http.MethodGet, "/screen.json", "", ""), &screen)
	b.decode(b.ask(ctx, http.MethodPost, "/join", "", `{"name": "Ann", "code": "`+screen.Code+`"}`),
		&team)
	if own := b.ask(ctx, http.MethodGet, "/team/Ann/own", team.Token, ""); !strings.Contains(string(own), "/binaries/"+program) {
		b.Errorf("the team's page does not offer %s:\n%s", program, own)
	}
	if first := b.firstOf(b.ask(ctx, http.MethodGet, "/binaries/"+program, "", ""), "hexarena-test-windows-amd64/hexarena.exe"); first != "MZ" {
		b.Errorf("the program for Windows begins with %q", first)
	}
}

// quit ends an event.
func quit(t *testing.T, event *exec.Cmd, commands io.WriteCloser, ended <-chan error) {
	_, _ = io.WriteString(commands, "quit\n") // fails if it has ended
	_ = commands.Close()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		_ = event.Process.Kill()
		t.Error("the event does not end")
	}
}

// ask returns what the event answers, which has to be a success.
func (b *builder) ask(ctx context.Context, method, path, token, body string) []byte {
	b.Helper()
	r, err := http.NewRequestWithContext(ctx, method, eventPage+path, strings.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		b.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		b.Fatalf("%s %s: %s, %v\n%.500s", method, path, answer.Status, err, text)
	}
	return text
}

func (b *builder) decode(text []byte, v any) {
	b.Helper()
	if err := json.Unmarshal(text, v); err != nil {
		b.Fatalf("%v: %s", err, text)
	}
}

// firstOf returns the first two bytes of a file in an archive.
func (b *builder) firstOf(archive []byte, name string) string {
	b.Helper()
	unpacked, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		b.Fatal(err)
	}
	for files := tar.NewReader(unpacked); ; {
		f, err := files.Next()
		if err != nil {
			b.Fatalf("the archive has no %s: %v", name, err)
		}
		if f.Name == name {
			first := make([]byte, 2)
			_, _ = io.ReadFull(files, first)
			return string(first)
		}
	}
}
