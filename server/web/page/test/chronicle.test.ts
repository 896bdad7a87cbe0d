import assert from "node:assert/strict";
import { test } from "node:test";
import type { Store } from "../src/core/store.ts";
import { schedule } from "../src/games/hexabomb/motion.ts";
import { shares } from "../src/games/hexabomb/rail.tsx";
import * as standing from "../src/games/hexabomb/standing.ts";
import type { State } from "../src/games/hexabomb/state.ts";
import * as reason from "../src/games/hexabomb/why.ts";
import { bomb, character, emptyStore, HOMES, play, start, storyOf, told, turn } from "./match.ts";

const standings = (store: Store, turn: number) => standing.standings(storyOf(store), turn);
const why = (store: Store, player: number, turn: number) =>
  reason.why(storyOf(store), player, turn);

const CENTRE = { q: 0, r: 0 };
const EAST = { q: 2, r: 0 };
const FAR_EAST = { q: 3, r: 0 };

/** Returns a match with three bombs in a row. The middle one is dropped in the turn in which it is set off. */
function chain() {
  return play(
    turn(1, {
      bombs: [bomb(1, { q: -1, r: 0 }, 2), bomb(2, EAST, 4)],
      characters: [character(0, 1, CENTRE)],
    }),
    turn(2, { bombs: [bomb(1, { q: -1, r: 0 }, 1), bomb(2, EAST, 3)] }),
    turn(
      3,
      {
        bombs: [],
        explosions: { 1: [CENTRE] },
        characters: [
          character(0, 1, CENTRE, { alive: false, revive_delay: 3 }),
          character(2, 2, FAR_EAST, { alive: false, revive_delay: 3 }),
        ],
      },
      {
        answers: [
          {
            player: 0,
            ms: 3,
            actions: [{ id: 0, movement: "bomb", bomb_range: 2, bomb_delay: 4 }],
          },
        ],
      },
    ),
  );
}

test("a chain is found with the link of each bomb", () => {
  const store = chain();
  const links = storyOf(store)
    .blasts(3)
    .map((b) => [storyOf(store).grid.q[b.cell], b.link, b.color]);
  assert.deepEqual(links, [
    [-1, 0, 1],
    [0, 1, 1],
    [2, 2, 2],
  ]);
  assert.equal(
    new Set(
      storyOf(store)
        .blasts(3)
        .map((b) => b.chain),
    ).size,
    1,
  );
});

test("a chain and its deaths are events, with the players who caused them", () => {
  const events = told(chain());
  assert.ok(
    events.some((e) => /^3 ada chain of 3 bombs, \d+ cells$/.test(e)),
    events.join("; "),
  );
  assert.ok(events.includes("3 ada lost #0, to its own bomb"));
  assert.ok(events.includes("3 bob lost #2, to its own bomb"));
});

test("explosions are found in states without them, and characters have no number of bombs", () => {
  const store = emptyStore();
  const state = start().state as State;
  delete state.explosions;
  for (const c of state.characters) delete c.bomb_count;
  store.append(start({ rules: "hexabomb-draft/1", state }));
  store.append(turn(1, { bombs: [bomb(1, CENTRE, 1)] }));
  store.append(turn(2, { bombs: [], cells: [{ ...CENTRE, color: 1 }] }));
  assert.ok(storyOf(store).draft);
  assert.deepEqual(storyOf(store).blasts(1), []);
  assert.deepEqual(
    storyOf(store)
      .blasts(2)
      .map((b) => [b.color, b.link]),
    [[1, 0]],
  );
});

test("bombs of a chain start one after the other", () => {
  const store = chain();
  const s = schedule(
    storyOf(store).grid,
    storyOf(store).frame(2),
    storyOf(store).frame(3),
    storyOf(store).blasts(3),
    1000,
  );
  assert.equal(s.move, 180);
  assert.deepEqual(
    s.blasts.map((b) => b.start),
    [180, 240, 300],
  );
  assert.ok(s.deaths.get(0)! >= 180);
});

test("pieces jump at high speed", () => {
  const store = chain();
  const s = schedule(
    storyOf(store).grid,
    storyOf(store).frame(2),
    storyOf(store).frame(3),
    storyOf(store).blasts(3),
    50,
  );
  assert.equal(s.move, 0);
  assert.equal(s.glow, false);
});

test("a change of lead is one event, a tie is no change", () => {
  const scores = [
    [1, 1],
    [2, 1],
    [3, 3],
    [4, 5],
    [5, 9],
  ];
  const store = play(...scores.map(([a, b], i) => turn(i + 1, { score: { 0: a, 1: b } })));
  assert.deepEqual(told(store), ["2 ada takes the first lead", "4 bob takes the lead"]);
});

