#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A bot for hexagonal tic-tac-toe: change move() and play.

    hexarena play --game hextictactoe FILE nearest
    python3 FILE [HOST [PORT]]                      (--help lists the options)
"""
from typing import Dict, Iterator, List, Set, Tuple

import hexarena
from hexarena import Hex, Placement, Side, TicTacToeState, distance, neighbours

LINES = [(1, 0), (0, 1), (1, -1)]  # the directions of rows
WORTH = 4  # how many times a row is worth more with one more piece
URGENT = 1000  # a row that the other side could complete with its next move

Board = Dict[Hex, Side]


class MyBot(hexarena.Bot):
    """Completes rows, and blocks those of the other side."""

    def turn(self, state: TicTacToeState) -> List[Placement]:
        """Return a list with one move, or [] if it is not our turn."""
        side: Side = "x" if self.match.player_id == 0 else "o"
        if state["to_move"] != side:
            return []
        board: Board = {(c["q"], c["r"]): c["p"] for c in state["board"]["cells"]}
        win, view = state["win_distance"], state["view_distance"]
        longest = {"x": 0, "o": 0}  # pieces in the best row that can still be completed
        for whose, pieces, _ in rows(board, win):
            longest[whose] = max(longest[whose], pieces)
        self.match.debug.values.update({"best row of " + whose: n for whose, n in longest.items()})
        return [{"pieces": [{"q": q, "r": r} for q, r in self.move(board, side, win, view)]}]

    def move(self, board: Board, side: Side, win: int, view: int) -> List[Hex]:
        """Return the cells of a move: always two, one after the other."""
        board, placed = dict(board), []
        while len(placed) < 2:
            worth: Dict[Hex, int] = {}
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
            best = self.match.random.choice(sorted(cell for cell, w in allowed.items() if w == most))
            board[best] = side
            placed.append(best)
        return placed

    def end(self, state: TicTacToeState, winner: int) -> None:
        """Print the result."""
        print(f"The match is over. I was player {self.match.player_id}, the result is: {state['reason']}")


def rows(board: Board, win: int) -> Iterator[Tuple[Side, int, List[Hex]]]:
    """Yield each row of win cells that only one side has pieces in: the side,
    the number of its pieces, and the empty cells."""
    seen: Set[Tuple[Hex, int, int]] = set()
    for q, r in board:
        for dq, dr in LINES:
            for back in range(win):
                start = (q - back * dq, r - back * dr)
                if (start, dq, dr) in seen:
                    continue
                seen.add((start, dq, dr))
                cells = [(start[0] + k * dq, start[1] + k * dr) for k in range(win)]
                sides: Set[Side] = {board[c] for c in cells if c in board}
                if len(sides) == 1:
                    empty = [c for c in cells if c not in board]
                    yield sides.pop(), win - len(empty), empty


def near(cell: Hex, board: Board, view: int) -> bool:
    """Report whether a cell is near enough to some piece to be played."""
    return any(distance(cell, piece) <= view for piece in board)


if __name__ == "__main__":
    hexarena.run(MyBot)
