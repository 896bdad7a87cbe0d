package event

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/hexarena/hexarena/server/machine/disk"
)

// secret is what tokens are derived from, so that no log has to hold them.
type secret []byte

const secretSize = 32 // bytes, as long as the sums

// openSecret returns the secret of a folder. It creates the file for a new event, and for one that
// goes on only with NewTokens. Only the owner may read the file.
func openSecret(d disk.Disk, dir string, o *Options) (secret, error) {
	path := filepath.Join(dir, secretFile)
	text, err := disk.ReadFile(d, path)
	if errors.Is(err, fs.ErrNotExist) {
		acts, err := disk.ReadFile(d, filepath.Join(dir, actsFile))
		switch {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return nil, err
		case len(acts) > 0 && !o.NewTokens:
			return nil, fmt.Errorf("%s is missing, from which the tokens of the teams follow: "+
				"copy it from where the folder comes from, or give --new-tokens, with which all tokens "+
				"and the operator's address change", path)
		}
		return newSecret(d, path, o.Random)
	}
	if err == nil && len(text) != secretSize {
		err = fmt.Errorf(
			"%s has %d bytes, want %d: restore it, since the teams' tokens follow from it", path,
			len(text), secretSize)
	}
	return text, err
}

// newSecret writes a new secret, under its name only once it is whole.
func newSecret(d disk.Disk, path string, random io.Reader) (secret, error) {
	if random == nil {
		random = rand.Reader
	}
	text := make([]byte, secretSize)
	if _, err := io.ReadFull(random, text); err != nil {
		return nil, err
	}
	return text, disk.WriteSecret(d, path, text)
}

// The purposes of sums.
const (
	teamToken = iota
	adminToken
	signUpCode
)

// sum returns what follows from the secret for a purpose and a number.
func (s secret) sum(purpose byte, n int) []byte {
	mac := hmac.New(sha256.New, s)
	mac.Write(binary.BigEndian.AppendUint64([]byte{purpose}, uint64(n)))
	return mac.Sum(nil)
}

const (
	// characters, so that a bot that cannot be changed sends it as its nickname; 50 bits
	tokenLength = 10
	adminLength = 26 // 130 bits: the operator opens an address, and types none
	codeLength  = 8
	// codeLetters are those of a code: all but I and O, which look like digits. A code has 24^8 =
	// 1.1e11 values, so that no limit has to keep right codes out with wrong ones: at 5000 tries a
	// second, more than the server answers, ten hours find it with a probability of 5000 × 36 000 /
	// 1.1e11 = 0.16 %.
	codeLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ"
)

// token returns the token of a team.
func (s secret) token(team int) string { return text(s.sum(teamToken, team))[:tokenLength] }

// admin returns the operator's token.
func (s secret) admin() string { return text(s.sum(adminToken, 0))[:adminLength] }

// code returns the code that the screen shows for signing up after this many others.
func (s secret) code(n int) string {
	code := make([]byte, codeLength)
	number := binary.BigEndian.Uint64(s.sum(signUpCode, n)) // 2^64: no letter is more frequent by 1e-8
	for i := range code {
		code[i] = codeLetters[number%uint64(len(codeLetters))]
		number /= uint64(len(codeLetters))
	}
	return string(code)
}

func text(sum []byte) string { return base32.StdEncoding.EncodeToString(sum) }
