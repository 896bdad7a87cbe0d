#!/usr/bin/env python3
"""Claim on a board of hexagons: a game logic. In each turn a player claims one cell, [{"claim": NUMBER}].

    hexarena play --game external --logic logic.py claimer.py claimer.py
"""
import json
import os
import random
import socket
import struct

RADIUS = 4
VIEW = {"cells": "/cells", "color": "owner", "pieces": [{"list": "/claimed", "color": "owner"}], "scores": "/score"}

class Game:
    def __init__(self, players, seed):
        line = range(-RADIUS, RADIUS + 1)
        self.cells = [{"q": q, "r": r, "owner": -1} for q in line for r in line if abs(q + r) <= RADIUS]
        self.players, self.claimed = players, []
        for player, cell in enumerate(random.Random(seed).sample(self.cells, players)):
            cell["owner"] = player

    def claim(self, player, actions):
        """Claim the cell of the first action. Return None, or why that is not possible."""
        number = actions[0].get("claim") if actions and isinstance(actions[0], dict) else None
        if type(number) is not int or not 0 <= number < len(self.cells):
            return "no such cell"
        if self.cells[number]["owner"] >= 0:
            return "claimed already"
        self.cells[number]["owner"] = player
        self.claimed.append(self.cells[number])

    def turn(self, answers):
        self.claimed = []
        whys = [(answer["player_id"], self.claim(answer["player_id"], answer["actions"])) for answer in answers]
        score = self.state()["score"]
        winner = score.index(max(score)) if score.count(max(score)) == 1 else -1
        reasons = [{"player": player, "action": 0, "text": why} for player, why in whys if why]
        return {"winner_player_id": winner, "game_state": {"all_clients": self.state()}, "reasons": reasons}

    def state(self):
        owners = [cell["owner"] for cell in self.cells]
        return {"cells": self.cells, "claimed": self.claimed, "score": [owners.count(p) for p in range(self.players)]}

with socket.create_connection((os.environ.get("BOT_HOST", "127.0.0.1"), int(os.environ.get("BOT_PORT", 4242)))) as server:
    def send(kind, **fields):
        content = json.dumps({"message_type": kind, **fields}).encode() + b"\n"
        server.sendall(struct.pack("<I", len(content)) + content)

    send("LOGIN", nickname="claim", role="game logic", metaprotocol_version="2.0.0")
    stream = server.makefile("rb")
    while header := stream.read(4):
        message = json.loads(stream.read(struct.unpack("<I", header)[0]))
        if message["message_type"] == "DO_INIT":
            game = Game(message["nb_players"] + message["nb_special_players"], message.get("seed"))
            send("DO_INIT_ACK", initial_game_state={"all_clients": game.state()}, rules="claim-hexagons/1", view=VIEW)
        elif message["message_type"] == "DO_TURN":
            send("DO_TURN_ACK", **game.turn(message["player_actions"]))
        elif message["message_type"] == "KICK":
            break