test("each skipped turn is an event, leaving is one event", () => {
  const store = play(
    turn(1, {}, { answers: [{ player: 1, lapse: "timed out" }] }),
    turn(2, {}, { answers: [{ player: 1, lapse: "timed out" }] }),
    turn(3, {}, { answers: [{ player: 1, lapse: "gone" }], gone: [1] }),
    turn(4, {}, { answers: [{ player: 1, lapse: "gone" }], gone: [1] }),
  );
  assert.deepEqual(told(store), [
    "1 bob skipped the turn",
    "2 bob skipped the turn, no answer in 100\u2009ms",
    "3 bob left the match, its cells stay on the board",
  ]);
  assert.equal(why(store, 1, 1), "no answer in time this turn");
  assert.equal(why(store, 1, 4), "connection closed; its cells stay");
});

test("how the process of a player ended is told from the turn in which it left", () => {
  const ended = { player: 1, lines: [], ended: "crashed: exit code 1" };
  const store = play(
    turn(1),
    turn(2, {}, { gone: [1] }),
    turn(3, {}, { gone: [1], printed: [ended] }),
  );
  assert.equal(why(store, 1, 1).includes("crashed"), false);
  assert.equal(why(store, 1, 2), "crashed: exit code 1; its cells stay");
  const late = play(turn(1, {}, { gone: [1] }));
  late.append({
    type: "end",
    turn: 1,
    winner: -1,
    reason: "",
    error: "",
    tally: [],
    printed: [{ ...ended, ended: "killed by SIGKILL" }],
  });
  assert.equal(why(late, 1, 1), "killed by SIGKILL; its cells stay");
});

test("a late answer counts as over the limit, and not for the mean", () => {
  const store = emptyStore();
  store.append(start({ interval_ms: 0, limit_ms: 200 }));
  // Ada answers in time; bob needs 10 ms, then is late twice, then answers again.
  const late = { player: 1, lapse: "timed out" };
  const answers = [[{ player: 1, ms: 10 }], [late], [late], [{ player: 1, ms: 30 }]];
  const at = [20, 220, 421, 460];
  answers.forEach((list, i) =>
    store.append(turn(i + 1, {}, { at_ms: at[i], answers: [{ player: 0, ms: 1 }, ...list] })),
  );
  assert.equal(store.answers.limit, 200);
  const thought = (k: number) => standings(store, k).find((r) => r.player === 1)!.thinking;
  assert.deepEqual([0, 1, 2, 3, 4].map(thought), [
    "–",
    "10\u2009ms",
    ">\u2009200\u2009ms",
    ">\u2009200\u2009ms",
    "30\u2009ms",
  ]);
  assert.equal(store.answers.mean(1, 4), 20);
  assert.equal(store.answers.mean(1, 0), null);
  assert.deepEqual(
    standings(store, 4)
      .map((r) => [r.player, r.slow, r.skipped])
      .sort(),
    [
      [0, false, 0],
      [1, true, 2],
    ],
  );
});

test("the limit is the one that the match announces, or the longest turn with a late answer", () => {
  const late = { player: 1, lapse: "timed out" };
  // Bob hangs from turn 2 on. The match waits a second for him, and then no longer.
  const turns = [
    turn(1, {}, { at_ms: 5 }),
    ...[1005, 1006, 1007].map((at_ms, i) =>
      turn(i + 2, {}, { at_ms, answers: [{ player: 0, ms: 1 }, late] }),
    ),
  ];
  for (const limit_ms of [undefined, 1000]) {
    const store = emptyStore();
    store.append(start({ interval_ms: 0, limit_ms }));
    for (const event of turns) store.append(event);
    assert.equal(store.answers.limit, 1000);
    const told = store.story.events.filter((e) => e.kind === "skip").map((e) => e.detail);
    assert.deepEqual(told, Array(3).fill("no answer in 1\u2009000\u2009ms"));
    assert.equal(standings(store, 4).find((r) => r.player === 0)!.slow, false);
  }
});

test("the interval of a timer is the limit, though single turns are a little shorter", () => {
  const store = play(
    turn(1, {}, { at_ms: 100 }),
    turn(2, {}, { at_ms: 192, answers: [{ player: 1, lapse: "timed out" }] }),
  );
  assert.equal(store.answers.limit, 100);
});

