#!/usr/bin/env python3
"""A starter bot for hexagonal tic-tac-toe: Python 3.8 or newer, nothing to install.

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

LINES = [(1, 0), (0, 1), (1, -1)]  # the directions of rows
WORTH = 4  # how many times a row is worth more with one more piece
URGENT = 1000  # a row that the other side could complete with its next move
GAME = {}  # the message at the start: nb_players, nb_turns_max, ...


def decide(state, me, debug):
    """Return the actions of a turn: a list with one move, or [] if it is not our turn.

    state is what the server sends; me is my player id: 0 plays x, 1 plays o.
    debug is a dict that the page shows to spectators: text, values.
    """
    side = "xo"[me]
    if state["to_move"] != side:
        return []
    board = {(c["q"], c["r"]): c["p"] for c in state["board"]["cells"]}
    longest = {"x": 0, "o": 0}  # pieces in the best row that can still be completed
    for whose, pieces, _ in rows(board, state["win_distance"]):
        longest[whose] = max(longest[whose], pieces)
    debug["values"] = {"my best row": longest[side], "their best row": longest["ox"[me]]}
    cells = move(board, side, state["win_distance"], state["view_distance"])
    return [{"pieces": [{"q": q, "r": r} for q, r in cells]}]


def move(board, side, win, view):
    """Return the cells of a move: always two, one after the other."""
    board, placed = dict(board), []
    while len(placed) < 2:
        worth = {}
        for whose, pieces, empty in rows(board, win):
            if whose == side and len(empty) <= 2 - len(placed):
                value = URGENT ** 2  # it wins now
            elif whose != side and len(empty) <= 2:
                value = URGENT * WORTH ** pieces
            else:
                value = WORTH ** pieces
            for cell in empty:
                worth[cell] = worth.get(cell, 0) + value
        # Cells of a row are less than win steps from its pieces.
        allowed = {cell: w for cell, w in worth.items() if view >= win or near(cell, board, view)}
        if not allowed:  # no row can be completed any more: play next to any piece
            allowed = {cell: 0 for piece in board for cell in neighbours(piece) if cell not in board}
        most = max(allowed.values())
        best = random.choice(sorted(cell for cell, w in allowed.items() if w == most))
        board[best] = side
        placed.append(best)
    return placed


def rows(board, win):
    """Yield each row of win cells that only one side has pieces in: the side,
    the number of its pieces, and the empty cells."""
    seen = set()
    for q, r in board:
        for dq, dr in LINES:
            for back in range(win):
                start = (q - back * dq, r - back * dr)
                if (start, dq, dr) in seen:
                    continue
                seen.add((start, dq, dr))
                cells = [(start[0] + k * dq, start[1] + k * dr) for k in range(win)]
                sides = {board[c] for c in cells if c in board}
                if len(sides) == 1:
                    empty = [c for c in cells if c not in board]
                    yield sides.pop(), win - len(empty), empty


def near(cell, board, view):
    """Report whether a cell is near enough to some piece to be played."""
    return any(distance(cell, piece) <= view for piece in board)


def distance(a, b):
    """Return the number of steps from one cell to another."""
    dq, dr = a[0] - b[0], a[1] - b[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def neighbours(cell):
    """Return the six cells next to a cell."""
    return [(cell[0] + s * dq, cell[1] + s * dr) for dq, dr in LINES for s in (1, -1)]


def outcome(state):
    """Return what to print at the end of a match."""
    return "the result is: %s" % state["reason"]
