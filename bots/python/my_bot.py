#!/usr/bin/env python3
"""A starter bot for hexabomb: Python 3.8 or newer, nothing to install.

    python3 my_bot.py [--name NAME] [--token TOKEN] [--stay] [HOST [PORT]]

Part 1 is the strategy: change decide() and play. Part 2 talks to the server
and can stay as it is. What you print() ends up in the bot's log.
"""
import argparse
import getpass
import json
import os
import random
import runpy
import socket
import struct
import sys

# ----------------------------------------------------------------- 1. strategy

NAME = ""  # your bot's name, at most 10 characters; if empty, the name of this file or yours

DIRECTIONS = {"x+": (1, 0), "y+": (1, -1), "z+": (0, -1),
              "x-": (-1, 0), "y-": (-1, 1), "z-": (0, 1)}
GAME = {}  # the message at the start: nb_players, nb_turns_max, ...


def decide(state, me, debug):
    """Return the actions of a turn: a list with at most one for each character.

    state is what the server sends; me is my player id. My colour is me + 1.
    debug is a dict that the page shows to spectators: text, cells, values.
    """
    cells = {(c["q"], c["r"]): c["color"] for c in state["cells"]}
    free = set(cells)  # cells without a character or a bomb
    free -= {(c["q"], c["r"]) for c in state["characters"] if c["alive"]}
    free -= {(b["q"], b["r"]) for b in state["bombs"]}
    danger = set()  # cells that will explode, sooner or later
    for b in state["bombs"]:
        danger |= explosion(cells, (b["q"], b["r"]), b["range"])
    not_mine = {cell for cell, color in cells.items() if color != me + 1}

    actions = []
    for character in state["characters"]:
        if character["color"] != me + 1:
            continue
        action = {"id": character["id"]}
        here = (character["q"], character["r"])
        if not character["alive"]:
            if character["revive_delay"] == 0 and not GAME["nb_special_players"]:
                actions.append({**action, "movement": "revive"})
            continue

        # Drop a bomb now and then, if I could step out of its reach in time.
        blast = explosion(cells, here, 3)
        if (character["bomb_count"] > 0 and here not in danger and random.random() < 0.3
                and first_step(here, free, free - danger - blast, 2)):
            actions.append({**action, "movement": "bomb", "bomb_range": 3, "bomb_delay": 3})
            danger |= blast
            continue

        # Get out of danger; otherwise walk to the nearest cell that is not mine.
        if here in danger:
            direction = first_step(here, free, free - danger)
        else:
            direction = first_step(here, free - danger, not_mine)
        if direction:
            actions.append({**action, "movement": "move", "direction": direction})
            free.discard(neighbour(here, direction))
    debug["values"] = {"cells in danger": len(danger)}
    return actions


def neighbour(cell, direction):
    """Return the cell next to another; it may not be on the board."""
    dq, dr = DIRECTIONS[direction]
    return (cell[0] + dq, cell[1] + dr)


def explosion(cells, bomb, reach):
    """Return the cells a bomb covers: six lines, each up to the first missing cell."""
    covered = {bomb}
    for direction in DIRECTIONS:
        cell = neighbour(bomb, direction)
        for _ in range(reach):
            if cell not in cells:
                break
            covered.add(cell)
            cell = neighbour(cell, direction)
    return covered


def first_step(start, free, goals, limit=1000):
    """Return the direction to the nearest goal over free cells, or None."""
    directions = random.sample(list(DIRECTIONS), 6)  # no preference among equals
    queue, seen = [(start, None, 0)], {start}
    for cell, first, steps in queue:  # the queue grows while the loop runs
        if first and cell in goals:
            return first
        for direction in directions:
            to = neighbour(cell, direction)
            if to in free and to not in seen and steps < limit:
                seen.add(to)
                queue.append((to, first or direction, steps + 1))
    return None


def outcome(state):
    """Return what to print at the end of a match."""
    return "the scores are %s" % state["score"]


# --------------------------------------------------------------------- 2. wire

def send(sock, message):
    """Send a message: its length in 4 bytes, then JSON and a line feed."""
    content = (json.dumps(message, separators=(",", ":")) + "\n").encode()
    sock.sendall(struct.pack("<I", len(content)) + content)


def answer(sock, turn, actions, debug=None):
    """Answer a TURN. debug, at most 4096 bytes, is shown on the page."""
    message = {"message_type": "TURN_ACK", "turn_number": turn, "actions": actions}
    send(sock, {**message, "debug": debug} if debug else message)


def receive(stream):
    """Return the next message; a closed connection counts as a KICK."""
    header = stream.read(4)
    if len(header) < 4:
        return {"message_type": "KICK", "kick_reason": "the server closed the connection"}
    return json.loads(stream.read(struct.unpack("<I", header)[0]).decode())


def default_name():
    """Return the name of this file, if you changed it, or of the user."""
    name = os.path.splitext(os.path.basename(__file__))[0]
    if name != "my_bot":
        return name
    try:
        return getpass.getuser()
    except Exception:  # a system without user names
        return name


def arguments():
    """Return the command line's arguments; the environment has the defaults."""
    env = os.environ.get
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("host", nargs="?", default=env("BOT_HOST", "127.0.0.1"))
    parser.add_argument("port", nargs="?", default=env("BOT_PORT", "4242"), type=int)
    parser.add_argument("--name", default=env("BOT_NICKNAME") or NAME or default_name(),
                        help="the bot's name, at most 10 characters")
    parser.add_argument("--stay", action="store_true", default="BOT_SEED" in os.environ,
                        help="play match after match, until there are no more; a bot that hexarena starts does")
    parser.add_argument("--token", default=env("BOT_TOKEN"), help="identifies you to servers that require it")
    return parser.parse_args()


def main():
    args = arguments()
    random.seed(os.environ.get("BOT_SEED"))  # equal seeds give equal decisions
    try:
        sock = socket.create_connection((args.host, args.port))
    except OSError as error:
        sys.exit(f"no server at {args.host}:{args.port}: {error}")
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    stream = sock.makefile("rb")
    login = {"message_type": "LOGIN", "role": "player", "metaprotocol_version": "2.0.0",
             "nickname": "_".join(args.name.split())[:10], "language": "Python"}
    if args.token:
        login["token"] = args.token
    if args.stay:
        login["stay"] = True
    send(sock, login)
    finished, strategy = False, globals()
    while True:
        message = receive(stream)
        kind = message["message_type"]
        if kind == "GAME_STARTS":
            if finished:  # part 1 begins afresh, as if started for each match
                strategy = runpy.run_path(__file__)
            finished, game = False, strategy["GAME"]
            game.update(message)
            if "seed" in message:  # with --stay: each match has its own
                random.seed(message["seed"])
        elif kind == "TURN":
            debug = {}
            actions = strategy["decide"](message["game_state"], game["player_id"], debug)
            answer(sock, message["turn_number"], actions, debug)
        elif kind == "GAME_ENDS":
            finished = True
            print(f"The match is over. I was player {game['player_id']},", strategy["outcome"](message["game_state"]))
        elif kind == "KICK":  # the usual end after GAME_ENDS, an error before it
            if not finished:
                print("kicked:", message["kick_reason"], file=sys.stderr)
                if "token is needed" in message["kick_reason"]:
                    print("Ask the server's operator for your token and add --token TOKEN "
                          "(or set BOT_TOKEN) when you start the bot.", file=sys.stderr)
            return 0 if finished else 1


if __name__ == "__main__":
    sys.exit(main())