test("refused actions: one event for each player and kind; blocked moves are routine", () => {
  const actions = [
    { id: 0, movement: "bomb", bomb_range: 6, bomb_delay: 3 },
    { id: 1, movement: "move", direction: "x+" },
    { id: 0, movement: "move", direction: "x-" },
  ];
  const store = play(
    turn(
      1,
      {},
      {
        answers: [{ player: 0, ms: 1, actions }],
        refused: [
          { player: 0, answer: 0, action: 0, reason: "range or delay out of range" },
          { player: 0, answer: 0, action: 1, reason: "blocked" },
          { player: 0, answer: 0, action: 2, reason: "blocked" },
        ],
      },
    ),
  );
  assert.deepEqual(told(store), [
    "1 ada bomb refused, #0: range 6, allowed 2–4",
    "1 ada 2 moves refused, #1 #0: blocked",
  ]);
  assert.deepEqual(
    store.events.map((e) => e.routine),
    [false, true],
  );
  assert.equal(why(store, 0, 1), "1 bomb refused: range 6, allowed 2–4");
});

test("actions may be any JSON", () => {
  for (const actions of [null, "x", 3, [null, 1, []], { id: 0 }]) {
    const store = play(
      turn(
        1,
        {},
        {
          answers: [{ player: 0, ms: 1, actions }],
          refused: [{ player: 0, answer: 0, action: 0, reason: "malformed" }],
        },
      ),
    );
    assert.equal(store.events.length, 1);
  }
});

test("why: the only player does not grow fastest", () => {
  const grow = Array.from({ length: 12 }, (_, i) =>
    turn(i + 1, {
      cell_count: { 0: i, 1: 0 },
      characters: [0, 1].map((id) => character(id, 1, i % 2 ? CENTRE : EAST)),
    }),
  );
  assert.equal(why(play(...grow), 0, 12), "growing fastest");
  const store = emptyStore();
  const { seats, state } = start();
  store.append(
    start({
      players: 1,
      seats: seats.slice(0, 1),
      state: { ...(state as object), characters: [0, 1].map((id) => character(id, 1, HOMES[id])) },
    }),
  );
  for (const t of grow) store.append(t);
  assert.equal(why(store, 0, 12), "");
});

test("why: moves blocked by its own bomb", () => {
  const east = { q: HOMES[0].q + 1, r: HOMES[0].r };
  const store = play(
    turn(
      1,
      { bombs: [bomb(1, east, 3)] },
      {
        answers: [{ player: 0, ms: 1, actions: [{ id: 0, movement: "move", direction: "x+" }] }],
        refused: [{ player: 0, answer: 0, action: 0, reason: "blocked" }],
      },
    ),
  );
  assert.equal(why(store, 0, 1), "1 move blocked by its own bomb");
});

test("why: lost cells, idle characters, living characters", () => {
  const cells = [CENTRE, EAST, FAR_EAST].map((c) => ({ ...c, color: 1 }));
  const robbed = play(
    turn(1, { cells }),
    turn(2, { cells: cells.map((c) => ({ ...c, color: 2 })) }),
  );
  assert.equal(why(robbed, 0, 2), "lost 3 cells to bob");
  const idle = play(...[1, 2, 3, 4, 5, 6].map((k) => turn(k)));
  assert.equal(why(idle, 0, 4), "");
  assert.equal(why(idle, 0, 6), "2 characters idle for 6 turns");
  const left = play(
    turn(1, { characters: [character(0, 1, HOMES[0], { alive: false, revive_delay: 3 })] }),
    turn(2),
  );
  assert.equal(why(left, 0, 2), "1 left of 2");
});

test("every reason fits on its line", () => {
  const store = chain();
  for (let k = 0; k <= 3; k++) for (const p of [0, 1]) assert.ok(why(store, p, k).length <= 46);
});

test("shares of the board add up", () => {
  const { held, free } = shares(
    [
      [0, 10],
      [0, 25],
      [0, 0],
    ],
    50,
    1,
  );
  assert.deepEqual(held, [
    { player: 1, share: 0.5 },
    { player: 0, share: 0.2 },
  ]);
  assert.ok(Math.abs(free - 0.3) < 1e-9);
});

test("ties share a rank", () => {
  const store = play(turn(1, { score: { 0: 4, 1: 4 } }));
  assert.deepEqual(
    standings(store, 1).map((r) => r.rank),
    [1, 1],
  );
});

test("the special player comes last and has no rank; a player without living characters is out", () => {
  const store = emptyStore();
  const seats = [
    { id: 0, nickname: "hunter", label: "", special: true },
    { id: 1, nickname: "bob", label: "", special: false },
  ];
  store.append(start({ specials: 1, players: 1, seats }));
  const dead = [2, 3].map((id) => character(id, 2, HOMES[id], { alive: false, revive_delay: 3 }));
  store.append(turn(1, { characters: dead, score: { 0: 9, 1: 0 } }));
  assert.deepEqual(
    standings(store, 1).map((r) => [r.player, r.rank]),
    [
      [1, 1],
      [0, null],
    ],
  );
  assert.ok(told(store).includes("1 bob is out"));
  assert.ok(told(store).includes("1 - All players are out, bob survived longest"));
  assert.equal(why(store, 1, 1), "out since turn 0");
});
