// SPDX-License-Identifier: Apache-2.0
// A bot for hexabomb that looks ahead: it tries bombs out, and drops those that pay.
const { run, blast, firstStep, key, minus, neighbour, Simulator } = require("./hexarena.js");

const TURNS = 5; // that it looks ahead: the turn of a bomb, and its longest delay
const GAIN = 8; // cells that a bomb must gain: it may gain more in a later turn
const LIFE = 8; // cells that a character is worth: while it is dead, it paints none for some turns

class Bot {
  constructor(match) {
    this.match = match; // match.random(), match.timeLeft(), match.debug, ...
    this.color = match.playerId + 1;
    this.simulator = new Simulator(match);
  }

  // Called once a turn. Resolves to at most one action for each of my characters.
  async turn(state) {
    await this.simulator.load();
    await this.simulator.save("now");
    let bombs = [];
    let best = this.walk(state);
    let most = await this.worth(best);
    for (const { q, r } of state.characters.filter((c) => c.color === this.color && c.alive && c.bomb_count !== 0)) {
      const before = bombs;
      for (const delay of [2, 3, 4]) {
        if (this.match.timeLeft() < 100) return best; // milliseconds
        const tried = [...before, { range: 4, delay, q, r }];
        const actions = this.walk(state, tried);
        const worth = await this.worth(actions);
        if (worth >= most + GAIN) [best, bombs, most] = [actions, tried, worth];
      }
    }
    this.match.debug.values["lead in five turns"] = most;
    return best;
  }

  // Resolves to my lead after some turns, in which I act like this and then walk, and others stand.
  async worth(actions) {
    const me = this.match.playerId;
    await this.simulator.restore("now");
    let state;
    for (let i = 0; i < TURNS && !(i > 0 && this.simulator.over); i++) {
      await this.simulator.step(this.simulator.score.map((_, player) => (player === me ? actions : [])));
      state = await this.simulator.state();
      actions = this.walk(state);
    }
    const { [me]: mine, ...others } = state.cell_count;
    const lives = state.characters.filter((c) => c.alive).map((c) => (c.color === this.color ? LIFE : -LIFE));
    return lives.reduce((sum, life) => sum + life, mine - Math.max(0, ...Object.values(others)));
  }

  // Returns actions that drop my bombs and lead the others out of danger, or to cells that are not mine.
  walk({ cells, characters, bombs }, mine = []) {
    const board = new Set(cells.map(key));
    const goals = new Set(cells.filter((cell) => cell.color !== this.color).map(key));
    const closed = new Set([...characters.filter((c) => c.alive), ...bombs].map(key));
    const danger = new Set([...bombs, ...mine].flatMap((bomb) => [...blast(bomb, bomb.range, board)]));
    const actions = [];
    for (const me of characters.filter((c) => c.color === this.color)) {
      const free = minus(board, closed);
      const safe = minus(free, danger);
      const bomb = mine.find((one) => key(one) === key(me));
      if (me.alive && bomb) {
        actions.push({ id: me.id, movement: "bomb", bomb_range: bomb.range, bomb_delay: bomb.delay });
      } else if (me.alive) {
        const direction = danger.has(key(me)) ? firstStep(me, free, safe) : firstStep(me, safe, goals);
        if (!direction) continue;
        actions.push({ id: me.id, movement: "move", direction });
        closed.add(key(neighbour(me, direction)));
      } else if (me.revive_delay === 0 && !this.match.nbSpecialPlayers) {
        actions.push({ id: me.id, movement: "revive", revive_q: me.q, revive_r: me.r }); // the draft rules want a cell
      }
    }
    return actions;
  }

  end(state) {
    this.simulator.close();
    console.log(`I was player ${this.match.playerId}. The scores:`, state.score);
  }
}

module.exports = { Bot }; // for its tests
if (require.main === module) run(Bot);
