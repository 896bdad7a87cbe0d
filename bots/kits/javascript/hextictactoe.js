// SPDX-License-Identifier: Apache-2.0
// A bot for hexagonal tic-tac-toe: it looks at the rows that can still be completed. Change best().
const { run, key, neighbour, distance, DIRECTIONS } = require("./hexarena.js");

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
      const cell = this.best(board, 2 - pieces.length, state.win_distance, state.view_distance);
      board.set(key(cell), { ...cell, p: this.side });
      pieces.push(cell);
    }
    return [{ pieces }];
  }

  // Returns the best cell for the next of the pieces that I have left: that with the most and longest rows.
  best(board, left, win, view) {
    const worth = new Map();
    for (const { side, length, empty } of rows(board, win)) {
      let value = 4 ** length;
      if (side === this.side && empty.length <= left) value = 1e9; // it wins now
      else if (side !== this.side && empty.length <= 2) value *= 1000; // stop it
      for (const cell of empty) {
        const sum = worth.get(key(cell))?.value ?? 0;
        worth.set(key(cell), { cell, value: sum + value });
      }
    }
    // A piece is placed at most view steps from another one.
    const all = [...board.values()];
    const near = ({ cell }) => view >= win || all.some((piece) => distance(cell, piece) <= view);
    let choices = [...worth.values()].filter(near);
    if (choices.length === 0) { // no row can be completed: play next to a piece
      const around = all.flatMap((piece) => Object.keys(DIRECTIONS).map((direction) => neighbour(piece, direction)));
      choices = around.filter((cell) => !board.has(key(cell))).map((cell) => ({ cell, value: 0 }));
    }
    const most = Math.max(...choices.map((choice) => choice.value));
    const equal = choices.filter((choice) => choice.value === most);
    return equal[Math.floor(equal.length * this.match.random())].cell;
  }
}

// Returns the rows of win cells that only one side has pieces in: the side, how many, and the empty cells.
function rows(board, win) {
  const found = new Map(); // by the first cell and the line
  for (const piece of board.values()) {
    for (const line of ["x+", "y+", "z+"]) {
      const [dq, dr] = DIRECTIONS[line];
      const along = (start, steps) => ({ q: start.q + steps * dq, r: start.r + steps * dr });
      for (let back = 0; back < win; back++) {
        const start = along(piece, -back);
        const name = `${line} ${key(start)}`;
        if (found.has(name)) continue;
        const cells = Array.from({ length: win }, (_, i) => along(start, i));
        const sides = new Set(cells.map((cell) => board.get(key(cell))?.p).filter(Boolean));
        const empty = cells.filter((cell) => !board.has(key(cell)));
        found.set(name, { side: piece.p, length: win - empty.length, empty, open: sides.size === 1 });
      }
    }
  }
  return [...found.values()].filter((row) => row.open);
}

run(Bot);
