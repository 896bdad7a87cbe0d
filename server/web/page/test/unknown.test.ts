import assert from "node:assert/strict";
import { test } from "node:test";
import type { StartEvent } from "../src/core/feed.ts";
import { gameOf } from "../src/core/game.ts";
import { Grid } from "../src/core/grid.ts";
import type { State } from "../src/games/hexabomb/state.ts";
import { GAMES } from "../src/games/registry.ts";
import { changesOf } from "../src/games/unknown/changes.ts";
import { UnknownStory } from "../src/games/unknown/story.ts";
import { character, emptyStore, play, start, storyOf, turn } from "./match.ts";

/** Returns the start of a match of an unknown game. */
function unknown(state: object, more: Partial<StartEvent> = {}): StartEvent {
  return start({ rules: "external", state, ...more });
}

test("a match belongs to the game that its rules name, or to hexabomb by its state", () => {
  const state = start().state as State;
  const cases: [string, unknown, string][] = [
    ["hexabomb/1", undefined, "hexabomb"],
    ["hexabomb", undefined, "hexabomb"],
    ["hexabomb-draft/1", undefined, "hexabomb"],
    ["hextictactoe/1", {}, "hextictactoe"],
    ["external", undefined, "unknown"],
    ["external", state, "hexabomb"],
    ["snake/1", state, "hexabomb"],
    ["external", { ...state, cells: [] }, "unknown"],
    ["external", { ...state, cells: [{ q: 0, r: 0, color: "red" }] }, "unknown"],
    ["external", { ...state, characters: [character(7, 1, { q: 0, r: 0 })] }, "unknown"],
    ["external", { ...state, score: undefined }, "unknown"],
    ["external", null, "unknown"],
    ["", [], "unknown"],
  ];
  for (const [rules, from, want] of cases)
    assert.equal(
      gameOf(GAMES, rules, from).name,
      want,
      `${rules} ${JSON.stringify(from)?.slice(0, 60)}`,
    );
});

test("a turn of an unknown game has the state that it came with, or that its delta leads to", () => {
  const store = emptyStore();
  const cells = [
    { q: 0, r: 0, n: 1 },
    { q: 1, r: 0, n: 2 },
  ];
  store.append(unknown({ pot: 1, cells, board: { cells, to: "x" } }));
  store.append(
    turn(1, {
      pot: 2,
      cells: [
        { q: 1, r: 0, n: 3 },
        { q: 2, r: 0, n: 4 },
      ],
      board: { cells: [] },
    } as object),
  );
  store.append(turn(2, undefined, { delta: undefined, state: { other: true } }));
  store.append(turn(3, undefined, { delta: undefined, state: "no object" }));
  for (let k = 4; k < 120; k++) store.append(turn(k, { pot: k } as object));
  const { story } = store;
  assert.ok(story instanceof UnknownStory);
  assert.deepEqual(story.state(0), { pot: 1, cells, board: { cells, to: "x" } });
  assert.deepEqual(story.state(1), {
    pot: 2,
    cells: [cells[0], { q: 1, r: 0, n: 3 }, { q: 2, r: 0, n: 4 }],
    board: { cells, to: "x" },
  });
  assert.deepEqual(story.state(2), { other: true });
  assert.deepEqual(story.state(3), { other: true });
  for (const k of [119, 4, 60, 50, 51, 118, 99, 100])
    assert.deepEqual(story.state(k), { other: true, pot: k });
});

test("an unknown game has the events of every game", () => {
  const store = emptyStore();
  store.append(unknown({}, { interval_ms: 0 }));
  store.append(turn(1, {}, { winner: -1 }));
  store.append(turn(2, {}, { winner: 1, answers: [{ player: 0, lapse: "timed out" }] }));
  store.append(
    turn(
      3,
      {},
      { winner: 1, gone: [0], refused: [{ player: 1, answer: 0, action: 0, reason: "too much" }] },
    ),
  );
  store.append({ type: "end", turn: 3, winner: 1, reason: "", error: "", tally: [] });
  assert.deepEqual(
    store.events.map((e) => `${e.turn} ${e.player} ${e.what}, ${e.detail}`),
    [
      "2 1 takes the lead, ",
      "2 0 skipped the turn, no answer in 100\u2009ms",
      "3 0 left the match, ",
      "3 1 action refused, too much",
      "3 1 wins the match, ",
    ],
  );
});

