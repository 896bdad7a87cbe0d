import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { javascriptLanguage } from "@codemirror/lang-javascript";
import DOCUMENTATION from "documentation:kit";
import { Glossary } from "../src/core/documentation.ts";
import { addLine, type Line } from "../src/core/printedlines.ts";
import { Versions } from "../src/core/versions.ts";
import { Types } from "../src/ui/code/types.ts";

const painting = new Glossary(DOCUMENTATION, { state: "State", action: "Action" });

/** Returns the type of the last expression of a statement that ends with §, in a method turn(state). */
function typeOf(statements: string, glossary = painting): string {
  const marked = `class Bot { constructor(match) { this.match = match; } turn(state) { ${statements} } }`;
  const code = marked.replace("§", "");
  let node = javascriptLanguage.parser.parse(code).resolveInner(marked.indexOf("§"), -1);
  while (
    node.parent &&
    node.parent.to === node.to &&
    /Expression$|^ArgList$/.test(node.parent.name) &&
    node.parent.name !== "ArrowFunction"
  )
    node = node.parent;
  return new Types(glossary, (n) => code.slice(n.from, n.to)).of(node);
}

test("types of expressions in a bot", () => {
  for (const [code, type] of [
    ["state§", "State"],
    ["state.cells§", "Cell[]"],
    ["state.cells[0]§", "Cell"],
    ["const living = state.characters.filter((c) => c.alive); living§", "Character[]"],
    ["state.characters.find((c) => c§.alive)", "Character"],
    ["for (const bomb of state.bombs) { bomb§ }", "Bomb"],
    ["for (const c of [...state.characters]) { c§ }", "Character"],
    ["state.explosions[2]§", "Coord[]"],
    ["state.explosions[2][0]§", "Coord"],
    ["const { cells } = state; cells§", ""],
    ["this.match§", "Match"],
    ["this.match.debug§", "Debug"],
    ["this.match.initialGameState§", "State"],
    ["neighbour(state.cells[0], 'x+')§", "Coord"],
    ["const a = b; const b = a; a§", ""],
    ["other§", ""],
  ])
    assert.equal(typeOf(code), type, code);
  const rows = new Glossary(DOCUMENTATION, { state: "TicTacToeState", action: "Placement" });
  assert.equal(typeOf("state.board.cells[0]§", rows), "Piece");
  assert.equal(typeOf("state.clocks§", rows), "Clocks");
});

test("every field of the states and the actions is documented or named by what it is", () => {
  for (const name of [
    "State",
    "Character",
    "Bomb",
    "Action",
    "TicTacToeState",
    "Placement",
    "Match",
  ])
    assert.ok(painting.fields(name).length > 0, name);
  assert.match(painting.field("Character", "revive_delay")!.about, /Turns until it can be revived/);
  assert.deepEqual(
    painting
      .fields("Action")
      .map((f) => f.name)
      .sort(),
    ["bomb_delay", "bomb_range", "direction", "id", "movement", "revive_q", "revive_r"],
  );
  assert.deepEqual(
    painting
      .texts()
      .map((t) => t.text)
      .filter((t) => /^[a-z]+$/.test(t))
      .sort(),
    ["bomb", "move", "revive"],
  );
});

test("versions are kept with how they did, as many as there is room for", () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  Object.defineProperty(globalThis, "localStorage", { value: storage, configurable: true });
  const versions = new Versions("v");
  const first = versions.keep("a");
  versions.add(first, { rank: 2, players: 4, score: 10 });
  assert.equal(versions.keep("b").number, 2);
  assert.equal(versions.keep("a"), first);
  assert.deepEqual(
    new Versions("v").list.map((v) => [v.number, v.code, v.outcomes.length]),
    [
      [1, "a", 1],
      [2, "b", 0],
    ],
  );
  for (let i = 0; i < 100; i++) versions.keep(`code ${i}`);
  assert.equal(versions.list.length, 40);
  for (let i = 0; i < 10; i++) versions.keep(`${i}`.repeat(100_000));
  assert.ok(kept.get("v")!.length < 600_000);
  storage.setItem = () => {
    throw new Error("full");
  };
  versions.add(versions.keep("c"), { rank: 1, players: 4, score: 1 });
  assert.equal(versions.list.at(-1)!.outcomes.length, 1);
  kept.set("v", "{");
  assert.deepEqual(new Versions("v").list, []);
});

test("lines that repeat in a turn are counted", () => {
  const lines: Line[] = [];
  const line = { level: "log" as const, text: "x", line: 0, turn: 1 };
  addLine(lines, line);
  addLine(lines, line);
  addLine(lines, { ...line, turn: 2 });
  assert.deepEqual(
    lines.map((l) => [l.turn, l.times]),
    [
      [1, 2],
      [2, 1],
    ],
  );
  for (let i = 0; i < 600; i++) addLine(lines, { ...line, text: `${i}` });
  assert.equal(lines.length, 500);
});

test("there is one copy of what all of the editor shares", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  for (const name of ["@codemirror/state", "@codemirror/view", "@lezer/common"]) {
    assert.deepEqual(
      Object.keys(packages).filter((path) => path.endsWith(`node_modules/${name}`)),
      [`node_modules/${name}`],
    );
  }
});
