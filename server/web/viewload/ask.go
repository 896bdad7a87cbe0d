package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
)

// matchID is the id of the match that a page shows.
func matchID(ctx context.Context, page string) (string, error) {
	var match struct{ ID string }
	err := get(ctx, page+"api/match", func(line []byte) error { return json.Unmarshal(line, &match) })
	return match.ID, err
}

var answerTime = regexp.MustCompile(`"ms":([\d.]+)`)

// answers are how long the players of a match took, as the server counts it.
func answers(ctx context.Context, page, match string) (all series, err error) {
	address := fmt.Sprintf("%sapi/match/events?match=%s&from=%d", page, match, early)
	err = get(ctx, address, func(line []byte) error {
		for _, found := range answerTime.FindAllSubmatch(line, -1) {
			ms, err := strconv.ParseFloat(string(found[1]), 64)
			if err != nil {
				return err
			}
			all = append(all, ms)
		}
		return nil
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("%s: no answers in it", address)
	}
	return all, err
}

// longestLine bounds a line of a reply.
const longestLine = 16 << 20

// get reads a reply line by line.
func get(ctx context.Context, url string, each func(line []byte) error) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	lines := bufio.NewScanner(reply.Body)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		if err := each(lines.Bytes()); err != nil {
			return fmt.Errorf("%s: %w", url, err)
		}
	}
	return lines.Err()
}
