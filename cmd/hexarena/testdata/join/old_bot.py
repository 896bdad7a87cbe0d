"""A bot for the program netorcai: it knows 127.0.0.1:4242 and no extension."""
import json
import socket
import struct
import sys

connection = socket.create_connection(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 4242)).makefile("rwb")


def send(message):
    content = (json.dumps(message) + "\n").encode()
    connection.write(struct.pack("<I", len(content)) + content)
    connection.flush()


def receive():
    return json.loads(connection.read(struct.unpack("<I", connection.read(4))[0]))


print("version 1 starts")
send({"message_type": "LOGIN", "nickname": "old", "role": "player", "metaprotocol_version": "2.0.0"})
turns = 0
while True:
    message = receive()
    kind = message["message_type"]
    if kind == "GAME_STARTS":
        print("it has the fields", *sorted(message))
        me = message["player_id"] + 1
    elif kind == "TURN":
        turns += 1
        walkers = [c["id"] for c in message["game_state"]["characters"] if c["color"] == me]
        actions = [{"id": one, "movement": "move", "direction": "x+"} for one in walkers]
        send({"message_type": "TURN_ACK", "turn_number": message["turn_number"], "actions": actions})
    elif kind == "KICK":
        print("played", turns, "turns:", message["kick_reason"])
        break
