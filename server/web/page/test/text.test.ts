import assert from "node:assert/strict";
import { test } from "node:test";
import { plainAnswer } from "../src/core/text.ts";

test("a line on an answer is without the names and signs of JSON", () => {
  for (const [line, want] of [
    ['ann: [{"id":4,"movement":"move","direction":"x+"},\n {"id":5}]', "ann: 4 move x+, 5"],
    ['ann: [{"id":4,"movement":"move"},{"id…', "ann: 4 move, …"],
    ['ann: [{"id":4}]; action 0 refused: dead', "ann: 4; action 0 refused: dead"],
    ['ann: [17,"move",{"id":{"q":1}},null]', 'ann: 17, "move", {"id":1}, null'],
    ["ann: []", "ann: no action"],
    ["h[2J: [{}]", "h[2J: no action"],
    ["ann lost a character to a bomb of its own", "ann lost a character to a bomb of its own"],
    ["ann: timed out", "ann: timed out"],
  ])
    assert.equal(plainAnswer(line), want);
});
