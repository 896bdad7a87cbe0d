//go:build ignore

// Claim on a board of hexagons: a game logic. In each turn a player claims one cell, [{"claim":
// NUMBER}].
//
//	hexarena play --game external --logic logic.go claimer.go claimer.go
package main

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"io"
	"log"
	"math/rand"
	"net"
	"os"
)

const radius = 4

type object = map[string]any

var view = object{
	"cells": "/cells", "color": "owner", "pieces": []object{{"list": "/claimed", "color": "owner"}},
	"scores": "/score",
}

type cell struct {
	Q     int `json:"q"`
	R     int `json:"r"`
	Owner int `json:"owner"` // -1: no player
}

// game is the state as players see it.
type game struct {
	Cells   []*cell `json:"cells"`
	Claimed []*cell `json:"claimed"` // in the last turn
	Score   []int   `json:"score"`
}

func newGame(players int, seed int64) *game {
	g := &game{Claimed: []*cell{}, Score: make([]int, players)}
	for q := -radius; q <= radius; q++ {
		for r := max(-radius, -radius-q); r <= min(radius, radius-q); r++ {
			g.Cells = append(g.Cells, &cell{q, r, -1})
		}
	}
	for player, i := range rand.New(rand.NewSource(seed)).Perm(len(g.Cells))[:players] {
		g.Cells[i].Owner = player
		g.Score[player]++
	}
	return g
}

// claim claims the cell of the first action. It returns "", or why that is not possible.
func (g *game) claim(player int, actions json.RawMessage) string {
	var list []struct{ Claim *int }
	if json.Unmarshal(actions, &list) != nil || len(list) == 0 || list[0].Claim == nil {
		return "no such cell"
	}
	n := *list[0].Claim
	if n < 0 || n >= len(g.Cells) {
		return "no such cell"
	}
	if g.Cells[n].Owner >= 0 {
		return "claimed already"
	}
	g.Cells[n].Owner = player
	g.Score[player]++
	g.Claimed = append(g.Claimed, g.Cells[n])
	return ""
}

// winner returns the player with more cells than any other, or -1.
func (g *game) winner() int {
	best, most := -1, 0
	for player, n := range g.Score {
		if n > most {
			best, most = player, n
		} else if n == most {
			best = -1
		}
	}
	return best
}

// order holds the fields of all messages that a game logic gets.
type order struct {
	MessageType      string `json:"message_type"`
	NbPlayers        int    `json:"nb_players"`
	NbSpecialPlayers int    `json:"nb_special_players"`
	Seed             int64  `json:"seed"`
	PlayerActions    []struct {
		PlayerID int             `json:"player_id"`
		Actions  json.RawMessage `json:"actions"`
	} `json:"player_actions"`
}

func main() {
	log.SetFlags(0)
	address := net.JoinHostPort(cmp.Or(os.Getenv("BOT_HOST"), "127.0.0.1"),
		cmp.Or(os.Getenv("BOT_PORT"), "4242"))
	server, err := net.Dial("tcp", address)
	if err != nil {
		log.Fatal(err)
	}
	send(
		server,
		object{
			"message_type": "LOGIN", "nickname": "claim", "role": "game logic",
			"metaprotocol_version": "2.0.0",
		},
	)
	var g *game
	for {
		switch m := receive(server); m.MessageType {
		case "DO_INIT":
			g = newGame(m.NbPlayers+m.NbSpecialPlayers, m.Seed)
			send(server, object{
				"message_type": "DO_INIT_ACK", "initial_game_state": object{"all_clients": g},
				"rules": "claim-hexagons/1", "view": view,
			})
		case "DO_TURN":
			g.Claimed = []*cell{}
			reasons := []object{}
			for _, a := range m.PlayerActions {
				if why := g.claim(a.PlayerID, a.Actions); why != "" {
					reasons = append(reasons, object{"player": a.PlayerID, "action": 0, "text": why})
				}
			}
			send(server, object{
				"message_type": "DO_TURN_ACK", "winner_player_id": g.winner(),
				"game_state": object{"all_clients": g}, "reasons": reasons,
			})
		case "KICK":
			return
		}
	}
}

func send(server net.Conn, m object) {
	content, err := json.Marshal(m)
	if err != nil {
		log.Fatal(err)
	}
	content = append(content, '\n')
	if _, err := server.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(content))), content...)); err != nil {
		log.Fatal(err)
	}
}

func receive(server net.Conn) (m order) {
	var size uint32
	err := binary.Read(server, binary.LittleEndian, &size)
	content := make([]byte, size)
	if err == nil {
		_, err = io.ReadFull(server, content)
	}
	if err == nil {
		err = json.Unmarshal(content, &m)
	}
	if err != nil {
		log.Fatal(err)
	}
	return m
}
