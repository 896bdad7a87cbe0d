package logs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"
)

// netorcaiLog converts the lines of a log from JSON to the format of the program netorcai:
// its keys, its order, and text or JSON.
type netorcaiLog struct {
	out  io.Writer
	json bool
}

// The formats of times in netorcai's log, as text and in JSON.
const (
	netorcaiTime     = "2006-01-02 15:04:05.000"
	netorcaiJSONTime = time.RFC3339
)

// netorcaiKeys maps keys to their names in netorcai's log.
var netorcaiKeys = map[string]string{
	"address":          "remote address",
	"error":            "err",
	"players":          "player count",
	"player_id":        "playerID",
	"special_players":  "special player count",
	"visus":            "visu count",
	"winner_address":   "winner remote address",
	"winner_nickname":  "winner nickname",
	"winner_player_id": "winner player ID",
}

// Write implements io.Writer. It writes anything but a line of a log as it is.
func (l netorcaiLog) Write(line []byte) (int, error) {
	now := time.Now()
	var told map[string]any
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if d.Decode(&told) != nil {
		return l.out.Write(line)
	}
	fields := netorcaiFields(told)
	text := []byte(nil)
	if l.json {
		text = netorcaiJSON(fields, now)
	} else {
		text = netorcaiText(fields, now)
	}
	if _, err := l.out.Write(append(text, '\n')); err != nil {
		return 0, err
	}
	return len(line), nil
}

// netorcaiFields returns the fields of a line as netorcai has them.
func netorcaiFields(told map[string]any) map[string]any {
	fields := make(map[string]any, len(told))
	for key, value := range told {
		if name := netorcaiKeys[key]; name != "" {
			key = name
		}
		fields[key] = value
	}
	if _, won := fields["winner player ID"]; !won && fields["msg"] == "Game is finished" {
		fields["msg"] = "Game is finished (no winner!)"
	}
	return fields
}

func netorcaiText(fields map[string]any, now time.Time) []byte {
	text := fmt.Appendf(nil, "time=%q level=%v msg=%s", now.Format(netorcaiTime), fields["level"],
		netorcaiValue(fields["msg"]))
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if key != "level" && key != "msg" {
			text = fmt.Appendf(text, " %s=%s", key, netorcaiValue(fields[key]))
		}
	}
	return text
}

// netorcaiValue returns a value for a line of text, in quotes if it is empty or has unusual
// characters.
func netorcaiValue(value any) string {
	text := fmt.Sprint(value)
	usual := func(c rune) bool {
		return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			strings.ContainsRune("-._/@^+", c)
	}
	if text == "" || strings.ContainsFunc(text, func(c rune) bool { return !usual(c) }) {
		return strconv.Quote(text)
	}
	return text
}

func netorcaiJSON(fields map[string]any, now time.Time) []byte {
	fields["time"] = now.Format(netorcaiJSONTime)
	if remote, ok := fields["remote address"].(string); ok {
		if at, err := netip.ParseAddrPort(remote); err == nil {
			fields["remote address"] = map[string]any{
				"IP": at.Addr().WithZone("").String(), "Port": at.Port(), "Zone": at.Addr().Zone(),
			}
		}
	}
	text, _ := json.Marshal(fields) // what was read from JSON can be written as JSON
	return text
}