test("the scores of an unknown game are measured, if it has any", () => {
  const store = emptyStore();
  store.append(unknown({}, { scores: [0, 3] }));
  store.append(turn(1, {}, { scores: [5, 2] }));
  store.append(turn(2, {}));
  assert.deepEqual(store.story?.measures, [
    {
      name: "Score",
      series: [
        [0, 5, null],
        [3, 2, null],
      ],
    },
  ]);
  store.append(unknown({}));
  assert.deepEqual(store.story?.measures, []);
});

test("hexabomb of another program is shown as far as its states are valid", () => {
  const store = play();
  store.append(start({ rules: "external" }));
  store.append(
    turn(1, undefined, {
      delta: undefined,
      state: { ...(start().state as State), score: { 0: 5, 1: 0 } },
    }),
  );
  store.append(turn(2, undefined, { delta: undefined, state: { cells: "none" } }));
  assert.deepEqual(
    [0, 1, 2].map((k) => storyOf(store).frame(k).score[0]),
    [0, 5, 5],
  );
});

test("cells have an edge at the top where the view says flat", () => {
  const cells = [
    { q: 0, r: 0 },
    { q: 1, r: 0 },
    { q: 0, r: 1 },
  ];
  const state = { cells: cells.map((cell, owner) => ({ ...cell, owner })) };
  for (const layout of ["flat", "pointy", undefined]) {
    const store = emptyStore();
    store.append(
      unknown(state, {
        logic: { view: { cells: "/cells", color: "owner", layout } },
      } as Partial<StartEvent>),
    );
    const { story } = store;
    assert.ok(story instanceof UnknownStory);
    assert.equal(story.view?.flat, layout === "flat");
    const scene = story.scene(0)!;
    assert.deepEqual(
      scene.cells.map((c) => c.player),
      [0, 1, 2],
    );
    const grid = new Grid(scene.cells, story.view!.flat);
    // With an edge at the top, r goes straight down; with a corner there, q goes straight to the right.
    assert.deepEqual(
      [grid.x[2] === 0 && grid.y[2] > 0, grid.y[1] === 0 && grid.x[1] > 0],
      layout === "flat" ? [true, false] : [false, true],
    );
    assert.ok(grid.bounds.right - grid.bounds.left > 0);
    assert.deepEqual([...grid.neighbours].filter((n) => n >= 0).length, 4 + 2); // each has the two others
  }
});

test("a board and scores are guessed where the game logic describes none", () => {
  const store = emptyStore();
  const cells = Array.from({ length: 9 }, (_, i) => ({
    q: i % 3,
    r: Math.floor(i / 3),
    owner: i === 4 ? 1 : null,
  }));
  const units = [
    { id: 7, q: 1, r: 1, player: 1, alive: true },
    { id: 8, q: 1, r: 1, player: 0, alive: false },
  ];
  store.append(
    unknown({ world: { cells, units }, score: { 0: 3, 1: 5 }, junk: [{ q: 0.5, r: 1 }] }),
  );
  store.append(turn(1, { score: { 0: 4, 1: 5 } } as object));
  const { story } = store;
  assert.ok(story instanceof UnknownStory);
  const scene = story.scene(1);
  assert.deepEqual(
    scene?.cells.map((c) => c.player).filter((p) => p >= 0),
    [1],
  );
  assert.deepEqual(
    scene?.pieces.map((p) => [p.q, p.r, p.player, p.label]),
    [[1, 1, 1, "7"]],
  );
  assert.deepEqual(
    [story.scores(0), story.scores(1)],
    [
      [3, 5],
      [4, 5],
    ],
  );
  assert.deepEqual(changesOf(story.state(0), story.state(1)), [
    { path: "/score/0", was: "3", is: "4" },
  ]);
});

test("nothing is guessed from states without a board", () => {
  for (const state of [
    {},
    { cells: [{ q: 0, r: 0 }] },
    { cells: Array.from({ length: 9 }, () => ({ q: 0, r: 0 })) },
    { cells: "x", score: "high" },
  ]) {
    const store = emptyStore();
    store.append(unknown(state));
    assert.ok(store.story instanceof UnknownStory);
    assert.equal(store.story.view, null);
    assert.deepEqual(store.story.scores(0), []);
  }
});
