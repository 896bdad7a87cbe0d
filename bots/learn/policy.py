#!/usr/bin/env python3
"""Plays hexabomb with a network that train.py has trained: policy.npz, which lies beside it.

    hexarena play policy.py random
"""

import os

import hexarena
import numpy as np

RADIUS = 3  # of the cells around a character that it sees
REACH = 4  # of the largest bomb; ghosts may drop larger ones, whose far cells are not seen
DIRECTIONS = tuple(hexarena.DIRECTIONS)  # in the order of the numbers of moves
BOMBS = [(2 + k // 3, 2 + k % 3) for k in range(9)]  # range and delay, likewise
REVIVE = 16
CODES = 17
FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "policy.npz")


class Board:
    """The cells of a map: which are near each other, and which a bomb reaches."""

    def __init__(self, cells):
        """Reads the cells of a state, or about["about"]["cells"] of hexarena_env.Arrays."""
        at = {(c["q"], c["r"]): i for i, c in enumerate(cells)}
        self.at, self.count = at, len(at)  # the number count stands for a cell that is not there
        steps = list(hexarena.DIRECTIONS.values())
        span = range(-RADIUS, RADIUS + 1)
        window = [(q, r) for q in span for r in span if abs(q + r) <= RADIUS]
        self.near = np.array([[at.get((q + dq, r + dr), self.count) for dq, dr in window]
                              for q, r in at])
        self.rays = np.full((self.count, 6, REACH), self.count)
        for (q, r), i in at.items():
            for d, (dq, dr) in enumerate(steps):
                for k in range(REACH):
                    to = at.get((q + (k + 1) * dq, r + (k + 1) * dr))
                    if to is None:
                        break
                    self.rays[i, d, k] = to
        places = np.array(list(at))
        self.low = places.min(0)
        self.index = np.zeros(places.max(0) - self.low + 1, int)
        self.index[tuple((places - self.low).T)] = np.arange(self.count)

    def danger(self, cells):
        """Returns for cells (N, count, 6) how soon each explodes: 1 over the delay, 0 for never."""
        soon = np.zeros((len(cells), self.count + 1), "f4")
        match, cell = np.nonzero(cells[:, :, 3])
        if len(match):
            value = 1 / np.maximum(cells[match, cell, 2], 1).astype("f4")
            np.maximum.at(soon, (match, cell), value)
            for k in range(REACH):
                far = cells[match, cell, 3] > k
                np.maximum.at(soon, (match[far, None], self.rays[cell[far], :, k]),
                              value[far, None])
        soon[:, self.count] = 0
        return soon

    def features(self, cells, characters, seats):
        """Returns what each character sees, float32 (N, S, C, F), with the seat's own colour.

        cells is (N, count, 6) and characters (N, S, C, 6), as in hexarena_env.Arrays, with the
        characters of seats (S,) alone. A character sees five figures of each cell near it: it
        exists, is its own colour, is another's, is in the way, and how soon it explodes.
        """
        colour = cells[:, None, :, 0]
        own = colour == np.asarray(seats)[None, :, None] + 1
        planes = np.zeros((len(cells), len(seats), self.count + 1, 5), "f4")
        planes[:, :, :-1, 0] = 1
        planes[:, :, :-1, 1] = own
        planes[:, :, :-1, 2] = (colour > 0) & ~own
        planes[:, :, :-1, 3] = (cells[:, None, :, 4] > 0) | (cells[:, None, :, 3] > 0)
        planes[:, :, :, 4] = self.danger(cells)[:, None]
        where = self.near[self.index[characters[..., 0] - self.low[0],
                                     characters[..., 1] - self.low[1]]]
        n, s = np.ogrid[:len(cells), :len(seats)]
        seen = planes[n[..., None, None], s[..., None, None], where]
        seen = seen.reshape(characters.shape[:3] + (-1,))
        return np.concatenate([seen, characters[..., 4:5] / np.float32(2)], -1, dtype="f4")


def forward(layers, x):
    """Returns the outputs of each layer: the last are a logit for each action, and the value."""
    outputs = [x]
    for i, (weight, bias) in enumerate(layers):
        x = x @ weight + bias
        outputs.append(np.tanh(x) if i < len(layers) - 1 else x)
        x = outputs[-1]
    return outputs


def probabilities(logits, mask):
    """Returns the probability of each action: 0 where the mask is."""
    z = np.where(mask, logits, -np.inf)
    e = np.exp(z - z.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def draw(p, rng):
    """Returns an action for each row of probabilities."""
    return (p.cumsum(-1) > rng.random(p.shape[:-1] + (1,)) * 0.999999).argmax(-1)


def save(layers, path=FILE):
    np.savez(path, **{"%s%d" % (k, i): a for i, pair in enumerate(layers)
                      for k, a in zip("wb", pair)})


def load(path=FILE):
    with np.load(path) as file:
        return [(file["w%d" % i], file["b%d" % i]) for i in range(len(file.files) // 2)]


def read(board, state, player, ghosts=False):
    """Returns the cells, the player's characters and their mask of a state, as Arrays has them."""
    cells = np.zeros((1, board.count, 6), "u1")
    for c in state["cells"]:
        cells[0, board.at[c["q"], c["r"]], 0] = c["color"]
    for b in state["bombs"]:
        cells[0, board.at[b["q"], b["r"]], 1:4] = b["color"], b["delay"], min(b["range"], 255)
    for c in state["characters"]:
        if c["alive"]:
            cells[0, board.at[c["q"], c["r"]], 4] = c["id"] + 1
    mine = [c for c in state["characters"] if c["color"] == player + 1]
    characters = np.array([[[[
        c["q"], c["r"], c["alive"], c["revive_delay"], c.get("bomb_count", 1), c["color"]]
        for c in mine]]], "i4")
    mask = np.zeros((1, 1, len(mine), CODES), "i1")
    mask[..., 0] = 1
    for m, c in zip(mask[0, 0], mine):
        here = board.at[c["q"], c["r"]]
        free = cells[0, here, 3] == 0
        if c["alive"]:
            for d in range(6):
                to = board.rays[here, d, 0]
                m[1 + d] = to < board.count and cells[0, to, 3] == 0
            m[7:16] = free and c.get("bomb_count", 1) > 0
        else:
            m[16] = c["revive_delay"] == 0 and free and not ghosts
    return cells, characters, mask


def action(character, code):
    """Returns the action of a code in JSON, None to stay."""
    name = {"id": character["id"]}
    if 1 <= code <= 6:
        return {**name, "movement": "move", "direction": DIRECTIONS[code - 1]}
    if 7 <= code <= 15:
        reach, delay = BOMBS[code - 7]
        return {**name, "movement": "bomb", "bomb_range": reach, "bomb_delay": delay}
    if code == REVIVE:
        return {**name, "movement": "revive", "revive_q": character["q"],
                "revive_r": character["r"]}
    return None


class Trained(hexarena.Bot):
    """Draws what each character does from the policy."""

    def __init__(self, match):
        super().__init__(match)
        self.layers = load()
        self.board = Board(match.initial_game_state["cells"])
        self.rng = np.random.default_rng(match.random.getrandbits(32))

    def turn(self, state):
        me = self.match.player_id
        cells, characters, mask = read(self.board, state, me, self.match.nb_special_players > 0)
        x = self.board.features(cells, characters, [me])
        codes = draw(probabilities(forward(self.layers, x)[-1][..., :CODES], mask), self.rng)
        mine = [c for c in state["characters"] if c["color"] == me + 1]
        return [a for a in map(action, mine, codes[0, 0].tolist()) if a]


if __name__ == "__main__":
    if not os.path.exists(FILE):
        raise SystemExit("%s is not there: python3 train.py writes it" % FILE)
    hexarena.run(Trained)
