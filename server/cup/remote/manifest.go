package remote

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup"
)

// Manifest is all that a worker needs to know of a cup.
type Manifest struct {
	Plan      *plan.Plan    `json:"plan"`
	Arguments []string      `json:"arguments"` // the flags of the settings, without maps
	Maps      []cup.MapFile `json:"maps"`      // those that do not come with the program
	MapNames  []string      `json:"map_names"` // the setting, of which those in Maps are files
	Version   string        `json:"version"`   // of the program
	Copied    []bool        `json:"copied"`    // which bots are objects
	// Isolated are the flags for a worker that isolates bots of its own accord.
	Isolated []string `json:"isolated,omitempty"`
	// Sent says that the bots are versions that were sent to an event: they are started for each
	// match, also those that ask to stay, and what they print comes with the result.
	Sent bool `json:"sent,omitempty"`
}

// signed is a manifest as it is stored.
type signed struct {
	Manifest  []byte `json:"manifest"`
	Signature []byte `json:"signature"`
}

// BotObject returns the name of the object that has the files of a bot, by their digest.
func BotObject(b *plan.Bot) string { return "bot-" + b.Digest.String() }

// Sign returns the object that has a manifest, and its name.
func (m *Manifest) Sign(key ed25519.PrivateKey) (name string, object []byte) {
	text := encode(m)
	object = encode(signed{text, ed25519.Sign(key, text)})
	return manifestName(object), object
}

// manifestName returns the name of the object with a manifest, by its content.
func manifestName(object []byte) string {
	sum := sha256.Sum256(object)
	return "manifest-" + hex.EncodeToString(sum[:])
}

// readManifest reads an object that must be signed by the key that the worker was given: what it
// says is run here.
func readManifest(object []byte, key ed25519.PublicKey) (*Manifest, error) {
	var s signed
	if err := json.Unmarshal(object, &s); err != nil {
		return nil, fmt.Errorf("the manifest: %w", err)
	}
	if !ed25519.Verify(key, s.Manifest, s.Signature) {
		return nil, errors.New("the manifest is not signed by the key that follows # in the worker's " +
			"address: start the worker with the line that the cup prints")
	}
	m := new(Manifest)
	if err := json.Unmarshal(s.Manifest, m); err != nil {
		return nil, fmt.Errorf("the manifest: %w", err)
	}
	if m.Plan == nil || len(m.Copied) != len(m.Plan.Bots) {
		return nil, errors.New("the manifest has no plan")
	}
	return m, m.Plan.Check()
}

// FormatKey returns a key as it is written in an address.
func FormatKey(key ed25519.PublicKey) string { return base64.RawURLEncoding.EncodeToString(key) }

// ParseKey reads what FormatKey returns.
func ParseKey(text string) (ed25519.PublicKey, error) {
	key, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(key) != ed25519.PublicKeySize {
		return nil, fmt.Errorf("%.80q is no key: copy the whole line that the cup prints", text)
	}
	return key, nil
}
