// SPDX-License-Identifier: Apache-2.0
// The bot of the vectors: it prints each call as a line of JSON on standard error. See ../vectors/README.md.
const { run } = require("./hexarena.js");

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

  turn(state) {
    const { match } = this;
    const limited = match.timeLeft() < Infinity;
    report("turn", { number: match.turnNumber, infos: match.playersInfo.length, limited, digest: digest(state) });
    if (state?.print !== undefined) console.log(state.print);
    if (state?.fail !== undefined) throw new Error(state.fail);
    const { nan = [], ...debug } = state?.debug ?? {};
    Object.assign(match.debug, debug);
    for (const name of nan) match.debug.values[name] = NaN;
    return [{ echo: match.turnNumber }];
  }

  end(state, winner) {
    report("end", { winner, digest: digest(state) });
  }
}

function report(call, fields) {
  process.stderr.write(`${JSON.stringify({ call, ...fields })}\n`);
}

// Returns the FNV-1a hash of a state.
function digest(state) {
  let hash = 2166136261;
  for (const part of parts(state)) {
    for (const byte of part) hash = Math.imul(hash ^ byte, 16777619);
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}

// Yields the bytes that the hash of a value is computed from. The stack is an array, because states are deep.
function* parts(state) {
  const stack = [state];
  while (stack.length > 0) {
    const value = stack.pop();
    if (Buffer.isBuffer(value)) {
      yield value;
    } else if (typeof value === "string") {
      yield Buffer.from(`s${value}`);
      yield Buffer.of(0xff);
    } else if (typeof value === "number") {
      const bytes = Buffer.alloc(9, "d");
      bytes.writeDoubleBE(value, 1);
      yield bytes;
    } else if (value === null || typeof value === "boolean") {
      yield Buffer.from(String(value)[0]);
    } else if (Array.isArray(value)) {
      stack.push(Buffer.from("]"));
      for (const item of value.toReversed()) stack.push(item);
      stack.push(Buffer.from("["));
    } else {
      stack.push(Buffer.from("}"));
      const names = Object.keys(value).sort((a, b) => Buffer.compare(Buffer.from(b), Buffer.from(a)));
      for (const name of names) stack.push(value[name], name);
      stack.push(Buffer.from("{"));
    }
  }
}

run(Vectors);
