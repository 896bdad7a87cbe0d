// SPDX-License-Identifier: Apache-2.0
// A bot for hexagonal tic-tac-toe: it completes rows, and blocks those of the other side. Change worth().
const { run, key, rows, near } = require("./hexarena.js");

class Bot {
  constructor(match) {
    this.match = match; // match.random(), match.timeLeft(), match.debug, ...
    this.side = "xo"[match.playerId];
  }

  // Called once a turn. Returns one move, which is two pieces, or nothing if it is not my turn.
  turn(state) {
    if (state.to_move !== this.side) return [];
    const board = new Map(state.board.cells.map((piece) => [key(piece), piece]));
    const pieces = [];
    while (pieces.length < 2) {
      const cells = near(board, state.view_distance);
      const worth = new Map(cells.map((cell) => [key(cell), 0]));
      for (const row of rows(board, state.win_distance)) {
        for (const cell of row.empty) worth.set(key(cell), worth.get(key(cell)) + this.worth(row, 2 - pieces.length));
      }
      const most = Math.max(...cells.map((cell) => worth.get(key(cell))));
      const best = cells.filter((cell) => worth.get(key(cell)) === most);
      const cell = best[Math.floor(best.length * this.match.random())];
      board.set(key(cell), { ...cell, p: this.side });
      pieces.push(cell);
    }
    return [{ pieces }];
  }

  // Returns what a piece in a row is worth while that many are left.
  worth(row, left) {
    if (row.side === this.side && row.empty.length <= left) return 1e9; // it wins now
    if (row.side !== this.side && row.empty.length <= 2) return 1000 * 4 ** row.pieces; // stop it
    return 4 ** row.pieces;
  }
}

module.exports = { Bot }; // for its tests
if (require.main === module) run(Bot);
