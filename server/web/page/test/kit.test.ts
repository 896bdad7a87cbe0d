import assert from "node:assert/strict";
import test from "node:test";
import {
  blast,
  distance,
  firstStep,
  key,
  minus,
  neighbour,
  ray,
  Session,
} from "../../../../bots/kits/javascript/hexarena.js";

/** Returns the keys of all cells within a distance of the origin. */
function hexagon(radius: number): Set<string> {
  const cells = new Set<string>();
  for (let q = -radius; q <= radius; q++) {
    for (let r = -radius; r <= radius; r++)
      if (distance({ q, r }, origin) <= radius) cells.add(key({ q, r }));
  }
  return cells;
}

const origin = { q: 0, r: 0 };

/** Returns a GAME_STARTS. */
function starts(more: object = {}): object {
  return {
    message_type: "GAME_STARTS",
    player_id: 0,
    initial_game_state: {},
    players_info: [],
    ...more,
  };
}

function turn(turn_number: number, game_state: object = {}): object {
  return { message_type: "TURN", turn_number, game_state, players_info: [] };
}

test("distances and rays follow the grid", () => {
  assert.equal(hexagon(3).size, 37);
  assert.deepEqual(neighbour({ q: 2, r: 1 }, "y-"), { q: 1, r: 2 });
  assert.equal(distance({ q: 2, r: -3 }, { q: -1, r: 1 }), 4);
  assert.deepEqual(ray(origin, "z+", 9, hexagon(2)), [
    { q: 0, r: -1 },
    { q: 0, r: -2 },
  ]);
  assert.deepEqual(ray(origin, "x-", 1, hexagon(2)), [{ q: -1, r: 0 }]);
  const holed = hexagon(3);
  holed.delete("1,0");
  assert.deepEqual(ray(origin, "x+", 3, holed), []);
});

test("a bomb covers its cell and six lines up to the edge of the board", () => {
  const holed = minus(hexagon(3), new Set(["1,0", "3,-3"]));
  assert.equal(holed.size, 35);
  assert.deepEqual([...blast(origin, 2, holed)].sort(), [
    "-1,0",
    "-1,1",
    "-2,0",
    "-2,2",
    "0,-1",
    "0,-2",
    "0,0",
    "0,1",
    "0,2",
    "1,-1",
    "2,-2",
  ]);
});

test("the first step leads to the nearest goal over free cells", () => {
  const free = hexagon(3);
  assert.equal(firstStep(origin, free, new Set(["2,-2", "-3,0"])), "y+");
  assert.equal(firstStep(origin, free, new Set(["3,0"]), 2), null);
  assert.equal(firstStep(origin, free, new Set(["3,0"]), 3), "x+");
  assert.equal(firstStep(origin, free, new Set(["0,0"])), null, "the start is no goal");
  assert.equal(firstStep(origin, free, new Set(["4,0"])), null, "a goal has to be free");
  for (const closed of ["1,0", "1,-1", "0,-1"]) free.delete(closed);
  assert.equal(firstStep(origin, free, new Set(["2,-1"])), "z-");
});

test("a session makes a bot for each match, waits for its answers, and hands out equal random numbers for equal seeds", async () => {
  const drawn: number[] = [];
  const called: string[] = [];
  class Bot {
    constructor(readonly match: { random(): number }) {
      drawn.push(match.random());
    }
    async turn(state: { wait?: Promise<void> }) {
      await state.wait;
      called.push("turn");
      return [1];
    }
    end() {
      called.push("end");
    }
  }
  const session = new Session(Bot, { seed: 5 });
  await session.receive(starts({ match: 1, seed: 5 }));
  await session.receive(starts({ match: 1, seed: 5 })); // the client has reconnected
  assert.deepEqual(await session.receive(turn(3)), {
    message_type: "TURN_ACK",
    turn_number: 3,
    actions: [1],
    debug: undefined,
  });
  await session.receive({ message_type: "GAME_ENDS", game_state: {}, winner_player_id: -1 });
  assert.equal(session.finished, true);
  await session.receive(starts({ match: 2, seed: 6 }));
  assert.equal(session.finished, false);
  await session.receive(starts());
  assert.deepEqual(called, ["turn", "end"]);
  assert.equal(drawn.length, 3);
  assert.equal(drawn[0], drawn[2]);
  assert.notEqual(drawn[0], drawn[1]);
});

test("random numbers are spread evenly", async () => {
  const counts = Array.from({ length: 10 }, () => 0);
  class Bot {
    constructor(match: { random(): number }) {
      for (let i = 0; i < 10_000; i++) counts[Math.floor(10 * match.random())]++;
    }
    turn() {
      return [];
    }
  }
  await new Session(Bot).receive(starts({ seed: 1 }));
  for (const count of counts) assert.ok(count > 850 && count < 1150, String(counts));
});
