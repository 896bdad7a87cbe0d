package plan

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
)

// UntilSetting is the name of the setting that says how certain the leader has to be for the
// contest to end, such as 95%.
const UntilSetting = "until"

// ParseUntil returns the probability of an error that a value of UntilSetting allows.
func ParseUntil(text string) (margin float64, err error) {
	percent, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
	if err != nil || !strings.HasSuffix(text, "%") || !(percent >= 50 && percent <= 99.9) {
		return 0, fmt.Errorf("%q: want a percentage from 50%% to 99.9%%, such as 95%%", text)
	}
	return 1 - percent/100, nil
}

// Until returns the probability that the leader is not the best with which the contest ends; 0 if
// it does not end so.
func (p *Plan) Until() (margin float64) {
	for _, setting := range p.Settings {
		if setting.Name == UntilSetting {
			margin, _ = ParseUntil(setting.Value) // else it has no effect
		}
	}
	return margin
}

// WithinSetting is the name of the setting that says how few Elo points bots may differ by to be
// equal, which ends a contest too.
const WithinSetting = "within"

// Within returns how few Elo points bots may differ by to be equal; 0 if that ends nothing.
func (p *Plan) Within() (elo float64) {
	for _, setting := range p.Settings {
		if setting.Name == WithinSetting {
			elo, _ = strconv.ParseFloat(setting.Value, 64) // else it has no effect
		}
	}
	return elo
}

// Same reports whether two bots, by their numbers, are known to be the same program, so that no
// result tells them apart. Commands whose files are the same may have other arguments. A seat with
// a space may be a command or a file, but no command has the digest of a file.
func (p *Plan) Same(a, b int) bool {
	x, y := &p.Bots[a], &p.Bots[b]
	copied := func(bot *Bot) bool {
		return bot.Digest != Digest{} && bot.Digest != sha256.Sum256(nil) &&
			!strings.ContainsAny(bot.Seat, " \t") && !strings.Contains(bot.Seat, "://")
	}
	return x.Digest == y.Digest && (x.Seat == y.Seat || copied(x) || copied(y))
}
