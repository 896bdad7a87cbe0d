package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/server/servertest"
)

const someTokens = `operator OOOOOOOOOO
player   AAAAAAAAAA alice
player   BBBBBBBBBB
special  CCCCCCCCCC
visualization VVVVVVVVVV
`

// startWithTokens starts a server with these tokens. It returns the server, the address of
// its page and its folder of recordings.
func startWithTokens(t *testing.T) (p *process, page, records string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tokens.txt")
	writeText(t, file, someTokens)
	records = t.TempDir()
	p = startServer(t, func(port string) *exec.Cmd {
		page = "127.0.0.1:" + strconv.Itoa(freePort(t))
		return command(t,
			"serve", "--bind=127.0.0.1", "--port="+port, "--http="+page, "--record="+records,
			"--tokens="+file, "--nb-players-max=2", "--nb-splayers-max=1", "--nb-turns-max=3", "--fast")
	})
	return p, page, records
}

// Each rule of admission, with a client that it allows and one that it refuses.
func TestTokens(t *testing.T) {
	t.Parallel()
	const denied = "LOGIN denied: "
	p, _, _ := startWithTokens(t)
	for _, tt := range []struct{ role, nickname, token, want string }{
		{"player", "alice", "", denied + "a token is needed here, in the field token of LOGIN or as " +
			"the nickname"},
		{"player", "x", "ZZZZZZZZZZ", denied + "a token is needed here, in the field token of LOGIN or " +
			"as the nickname"},
		{"player", "x", "CCCCCCCCCC", denied + "the token is for another role"},
		{"special player", "x", "AAAAAAAAAA", denied + "the token is for another role"},
		{"visualization", "x", "", denied + "a token is needed here, in the field token of LOGIN or as " +
			"the nickname"},
		{"game logic", "x", "", denied + "a token is needed here, in the field token of LOGIN or as " +
			"the nickname"},
		{"player", "alice", "BBBBBBBBBB", denied + "the nickname is reserved for another token"},
		{"player", "AAAAAAAAAA", "", ""},
		{"player", "bob", "BBBBBBBBBB", ""},
		{"special player", "ghost", "CCCCCCCCCC", ""},
		{"visualization", "VVVVVVVVVV", "", ""},
	} {
		c := servertest.Dial(t, p.addr)
		c.Send(
			`{"message_type":"LOGIN","nickname":%q,"role":%q,"metaprotocol_version":"2.0.0","token":%q}`,
			tt.nickname, tt.role, tt.token)
		if tt.want == "" {
			c.Expect("LOGIN_ACK")
		} else {
			c.ExpectKick(tt.want)
		}
	}
	p.typeLines("quit")
	for _, line := range p.readRest() {
		for _, token := range []string{
			"AAAAAAAAAA", "BBBBBBBBBB", "CCCCCCCCCC", "VVVVVVVVVV", "OOOOOOOOOO", "ZZZZZZZZZZ",
		} {
			if strings.Contains(line, token) {
				t.Errorf("the log has a token: %s", line)
			}
		}
	}
	p.expectExit(0)
}

// Operator requests over HTTP need the operator's token, also from this machine.
// Watching needs no token.
func TestOperatorsToken(t *testing.T) {
	p, page, _ := startWithTokens(t)
	ask := func(method, path, token string) (int, string) {
		req, err := http.NewRequest(method, "http://"+page+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if token != "" {
			req.Header.Set("Authorization", "Bearer "+token)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(body)
	}
	for _, tt := range []struct {
		method, path, token string
		want                int
	}{
		{"POST", "/api/match/fill", "", 401},
		{"POST", "/api/match/fill", "AAAAAAAAAA", 401},
		{"POST", "/api/match/again", "AAAAAAAAAA", 401},
		// the operator may, but this match is played once
		{"POST", "/api/match/again", "OOOOOOOOOO", 409},
		{"POST", "/api/recordings/x/analysis", "AAAAAAAAAA", 401},
		{"POST", "/api/recordings/x/analysis", "OOOOOOOOOO", 404},
		{"POST", "/api/match/start", "", 401},
		{"POST", "/api/match/start", "AAAAAAAAAA", 401},
		{"POST", "/api/match/start", "OOOOOOOOOO", 200},
		{"POST", "/api/match/again", "OOOOOOOOOO", 409},
		{"GET", "/api/match", "", 200},
		{"GET", "/debug/pprof/cmdline", "", 401},
		{"GET", "/debug/pprof/cmdline", "OOOOOOOOOO", 200},
		{"GET", "/metrics", "", 200},
	} {
		if tt.want == 200 && tt.method == "POST" {
			c := servertest.Dial(t, p.addr)
			c.SendLogin("AAAAAAAAAA", "player")
			c.Expect("LOGIN_ACK")
			defer c.Conn.Close()
		}
		if got, body := ask(tt.method, tt.path, tt.token); got != tt.want {
			t.Errorf("%s %s with %q: %d %s, want %d", tt.method, tt.path, tt.token, got, body, tt.want)
		}
	}
}

func TestTokensCommand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	names := filepath.Join(dir, "class.txt")
	writeText(t, names, "ada\nbob\n")
	out, err := command(t, "tokens", "--names", names, "--specials", "1").Output()
	if err != nil || strings.Count(string(out), "\n") != 5 ||
		!strings.Contains(string(out), " ada\n") {
		t.Errorf("tokens: %v\n%s", err, out)
	}
	wrong := filepath.Join(dir, "wrong.txt")
	writeText(t, wrong, "ada\nMax Müller\nAda\n")
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"tokens", "--names", wrong}, `wrong.txt":
  line 2: "Max Müller" contains a space: want one word of at most 10 characters, such as Max_Müller
  line 3: "Ada" looks like the nickname in line 1`},
		{[]string{"serve", "--tokens", filepath.Join(dir, "none.txt")}, "hexarena tokens -o "},
		{[]string{"serve", "--tokens", names}, `line 1: role "ada": want player`},
		{[]string{
			"tokens", "--players=-3", "--visus=1025",
		}, "--players: -3 is not in 0…1024\n  --visualizations: 1025 is not in"},
		{[]string{"tokens", "--names", filepath.Join(dir, "none.txt")}, "names: open"},
		{[]string{
			"serve", "--tls-cert", names,
		}, "tls-cert = \"" + names + "\" (flag --tls-cert): has no effect without --tls-key"},
		{[]string{
			"serve", "--game=hextictactoe", "--tls-cert", names,
		}, "tls-cert = \"" + names + "\" (flag --tls-cert): has no effect without --tls-key"},
	} {
		if out, err := command(t, tt.args...).CombinedOutput(); err == nil ||
			!strings.Contains(string(out), tt.want) {
			t.Errorf("%q: %v\n%s; want %s", tt.args, err, out, tt.want)
		}
	}
}

