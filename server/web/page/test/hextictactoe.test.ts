import assert from "node:assert/strict";
import { test } from "node:test";
import { GameStory, type Piece } from "../src/games/hextictactoe/story.ts";
import { threats } from "../src/games/hextictactoe/threats.ts";
import { start, turn } from "./match.ts";

const opening = {
  board: { cells: [{ q: 0, r: 0, p: "x" }] },
  to_move: "o",
  previous: [],
  move: 0,
  clocks: null,
  status: "in_progress",
  reason: "",
  row: [],
  view_distance: 8,
  win_distance: 6,
  turn_limit: 0,
  clock: { type: "none", base_ms: 0, increment_ms: 0 },
};

test("the evaluation of a move is that of the side that made it, even if the other one answered, too", () => {
  const story = new GameStory(start({ rules: "hextictactoe/1", state: opening }));
  const pieces = [
    { q: 1, r: 0 },
    { q: 2, r: 0 },
  ];
  const moved = {
    board: { cells: pieces.map((c) => ({ ...c, p: "o" })) },
    to_move: "x",
    move: 1,
    previous: [{ side: "o", pieces }],
  };
  const answers = [
    { player: 1, ms: 7, actions: [{ pieces }], debug: { values: { heuristic: -0.5 } } },
    { player: 0, ms: 1, actions: [] },
  ];
  story.add(turn(1, moved, { answers }));
  assert.deepEqual(story.last.evaluation, { value: -0.5, winIn: 0 });
  assert.deepEqual(story.last.said, { x: null, o: { value: -0.5, winIn: 0 } });
  const replied = { to_move: "o", move: 2, previous: [{ side: "x", pieces: [{ q: 3, r: 0 }] }] };
  story.add(
    turn(2, replied, {
      answers: [{ player: 0, ms: 1, actions: [], debug: { values: { heuristic: 0.25 } } }],
    }),
  );
  assert.deepEqual(story.last.said, { x: { value: 0.25, winIn: 0 }, o: { value: -0.5, winIn: 0 } });
  assert.equal(story.at(1).thinking, 7);
  assert.equal(story.at(1).toMove, "x");
});

test("a threat is the row with the most pieces of a line that one move completes", () => {
  const row = (...qs: number[]) => qs.map((q) => ({ q, r: 0, p: "x" as const }));
  const between = (pieces: Piece[]) => threats(pieces, "x", 6).map((t) => [t.from.q, t.to.q]);
  assert.deepEqual(between(row(0, 1, 2)), []);
  assert.deepEqual(between(row(0, 1, 2, 5)), [[0, 5]]);
  assert.deepEqual(between([...row(5, 4, 3, 2, 0)]), [[0, 5]]);
  assert.deepEqual(between(row(0, 1, 2, 3, 20, 21, 22)), [[0, 3]]);
  // Circle leaves room for five alone.
  assert.deepEqual(
    between([...row(0, 1, 2, 3), { q: -1, r: 0, p: "o" }, { q: 5, r: 0, p: "o" }]),
    [],
  );
  assert.deepEqual(threats(row(0, 1, 2, 3), "o", 6), []);
});
