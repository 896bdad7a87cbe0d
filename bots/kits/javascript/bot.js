// SPDX-License-Identifier: Apache-2.0
// A bot for hexabomb: it paints cells, drops bombs and stays out of their reach. Change turn().
const { run, blast, firstStep, key, minus, neighbour } = require("./hexarena.js");

class Bot {
  constructor(match) {
    this.match = match; // match.random(), match.timeLeft(), match.debug, ...
    this.color = match.playerId + 1;
  }

  // Called once a turn. Returns at most one action for each of my characters.
  turn({ cells, characters, bombs }) {
    const board = new Set(cells.map(key));
    const goals = new Set(cells.filter((cell) => cell.color !== this.color).map(key));
    const closed = new Set([...characters.filter((c) => c.alive), ...bombs].map(key));
    const danger = new Set(bombs.flatMap((bomb) => [...blast(bomb, bomb.range, board)]));
    const actions = [];
    for (const me of characters.filter((c) => c.color === this.color)) {
      const free = minus(board, closed);
      const safe = minus(free, danger);
      const reach = blast(me, 3, board);
      const paints = [...reach].filter((cell) => goals.has(cell)).length;
      if (!me.alive) {
        if (me.revive_delay === 0 && !this.match.nbSpecialPlayers) {
          actions.push({ id: me.id, movement: "revive", revive_q: me.q, revive_r: me.r }); // the draft rules want a cell
        }
      } else if (me.bomb_count !== 0 && paints >= 6 && !danger.has(key(me)) && firstStep(me, free, minus(safe, reach), 2)) {
        actions.push({ id: me.id, movement: "bomb", bomb_range: 3, bomb_delay: 3 }); // I can leave its reach in two steps
        for (const cell of reach) danger.add(cell);
      } else { // get out of danger; otherwise walk to the nearest cell that is not mine
        const direction = danger.has(key(me)) ? firstStep(me, free, safe) : firstStep(me, safe, goals);
        if (!direction) continue;
        actions.push({ id: me.id, movement: "move", direction });
        closed.add(key(neighbour(me, direction)));
      }
    }
    this.match.debug.values.danger = danger.size;
    return actions;
  }

  end(state) {
    console.log(`I was player ${this.match.playerId}. The scores:`, state.score);
  }
}

module.exports = { Bot }; // for its tests
if (require.main === module) run(Bot);
