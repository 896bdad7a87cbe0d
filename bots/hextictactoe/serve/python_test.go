package serve

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"testing"
)

// The example in Python beats a weak bot over both ways to play.
func TestPythonExample(t *testing.T) {
	cmd := exec.Command("python3", "../../python/hextictactoe_bot.py", "0")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	var port int
	if _, err := fmt.Sscanf(line, "waiting on port %d", &port); err != nil {
		t.Fatalf("it says %q", line)
	}
	address := fmt.Sprintf("127.0.0.1:%d", port)
	t.Run("basic_websocket", func(t *testing.T) { playMatch(t, address) })
	t.Run("stateless", func(t *testing.T) { playMatch(t, statelessOnly(t, address)) })
	for _, body := range []string{"", "{}", `{"board":{"to_move":"x","cells":7}}`, "[1]"} {
		if status, text := do(t, "POST", "http://"+address+"/stateless/v1-alpha/turn", body); status != http.StatusBadRequest {
			t.Errorf("%q: %d %s", body, status, text)
		}
	}
}

// statelessOnly is a bot's address under which it offers nothing else.
func statelessOnly(t *testing.T, address string) string {
	t.Helper()
	bot := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: address})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/capabilities.json" {
			fmt.Fprint(w, `{"meta":{"name":"python"},"stateless":{"versions":{"v1-alpha":{}}}}`)
			return
		}
		bot.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		s.Close()
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	})
	return s.Listener.Addr().String()
}
