// SPDX-License-Identifier: Apache-2.0
// The bot of the vectors: it prints each call as a line of JSON on standard error. See ../vectors/README.md.
const { run, Simulator, testMatch } = require("./hexarena.js");

class Vectors {
  constructor(match) {
    this.match = match;
    report("start", {
      player_id: match.playerId,
      nb_players: match.nbPlayers,
      nb_special_players: match.nbSpecialPlayers,
      nb_turns_max: match.nbTurnsMax,
      milliseconds_before_first_turn: match.millisecondsBeforeFirstTurn,
      milliseconds_between_turns: match.millisecondsBetweenTurns,
      infos: match.playersInfo.length,
      match: match.number ?? null,
      seed: match.seed ?? null,
      draw: match.random(),
      digest: digest(match.initialGameState),
    });
  }

  async turn(state) {
    const { match } = this;
    const limited = match.timeLeft() < Infinity;
    report("turn", { number: match.turnNumber, infos: match.playersInfo.length, limited, digest: digest(state) });
    if (state?.print !== undefined) console.log(state.print);
    if (state?.fail !== undefined) throw new Error(state.fail);
    const { nan = [], ...debug } = state?.debug ?? {};
    Object.assign(match.debug, debug);
    for (const name of nan) match.debug.values[name] = NaN;
    if (state?.simulate) await simulate(new Simulator(match), state.simulate);
    if (state?.drawn) await draw(state.drawn);
    return [{ echo: match.turnNumber }];
  }

  end(state, winner) {
    report("end", { winner, digest: digest(state) });
  }
}

// Makes requests, and reports the position after each, or the mistake.
async function simulate(simulator, requests) {
  for (const request of requests) {
    const [[name, value]] = Object.entries(request);
    try {
      await simulator[name](value);
      const { turn, over, winner, score } = simulator;
      report("simulate", { turn, over, winner, score, digest: digest(await simulator.state()) });
    } catch ({ message }) {
      report("simulate", { error: message });
    }
  }
  simulator.close();
}

// Reports the numbers in a match that is drawn, in an order.
async function draw({ drawing, player_id: playerId, seed, bombs }) {
  const { match, state } = testMatch(drawing, { playerId, seed, bombs });
  const simulator = new Simulator(match);
  await simulator.load();
  const numbers = [match.playerId, match.nbPlayers, match.turnNumber, match.seed];
  for (const { q, r, color } of state.cells) numbers.push(q, r, color);
  for (const { id, color, q, r, bomb_count } of state.characters) numbers.push(id, color, q, r, bomb_count);
  for (const { color, range, delay, q, r } of state.bombs) numbers.push(color, range, delay, q, r);
  report("drawn", { numbers, score: simulator.score });
  simulator.close();
}

function report(call, fields) {
  console.error(JSON.stringify({ call, ...fields }));
}

const utf8 = new TextEncoder();

// Returns the FNV-1a hash of a state. The stack is an array, because states are deep; what is in it is a value, or
// text that ends one.
function digest(state) {
  let hash = 2166136261;
  const add = (bytes) => {
    for (const byte of bytes) hash = Math.imul(hash ^ byte, 16777619);
  };
  const text = (string) => add(utf8.encode(string));
  const stack = [{ value: state }];
  while (stack.length > 0) {
    const { value, end } = stack.pop();
    if (end) {
      text(end);
    } else if (typeof value === "string") {
      text(`s${value}`);
      add([0xff]);
    } else if (typeof value === "number") {
      const bytes = new Uint8Array(8);
      new DataView(bytes.buffer).setFloat64(0, value);
      text("d");
      add(bytes);
    } else if (value === null || typeof value === "boolean") {
      text(String(value)[0]);
    } else if (Array.isArray(value)) {
      text("[");
      stack.push({ end: "]" });
      for (let i = value.length - 1; i >= 0; i--) stack.push({ value: value[i] });
    } else {
      text("{");
      stack.push({ end: "}" });
      for (const name of Object.keys(value).sort(byCodePoints).reverse()) stack.push({ value: value[name] }, { value: name });
    }
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}

// Orders strings as their UTF-8 is ordered, which differs from the order of UTF-16 in JavaScript.
function byCodePoints(a, b) {
  const [x, y] = [[...a], [...b]];
  const i = x.findIndex((c, at) => c !== y[at]);
  if (i < 0 || y[i] === undefined) return x.length - y.length;
  return x[i].codePointAt(0) - y[i].codePointAt(0);
}

run(Vectors);
