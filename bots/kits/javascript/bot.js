// SPDX-License-Identifier: Apache-2.0
// A bot for hexabomb: it paints cells, drops bombs and stays out of their reach. Change turn().
const { run, DIRECTIONS, key, neighbour, ray, firstStep } = require("./hexarena.js");

class Bot {
  constructor(match) {
    this.match = match; // match.random(), match.timeLeft(), match.debug, ...
    this.color = match.playerId + 1;
  }

  // Called once a turn. Returns at most one action for each of my characters.
  turn(state) {
    const board = new Set(state.cells.map(key));
    const goals = new Set(state.cells.filter((cell) => cell.color !== this.color).map(key));
    const living = state.characters.filter((character) => character.alive);
    const closed = new Set([...living, ...state.bombs].map(key));
    const danger = new Set(state.bombs.flatMap((bomb) => blast(bomb, bomb.range, board)));
    const actions = [];
    for (const me of state.characters) {
      if (me.color !== this.color) continue; // another player's
      const free = minus(board, closed);
      const safe = minus(free, danger);
      if (!me.alive) {
        if (me.revive_delay === 0 && !this.match.nbSpecialPlayers) actions.push({ id: me.id, movement: "revive" });
        continue;
      }
      // Drop a bomb where it paints many cells, if I can leave its reach in two steps.
      const reach = new Set(blast(me, 3, board));
      const paints = [...reach].filter((cell) => goals.has(cell)).length;
      if (me.bomb_count > 0 && paints >= 6 && !danger.has(key(me)) && firstStep(me, free, minus(safe, reach), 2)) {
        actions.push({ id: me.id, movement: "bomb", bomb_range: 3, bomb_delay: 3 });
        for (const cell of reach) danger.add(cell);
        continue;
      }
      // Get out of danger; otherwise walk to the nearest cell that is not mine.
      const direction = danger.has(key(me)) ? firstStep(me, free, safe) : firstStep(me, safe, goals);
      if (!direction) continue;
      actions.push({ id: me.id, movement: "move", direction });
      closed.add(key(neighbour(me, direction)));
    }
    this.match.debug.values.danger = danger.size;
    return actions;
  }

  end(state) {
    console.log(`I was player ${this.match.playerId}. The scores:`, state.score);
  }
}

// Returns the keys of the cells that a bomb covers: its own, and six lines up to the edge of the board.
function blast(bomb, range, board) {
  return [key(bomb), ...Object.keys(DIRECTIONS).flatMap((direction) => ray(bomb, direction, range, board).map(key))];
}

// Returns the members of a set that another one does not have.
function minus(set, other) {
  return new Set([...set].filter((member) => !other.has(member)));
}

run(Bot);
