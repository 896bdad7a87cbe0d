import assert from "node:assert/strict";
import { test } from "node:test";
import { turningPoints } from "../src/games/hexabomb/turningpoints.ts";
import { bomb, character, HOMES, play, storyOf, turn } from "./match.ts";

const WEST = { q: -2, r: 0 };
const CENTRE = { q: 0, r: 0 };

test("a turning point tells what was lost, to what, and how the rank changed", () => {
  const dead = { alive: false, revive_delay: 3 };
  const store = play(
    turn(1, {
      cell_count: { 0: 20, 1: 5 },
      score: { 0: 20, 1: 5 },
      bombs: [bomb(1, WEST, 2), bomb(1, CENTRE, 4)],
    }),
    turn(2, { score: { 0: 40, 1: 10 }, bombs: [bomb(1, WEST, 1), bomb(1, CENTRE, 3)] }),
    turn(3, {
      cell_count: { 0: 5, 1: 30 },
      score: { 0: 45, 1: 40 },
      bombs: [],
      explosions: { 1: [CENTRE] },
      characters: [character(0, 1, HOMES[0], dead), character(1, 1, { q: -1, r: 0 }, dead)],
    }),
    turn(4, { score: { 0: 50, 1: 70 } }),
    turn(20, {}, {}),
  );
  assert.deepEqual(turningPoints(storyOf(store), 0, 4), [
    {
      turn: 3,
      what: "lost 2 characters to its own chain of 2 bombs, 15 cells",
      detail: "from 1st to 2nd by turn 4",
    },
  ]);
  assert.deepEqual(
    turningPoints(storyOf(store), 1, 4).map((p) => [p.turn, p.what]),
    [[3, "won 25 cells"]],
  );
});

test("a bot that left, or skipped turns in a row, lost by that", () => {
  const late = { answers: [{ player: 0, lapse: "timed out" }] };
  const turns = Array.from({ length: 30 }, (_, i) =>
    turn(
      i + 1,
      { score: { 0: 1, 1: i + 1 } },
      i > 4 && i < 10 ? late : i === 20 ? { gone: [0] } : {},
    ),
  );
  const points = turningPoints(storyOf(play(...turns)), 0, 30);
  assert.deepEqual(points.map((p) => [p.turn, p.what]).slice(-2), [
    [6, "skipped 5 turns in a row"],
    [21, "left the match; its cells stay"],
  ]);
});