func TestPageOverTLS(t *testing.T) {
	t.Parallel()
	cert, key := selfSigned(t)
	p := start(t, command(t, "serve", "--bind=127.0.0.1", "--port="+strconv.Itoa(
		freePort(t)), "--http=127.0.0.1:0", "--record=", "--json-logs",
		"--tls-cert="+cert, "--tls-key="+key))
	var line struct {
		Page string
		Port int
	}
	if err := json.Unmarshal([]byte(p.nextLine()), &line); err != nil ||
		!strings.HasPrefix(line.Page, "https://") {
		t.Fatalf("the first line is %+v, %v", line, err)
	}
	client := trusting(t, cert)
	game := "127.0.0.1:" + strconv.Itoa(line.Port)
	for url, want := range map[string]int{
		line.Page + "healthz": http.StatusOK, "https://" + game + "/healthz": http.StatusOK,
		// because tokens must not be sent unencrypted
		"http://" + game + "/healthz": http.StatusBadRequest,
	} {
		resp, err := client.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("GET %s: %s, want %d", url, resp.Status, want)
		}
	}
	for _, address := range []string{line.Page, ""} {
		ask := command(t, "health")
		if address != "" {
			ask.Args = append(ask.Args, address)
		}
		ask.Env = append(ask.Environ(),
			"HEXARENA_HTTP="+strings.TrimSuffix(strings.TrimPrefix(line.Page, "https://"), "/"),
			"HEXARENA_TLS_CERT="+cert, "HEXARENA_TLS_KEY="+key)
		if out, err := ask.CombinedOutput(); err != nil || !strings.Contains(string(out), `"ok"`) {
			t.Errorf("health %s: %v\n%s", address, err, out)
		}
	}
	p.quit()
}

// trusting returns a client that trusts a certificate. Each of its requests has a connection of its
// own, since the certificate may change.
func trusting(t *testing.T, cert string) *http.Client {
	t.Helper()
	pool := x509.NewCertPool()
	text, err := os.ReadFile(cert)
	if err != nil || !pool.AppendCertsFromPEM(text) {
		t.Fatalf("%s: %v", cert, err)
	}
	return &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: pool}, DisableKeepAlives: true,
	}}
}

// selfSigned creates a certificate for this machine.
func selfSigned(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour),
		NotAfter:    time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range []struct {
		name, kind string
		der        []byte
	}{{"cert.pem", "CERTIFICATE", der}, {"key.pem", "PRIVATE KEY", secret}} {
		writeText(t, filepath.Join(dir, f.name), string(pem.EncodeToMemory(&pem.Block{Type: f.kind, Bytes: f.der})))
	}
	return filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
}

// With tokens, only the operator can make the server dial bots.
func TestGamesTakeTheOperatorsToken(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "tokens.txt")
	writeText(t, file, someTokens)
	p := startServer(t, func(port string) *exec.Cmd {
		return command(t, "serve", "--game=hextictactoe", "--bind=127.0.0.1", "--port="+port, "--http=127.0.0.1:0",
			"--record=", "--tokens="+file)
	})
	for token, want := range map[string]int{"": 401, "AAAAAAAAAA": 401, "OOOOOOOOOO": 200} {
		req, err := http.NewRequest("POST", "http://"+p.addr+"/game/new", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer "+token)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("POST /game/new with %q: %d, want %d", token, resp.StatusCode, want)
		}
	}
	p.quit()
}
