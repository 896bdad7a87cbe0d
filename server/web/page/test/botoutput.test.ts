import assert from "node:assert/strict";
import test from "node:test";
import { Curves, MOST_CURVES } from "../src/core/curves.ts";
import type { TurnEvent } from "../src/core/feed.ts";
import {
  crashLines,
  debugOf,
  outcomes,
  firstBot,
  isPointer,
  lastPrinted,
  printedBy,
} from "../src/core/botoutput.ts";
import { MarkLayers } from "../src/core/marklayers.ts";
import type { Store } from "../src/core/store.ts";
import { colorOf, DARK } from "../src/core/theme.ts";
import { play, turn } from "./match.ts";

function match(turns: Partial<TurnEvent>[]): Store {
  return play(...turns.map((t, i) => turn(i + 1, {}, t)));
}

test("debug information keeps only what has the right type", () => {
  const debug = debugOf({
    player: 0,
    ms: 1,
    debug: {
      text: 7,
      cells: [
        { q: 1, r: -2, color: "red", label: "12345" },
        null,
        [],
        { q: "x" },
        { q: 0, r: 0, label: 9 },
      ],
      values: { a: 1.5, b: "2", c: null },
    },
  });
  assert.equal(debug.text, "");
  assert.deepEqual(debug.cells[0], {
    q: 1,
    r: -2,
    color: "red",
    label: "1234",
    shape: "cell",
    to: { q: 0, r: 0 },
    layer: "",
  });
  assert.equal(debug.cells.length, 3);
  assert.deepEqual(debug.values, [["a", 1.5]]);
  for (const odd of [undefined, null, 7, "text", [], { cells: {}, values: [] }]) {
    assert.deepEqual(debugOf({ player: 0, ms: 1, debug: odd }), {
      text: "",
      cells: [],
      values: [],
    });
  }
});

test("marks have a shape and a layer, as far as they are known", () => {
  const { cells } = debugOf({
    player: 0,
    ms: 1,
    debug: {
      cells: [
        { q: 1, r: 2, shape: "arrow", to_q: -3, to_r: 4, layer: "plan", label: "to the middle" },
        { q: 0, r: 0, shape: "spiral", layer: 7, label: "12345" },
      ],
    },
  });
  assert.deepEqual(cells[0], {
    q: 1,
    r: 2,
    color: "",
    label: "to the middle",
    shape: "arrow",
    to: { q: -3, r: 4 },
    layer: "plan",
  });
  assert.deepEqual([cells[1].shape, cells[1].layer, cells[1].label], ["cell", "", "1234"]);
});

test("the layers of a bot are those that it has used, and each can be hidden", () => {
  const store = match([
    {
      answers: [
        {
          player: 0,
          ms: 1,
          debug: {
            cells: [
              { q: 0, r: 0, layer: "plan" },
              { q: 0, r: 0 },
            ],
          },
        },
      ],
    },
    {
      answers: [
        { player: 0, ms: 1, debug: { cells: [{ q: 0, r: 0, layer: "danger" }] } },
        { player: 1, ms: 1, debug: { cells: [{ q: 0, r: 0, layer: "other" }] } },
      ],
    },
  ]);
  const layers = new MarkLayers(() => {}).follow(store, 0);
  assert.deepEqual([...layers.names], ["plan", "", "danger"]);
  layers.toggle("plan");
  assert.deepEqual(
    ["plan", "danger"].map((layer) => layers.shows(layer)),
    [false, true],
  );
  assert.deepEqual([...layers.follow(store, 1).names], ["other"]);
});

test("a colour is #rgb, #rrggbb, a name of the palette, or else the accent", () => {
  assert.equal(colorOf(DARK, "#f80"), "#ff8800");
  assert.equal(colorOf(DARK, "#12abEF"), "#12abEF");
  assert.equal(colorOf(DARK, "Red"), DARK.players[6].line);
  for (const odd of ["", "#ff", "url(x)", "#12345678", "rgb(1,2,3)"])
    assert.equal(colorOf(DARK, odd), DARK.accent);
});

