#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A bot for hexagonal tic-tac-toe: change worth() and play.

    hexarena play --game hextictactoe FILE nearest
    python3 FILE [HOST [PORT]]                      (--help lists the options)
"""
from typing import Dict, List

import hexarena
from hexarena import Hex, Placement, Row, Side, TicTacToeState, near, rows


class MyBot(hexarena.Bot):
    """Completes rows, and blocks those of the other side."""

    def turn(self, state: TicTacToeState) -> List[Placement]:
        """Return a list with one move, which is two pieces, or [] if it is not my turn."""
        me: Side = "x" if self.match.player_id == 0 else "o"
        if state["to_move"] != me:
            return []
        board: Dict[Hex, Side] = {(c["q"], c["r"]): c["p"] for c in state["board"]["cells"]}
        placed: List[Hex] = []
        while len(placed) < 2:
            worth = dict.fromkeys(near(board, state["view_distance"]), 0)
            for row in rows(board, state["win_distance"]):
                for cell in worth.keys() & row.empty:
                    worth[cell] += self.worth(row, me, 2 - len(placed))
            most = max(worth.values())
            best = [cell for cell in sorted(worth) if worth[cell] == most]
            placed.append(self.match.random.choice(best))
            board[placed[-1]] = me
        return [{"pieces": [{"q": q, "r": r} for q, r in placed]}]

    def worth(self, row: Row, me: Side, left: int) -> int:
        """Return what a piece in a row is worth while that many are left."""
        if row.side == me and len(row.empty) <= left:
            return 10 ** 9  # it wins now
        if row.side != me and len(row.empty) <= 2:
            return 1000 * 4 ** row.pieces  # stop it
        return 4 ** row.pieces


if __name__ == "__main__":
    hexarena.run(MyBot)
