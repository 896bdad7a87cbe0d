#!/usr/bin/env python3
"""The rules of claim as a game logic of its own, in any language: here in Python.

    hexarena serve --game external --players 2 --visualizations 0 --autostart
    python3 docs/examples/claim/logic.py --port 4242
"""

import argparse
import json
import socket
import struct


class Game:
    def __init__(self, cells, players):
        self.owners = [-1] * cells
        self.players = players

    def play(self, player, actions):
        """Apply the first possible action of a player; ignore what makes no sense."""
        if not isinstance(actions, list):
            return
        for action in actions:
            cell = action.get("claim") if isinstance(action, dict) else None
            if type(cell) is int and 0 <= cell < len(self.owners) and self.owners[cell] < 0:
                self.owners[cell] = player
                return

    def winner(self):
        """Return the player with more cells than any other, or -1."""
        owned = [self.owners.count(player) for player in range(self.players)]
        best = max(owned)
        return owned.index(best) if best > 0 and owned.count(best) == 1 else -1

    def state(self):
        return {"all_clients": {"owners": self.owners}}


def send(sock, message):
    content = json.dumps(message).encode() + b"\n"
    sock.sendall(struct.pack("<I", len(content)) + content)


def receive(stream):
    header = stream.read(4)
    if len(header) < 4:
        return {"message_type": "KICK", "kick_reason": "the server closed the connection"}
    return json.loads(stream.read(struct.unpack("<I", header)[0]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=4242)
    parser.add_argument("--cells", type=int, default=24)
    args = parser.parse_args()
    sock = socket.create_connection((args.host, args.port))
    stream = sock.makefile("rb")
    send(sock, {"message_type": "LOGIN", "role": "game logic", "nickname": "claim", "metaprotocol_version": "2.0.0"})
    while True:
        message = receive(stream)
        kind = message["message_type"]
        if kind == "DO_INIT":
            game = Game(args.cells, message["nb_players"])
            send(sock, {"message_type": "DO_INIT_ACK", "initial_game_state": game.state()})
        elif kind == "DO_TURN":
            for answer in message["player_actions"]:
                game.play(answer["player_id"], answer["actions"])
            send(sock, {"message_type": "DO_TURN_ACK", "winner_player_id": game.winner(), "game_state": game.state()})
        elif kind == "KICK":
            print(message["kick_reason"])
            return


if __name__ == "__main__":
    main()
