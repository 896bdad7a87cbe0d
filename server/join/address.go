package join

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// Address is the address of a server's page.
type Address struct {
	base  url.URL // scheme, host and the path below which a proxy shows the page, such as /arena
	Match string  // the match that the page shows; empty: any
	Token string  // in the address; empty: none
}

// ParseAddress reads the address of a page as a browser shows it, such as
// http://192.168.1.5:4242/?match=ID#token=TOKEN. The scheme may be left out. Of the path counts
// only what comes before that of a page of the server. The token may also be in the query.
func ParseAddress(text string) (Address, error) {
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	given, err := url.Parse(text)
	if err != nil {
		return Address{}, fmt.Errorf(
			"%q is not an address: write it as the browser shows it, such as http://192.168.1.5:4242/", text)
	}
	schemes := map[string]string{"http": "http", "https": "https", "ws": "http", "wss": "https"}
	scheme, known := schemes[given.Scheme]
	switch {
	case !known:
		return Address{}, fmt.Errorf("%q begins with %s://: want http:// or https://", text, given.Scheme)
	case given.Hostname() == "":
		return Address{}, fmt.Errorf(
			"%q names no host: write the address as the browser shows it, such as http://192.168.1.5:4242/",
			text)
	}
	query := given.Query()
	if fragment, err := url.ParseQuery(given.Fragment); err == nil && fragment.Get("token") != "" {
		query.Set("token", fragment.Get("token"))
	}
	base := url.URL{Scheme: scheme, Host: given.Host, Path: prefixOf(given.Path)}
	return Address{base: base, Match: query.Get("match"), Token: query.Get("token")}, nil
}

// pagePath matches the end of the path of a page, without which a path leads to the server.
var pagePath = regexp.MustCompile(`/+((team/[^/]*|join|screen|admin|cup|embed)/*)?$`)

// prefixOf returns the part of a page's path that a proxy has added, without a slash at the end.
func prefixOf(path string) string { return pagePath.ReplaceAllString(path, "") }

// root returns the address without the path.
func (a Address) root() Address {
	a.base.Path = ""
	return a
}

// String returns the address without its token.
func (a Address) String() string { return a.base.String() + "/" }

// path returns the address of a resource of the server.
func (a Address) path(path string, query url.Values) string {
	u := a.base
	u.Path, u.RawQuery = u.Path+path, query.Encode()
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
