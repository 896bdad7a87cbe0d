// A bot for the game of logic.js: it claims any free cell. Change turn() and play.
//
//     hexarena play --game external --logic logic.js claimer.js claimer.js
"use strict";

const { run } = require("./hexarena.js");

class Claimer {
  constructor(match) {
    this.match = match;
  }

  // Returns the number of a free cell.
  turn(state) {
    const free = state.cells.flatMap(({ owner }, number) => (owner < 0 ? [number] : []));
    return free.length > 0 ? [{ claim: free[Math.floor(this.match.random() * free.length)] }] : [];
  }
}

run(Claimer);
