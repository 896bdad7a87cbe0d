package main

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"

	"github.com/hexarena/hexarena/server/harness"
)

// matchID returns the id of the match that a page shows.
func matchID(ctx context.Context, page string) (string, error) {
	text, err := harness.Get(ctx, page+"api/match")
	if err != nil {
		return "", err
	}
	var match struct{ ID string }
	err = json.Unmarshal(text, &match)
	return match.ID, err
}

// answerTime matches the time of an answer in a turn's event.
var answerTime = regexp.MustCompile(`"ms":([\d.]+)`)

// answers returns the players' answer times in a match by the server's clock, in ms.
func answers(ctx context.Context, page, match string) (all harness.Series, err error) {
	address := fmt.Sprintf("%sapi/match/events?match=%s&from=%d", page, match, early)
	text, err := harness.Get(ctx, address)
	if err != nil {
		return nil, err
	}
	for _, found := range answerTime.FindAllSubmatch(text, -1) {
		ms, err := strconv.ParseFloat(string(found[1]), 64)
		if err != nil {
			return nil, err
		}
		all = append(all, ms)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no answers in it", address)
	}
	return all, nil
}
