package netorcai

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/protocol/netorcai/model"
)

// Every error has one text of the model, and the model has no other.
func TestModelOfErrors(t *testing.T) {
	m := readModel(t)
	invalid := func(name, content string) error {
		_, err := decoders[name]([]byte(content))
		return err
	}
	login := readObject(t, complete(t)["LOGIN"])
	errs := map[string][]error{
		"unreadable": {
			ErrNotJSON, &DepthError{64}, &SizeError{2000, FirstLimit}, &SizeError{math.MaxUint32, Limit},
			&SizeError{20_000, 16_000},
			&ReadError{io.EOF}, &ReadError{errors.New("connection reset by peer")},
		},
		"invalid": {
			invalid("TURN", `{"message_type":"KICK"}`), invalid("TURN", `{}`),
			invalid("TURN", `{"message_type":1}`),
			invalid("LOGIN", string(login.with(login.keys, "nickname", `""`))),
			invalid("LOGIN", string(login.with(login.keys, "role", `"king"`))),
			invalid("LOGIN", string(login.with(login.keys, "metaprotocol_version", `"2"`))),
			invalid("LOGIN", string(login.with(login.keys, "metaprotocol_version", `"1.0.0"`))),
			invalid("TURN_ACK", `{"message_type":"TURN_ACK","turn_number":2}`),
			invalid("DO_TURN_ACK", `{"message_type":"DO_TURN_ACK","winner_player_id":99}`),
		},
		"unsendable": {ErrTooBig},
	}
	used := map[string]bool{}
	for class, list := range errs {
		for _, err := range list {
			i := slices.IndexFunc(
				m.Errors,
				func(e model.Error) bool {
					return e.Class == class && template(e.Text).MatchString(
						err.Error())
				},
			)
			if i < 0 {
				t.Errorf("the model has no %s error %q", class, err)
				continue
			}
			used[m.Errors[i].Text] = true
		}
	}
	for _, e := range m.Errors {
		if !used[e.Text] && !e.Extension {
			t.Errorf("no error has the text %q", e.Text)
		}
	}
}

// template returns the expression for a text with names in braces for what varies, which has no
// quotes.
func template(text string) *regexp.Regexp {
	quoted := regexp.QuoteMeta(text)
	return regexp.MustCompile(
		"^" + regexp.MustCompile(`\\\{[a-z]+\\\}`).ReplaceAllString(quoted, "[^']*") + "$")
}

// The kick reasons of kick.go are those of the model that are not extensions.
func TestModelOfKicks(t *testing.T) {
	var want []string
	file, err := parser.ParseFile(token.NewFileSet(), "kick.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec: // the constants
			if !strings.HasPrefix(n.Names[0].Name, "Kick") {
				return false
			}
		case *ast.CallExpr: // reason(err, unreadable, invalid)
			if f, named := n.Fun.(*ast.Ident); !named || f.Name != "reason" {
				return true
			}
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil &&
				regexp.MustCompile(`^[A-Zn][^"{]* `).MatchString(text) {
				want = append(want, text)
			}
		}
		return true
	})
	var got []string
	m := readModel(t)
	for _, k := range m.Kicks {
		if (k.Text == "") == (k.Beginning == "") || k.Cause == "" ||
			k.Text != "" && (k.CompletedBy != nil || k.Examples != nil) {
			t.Errorf("kick %+v: want a text or a beginning, and a cause", k)
		}
		if !k.Extension {
			got = append(got, k.Text+k.Beginning)
		}
		for _, e := range k.Examples {
			completion, begins := strings.CutPrefix(e.Reason, k.Beginning)
			fits := func(e model.Error) bool {
				return slices.Contains(k.CompletedBy, e.Class) && template(e.Text).MatchString(completion)
			}
			if !begins || k.CompletedBy != nil && !slices.ContainsFunc(m.Errors, fits) {
				t.Errorf("%q is no example of %q", e.Reason, k.Beginning)
			}
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("kick reasons of the model\n%s\nof kick.go\n%s", strings.Join(got, "\n"),
			strings.Join(want, "\n"))
	}
}