test("each action has its outcome", () => {
  const store = match([
    {
      answers: [
        { player: 1, ms: 2, actions: [{ id: 5, movement: "move", direction: "x+" }] },
        { player: 0, ms: 1, actions: [{ id: 0, movement: "revive" }, 7] },
      ],
      refused: [{ player: 0, answer: 1, action: 1, reason: "not an object" }],
    },
    {
      answers: [{ player: 0, ms: 1, actions: [{ id: 0 }] }],
      refused: [{ player: 0, answer: 0, action: -1, reason: "late" }],
    },
  ]);
  assert.deepEqual(
    outcomes(store, 0, 1).map((d) => d.refused),
    ["", "not an object"],
  );
  assert.deepEqual(
    outcomes(store, 1, 1).map((d) => d.refused),
    [""],
  );
  assert.deepEqual(
    outcomes(store, 0, 2).map((d) => d.refused),
    ["late"],
  );
  assert.deepEqual(outcomes(store, 1, 2), []);
});

test("output is found by turn, that after the last turn included", () => {
  const store = match([{ printed: [{ player: 0, lines: ["one"], lost: 3 }] }, {}, {}]);
  assert.deepEqual(printedBy(store, 0, 1), { player: 0, lines: ["one"], lost: 3 });
  assert.equal(printedBy(store, 1, 1), null);
  assert.equal(lastPrinted(store, 0, 3)?.turn, 1);
  assert.equal(lastPrinted(store, 1, 3), null);
  store.append({
    type: "end",
    turn: 3,
    winner: -1,
    reason: "",
    error: "",
    tally: [],
    printed: [{ player: 0, lines: ["bye"] }],
  });
  assert.deepEqual(printedBy(store, 0, 3)?.lines, ["bye"]);
});

test("a traceback is recognized among other output", () => {
  assert.deepEqual(
    crashLines([
      "fine",
      "Traceback (most recent call last):",
      '  File "x.py", line 1',
      "    f()",
      "ValueError: no",
      "after",
    ]),
    [false, true, true, true, true, false],
  );
  assert.deepEqual(crashLines(["panic: oops", "", "goroutine 1 [running]:", "main"]), [
    true,
    true,
    true,
    false,
  ]);
  assert.deepEqual(crashLines(["no errors here", "json.decoder.JSONDecodeError: x"]), [
    false,
    true,
  ]);
});

test("values become curves by turn; those beyond the limit are counted", () => {
  const debug = (values: Record<string, number>) => ({
    answers: [{ player: 0, ms: 1, debug: { values } }],
  });
  const store = match([debug({ a: 1 }), {}, debug({ a: 3, b: -1 })]);
  const curves = new Curves().follow(store, 0);
  assert.deepEqual(curves.lines.get("a"), [null, 1, null, 3]);
  assert.deepEqual(curves.lines.get("b"), [null, null, null, -1]);
  const many = Object.fromEntries(Array.from({ length: MOST_CURVES + 5 }, (_, i) => [`v${i}`, i]));
  store.append(turn(4, {}, debug(many)));
  assert.equal(curves.follow(store, 0).lines.size, MOST_CURVES);
  assert.equal(curves.more, 7);
  assert.equal(curves.follow(store, 1).lines.size, 0);
});

test("the first bot is the first started one, or else the first that sent debug information", () => {
  const store = match([{ answers: [{ player: 1, ms: 1, debug: {} }] }]);
  assert.equal(firstBot(store), 1);
  store.start!.seats[0].started = true;
  assert.equal(firstBot(store), 0);
  assert.equal(firstBot(match([{}])), -1);
});

test("lines that only point are recognized", () => {
  const cases: [string, boolean][] = [
    ["    ^^^^^", true],
    ["  ~~~^^~~~", true],
    ["^", true],
    ["", false],
    ["  a ^ b", false],
    ["--^--", false],
  ];
  for (const [line, want] of cases) assert.equal(isPointer(line), want, JSON.stringify(line));
});
