package htttx

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

const capabilitiesFile = "capabilities.json"

// httpSchemes maps the schemes of addresses to those of HTTP.
var httpSchemes = map[string]string{"http": "http", "https": "https", "ws": "http", "wss": "https"}

var errNoHost = errors.New("it has no host")

// CapabilitiesURL returns the URL of the capabilities of the bot at an address. The
// address begins with http://, https://, ws:// or wss://, or is a host with or
// without a port; it may name the file itself.
func CapabilitiesURL(address string) (*url.URL, error) {
	text := strings.TrimSpace(address)
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("the bot's address %q is not a URL: %w", address, errors.Unwrap(err))
	}
	scheme, ok := httpSchemes[u.Scheme]
	if !ok {
		return nil, fmt.Errorf("the bot's address %q begins with %s://; use http, https, ws or wss",
			address, u.Scheme)
	}
	if u.Hostname() == "" {
		return nil, fmt.Errorf("the bot's address %q is not a URL: %w", address, errNoHost)
	}
	u = bare(u)
	u.Scheme = scheme
	if !strings.HasSuffix(u.Path, "/"+capabilitiesFile) {
		u = u.JoinPath(capabilitiesFile)
	}
	// hosts are checked more strictly for HTTP than for other schemes
	if u, err = url.Parse(u.String()); err != nil {
		return nil, fmt.Errorf("the bot's address %q is not a URL: %w", address, errors.Unwrap(err))
	}
	return u, nil
}

// ShownAddress returns a bot's address in the form for logs, recordings and pages:
// without user, password and query. It returns "" if the address is invalid.
func ShownAddress(address string) string {
	u, err := CapabilitiesURL(address)
	if err != nil {
		return ""
	}
	u.User = nil
	return strings.TrimSuffix(u.String(), "/"+capabilitiesFile)
}

// SocketURL returns the URL of a bot's WebSocket: its api_root, relative to the URL of
// its capabilities.json after redirects.
func SocketURL(capabilities *url.URL, apiRoot string) (*url.URL, error) {
	u, err := route(capabilities, apiRoot, "game")
	if err == nil {
		u.Scheme = "ws" + strings.TrimPrefix(u.Scheme, "http")
	}
	return u, err
}

// TurnURL returns the URL of a stateless bot's requests, resolved as for SocketURL.
func TurnURL(capabilities *url.URL, apiRoot string) (*url.URL, error) {
	return route(capabilities, apiRoot, "turn")
}

func route(capabilities *url.URL, apiRoot, last string) (*url.URL, error) {
	root, err := url.Parse(apiRoot)
	if err != nil {
		return nil, fmt.Errorf("api_root %q is not a path: %w", apiRoot, errors.Unwrap(err))
	}
	if root = bare(root); *root == (url.URL{}) {
		root.Path = "."
	}
	u := capabilities.ResolveReference(root)
	scheme, ok := httpSchemes[u.Scheme]
	if !ok || u.Hostname() == "" {
		return nil, fmt.Errorf("api_root %q leads to %s, which cannot be dialled", apiRoot, u.Redacted())
	}
	u.Scheme = scheme
	if u, err = url.Parse(u.JoinPath(last).String()); err != nil {
		return nil, fmt.Errorf("api_root %q leads nowhere: %w", apiRoot, errors.Unwrap(err))
	}
	return u, nil
}

// bare returns a URL without its query and fragment.
func bare(u *url.URL) *url.URL {
	return &url.URL{
		Scheme: u.Scheme, Opaque: u.Opaque, User: u.User, Host: u.Host, Path: u.Path, RawPath: u.RawPath,
	}
}
