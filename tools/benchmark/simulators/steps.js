// Plays turns of a simulator: a hundred times two rounds of all characters about a cell.
const { run, DIRECTIONS, Simulator } = require("./hexarena.js");

class Steps {
  constructor(match) {
    this.simulator = new Simulator(match);
    this.saved = this.simulator.save("start");
  }

  async turn({ characters, score }) {
    const walks = Object.keys(DIRECTIONS).map((direction) => Object.keys(score).map((p) => characters
      .filter((c) => c.color === Number(p) + 1).map(({ id }) => ({ id, movement: "move", direction }))));
    await this.saved;
    for (let i = 0; i < 100; i++) {
      let last = this.simulator.restore("start");
      for (const walk of [...walks, ...walks]) last = this.simulator.step(walk);
      await last;
    }
    return [];
  }
}

run(Steps);
