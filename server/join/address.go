package join

import (
	"fmt"
	"net/url"
	"strings"
)

// Address is the address of a server's page.
type Address struct {
	base  url.URL // scheme and host
	Match string  // the match that the page shows; empty: any
	Token string  // in the address; empty: none
}

// ParseAddress reads the address of a page as a browser shows it, such as
// http://192.168.1.5:4242/?match=ID#token=TOKEN. The scheme may be left out, and the path has no
// meaning. The token may also be in the query.
func ParseAddress(text string) (Address, error) {
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	given, err := url.Parse(text)
	if err != nil {
		return Address{}, fmt.Errorf("%q is not an address: write it as the browser shows it, such as http://192.168.1.5:4242/", text)
	}
	schemes := map[string]string{"http": "http", "https": "https", "ws": "http", "wss": "https"}
	scheme, known := schemes[given.Scheme]
	switch {
	case !known:
		return Address{}, fmt.Errorf("%q begins with %s://: want http:// or https://", text, given.Scheme)
	case given.Hostname() == "":
		return Address{}, fmt.Errorf("%q names no host: write the address as the browser shows it, such as http://192.168.1.5:4242/", text)
	}
	query := given.Query()
	if fragment, err := url.ParseQuery(given.Fragment); err == nil && fragment.Get("token") != "" {
		query.Set("token", fragment.Get("token"))
	}
	return Address{base: url.URL{Scheme: scheme, Host: given.Host}, Match: query.Get("match"), Token: query.Get("token")}, nil
}

// String returns the address without its token.
func (a Address) String() string { return a.base.String() + "/" }

// path returns the address of a resource of the server.
func (a Address) path(path string, query url.Values) string {
	u := a.base
	u.Path, u.RawQuery = path, query.Encode()
	return u.String()
}

// socket returns the address of the WebSocket for players.
func (a Address) socket() string {
	query := url.Values{}
	if a.Match != "" {
		query.Set("match", a.Match)
	}
	return "ws" + strings.TrimPrefix(a.path("/netorcai", query), "http")
}
