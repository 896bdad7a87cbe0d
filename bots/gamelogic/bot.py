#!/usr/bin/env python3
"""A bot for logic.py beside it: it claims any free cell."""
import json
import os
import random
import socket
import struct

player = random.Random(os.environ.get("BOT_SEED"))
with socket.create_connection((os.environ.get("BOT_HOST", "127.0.0.1"), int(os.environ.get("BOT_PORT", 4242)))) as server:
    def send(kind, **fields):
        content = json.dumps({"message_type": kind, **fields}).encode() + b"\n"
        server.sendall(struct.pack("<I", len(content)) + content)

    send("LOGIN", nickname=os.environ.get("BOT_NICKNAME", "claimer"), role="player", metaprotocol_version="2.0.0")
    stream = server.makefile("rb")
    while header := stream.read(4):
        message = json.loads(stream.read(struct.unpack("<I", header)[0]))
        if message["message_type"] == "TURN":
            cells = message["game_state"]["cells"]
            free = [number for number, cell in enumerate(cells) if cell["owner"] < 0] or [0]
            send("TURN_ACK", turn_number=message["turn_number"], actions=[{"claim": player.choice(free)}])
        elif message["message_type"] == "KICK":
            break
