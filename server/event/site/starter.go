package site

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/games"
)

// sendStarter answers with the starter in a language, and with scripts beside it that start it with
// everything filled in: the address that the browser has used, the name of the team and its token.
func (s *Site) sendStarter(w http.ResponseWriter, r *http.Request, v state.TeamView, token string) {
	list := s.languages()
	i := max(
		0,
		slices.IndexFunc(list,
			func(l games.Language) bool { return l.Language == r.URL.Query().Get("language") }),
	)
	var text []byte
	if len(list) > 0 && s.Starter != nil {
		text = s.Starter(s.Rounds.Options().Game.Name, list[i].Language)
	}
	if text == nil {
		answer(w, http.StatusNotFound, nil,
			errors.New("there is no starter for this game: the protocol is in docs/protocol.md"))
		return
	}
	host, port := s.botAddress(r)
	archive, err := withScripts(text, list[i], v.Name,
		fmt.Sprintf("%s %s --token %s --stay", host, port, token))
	if err != nil {
		answer(w, http.StatusInternalServerError, nil, err)
		return
	}
	w.Header().Set("Content-Type", "application/zip")
	w.Header().Set("Content-Disposition", `attachment; filename="my_bot.zip"`)
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(archive)
}

// botAddress returns the host, as the browser that sent a request knows it, and the port where bots
// connect.
func (s *Site) botAddress(r *http.Request) (host, port string) {
	known, port, _ := net.SplitHostPort(s.address())
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	if s.URL != "" || host == "" { // bots do not speak with a proxy
		host = known
	}
	return strings.Trim(host, "[]"), port
}

// withScripts returns an archive with more files: play.sh and play.cmd, which start the bot, and a
// text that says so.
func withScripts(archive []byte, in games.Language, team, arguments string) ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	from, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, err
	}
	for _, f := range from.File {
		if err := z.Copy(f); err != nil {
			return nil, err
		}
	}
	windows := strings.NewReplacer("python3 ", "python ", "./", "").Replace(in.Command)
	for _, f := range []struct {
		name, text string
		mode       fs.FileMode
	}{
		{
			"play.sh", "#!/bin/sh\ncd \"$(dirname \"$0\")\" && " + in.Command + " " + arguments + "\n",
			0o755,
		},
		{"play.cmd", "@cd /d \"%~dp0\"\r\n@" + windows + " " + arguments + "\r\n@pause\r\n", 0o644},
		{"README.txt", "The bot of " + team + ".\r\n\r\nStart it with play.cmd on Windows, and " +
			"with sh play.sh elsewhere. It needs " + in.Name +
			".\r\nThe scripts hold your token: keep them secret.\r\n", 0o644},
	} {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate}
		header.SetMode(f.mode)
		w, err := z.CreateHeader(header)
		if err == nil {
			_, err = io.WriteString(w, f.text)
		}
		if err != nil {
			return nil, err
		}
	}
	err = z.Close()
	return out.Bytes(), err
}
