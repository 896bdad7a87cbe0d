package htttx

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

const capabilitiesFile = "capabilities.json"

// httpSchemes says over which scheme of HTTP an address is reached.
var httpSchemes = map[string]string{"http": "http", "https": "https", "ws": "http", "wss": "https"}

var errNoHost = errors.New("it names no host")

// CapabilitiesURL is where the capabilities of the bot at an address are. The
// address begins with http://, https://, ws:// or wss://, or is a bare host
// with or without a port; it may name the file itself.
func CapabilitiesURL(address string) (*url.URL, error) {
	text := strings.TrimSpace(address)
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("the bot's address %q is no URL: %w", address, errors.Unwrap(err))
	}
	scheme, ok := httpSchemes[u.Scheme]
	if !ok {
		return nil, fmt.Errorf("the bot's address %q begins with %s://; use http, https, ws or wss", address, u.Scheme)
	}
	if u.Hostname() == "" {
		return nil, fmt.Errorf("the bot's address %q is no URL: %w", address, errNoHost)
	}
	u = bare(u)
	u.Scheme = scheme
	if !strings.HasSuffix(u.Path, "/"+capabilitiesFile) {
		u = u.JoinPath(capabilitiesFile)
	}
	if u, err = url.Parse(u.String()); err != nil { // HTTP takes fewer hosts than other schemes
		return nil, fmt.Errorf("the bot's address %q is no URL: %w", address, errors.Unwrap(err))
	}
	return u, nil
}

// ShownAddress is a bot's address as logs, recordings and pages may have it: without
// a user, a password and a query. It is empty for what is no address.
func ShownAddress(address string) string {
	u, err := CapabilitiesURL(address)
	if err != nil {
		return ""
	}
	u.User = nil
	return strings.TrimSuffix(u.String(), "/"+capabilitiesFile)
}

// SocketURL is where a bot's WebSocket is: its api_root, relative to the
// capabilities.json that was fetched, after redirects.
func SocketURL(capabilities *url.URL, apiRoot string) (*url.URL, error) {
	u, err := route(capabilities, apiRoot, "game")
	if err == nil {
		u.Scheme = "ws" + strings.TrimPrefix(u.Scheme, "http")
	}
	return u, err
}

// TurnURL is where a stateless bot is asked, resolved like SocketURL.
func TurnURL(capabilities *url.URL, apiRoot string) (*url.URL, error) {
	return route(capabilities, apiRoot, "turn")
}

func route(capabilities *url.URL, apiRoot, last string) (*url.URL, error) {
	root, err := url.Parse(apiRoot)
	if err != nil {
		return nil, fmt.Errorf("api_root %q is no path: %w", apiRoot, errors.Unwrap(err))
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

// bare is a URL without a query and a fragment.
func bare(u *url.URL) *url.URL {
	return &url.URL{Scheme: u.Scheme, Opaque: u.Opaque, User: u.User, Host: u.Host, Path: u.Path, RawPath: u.RawPath}
}
