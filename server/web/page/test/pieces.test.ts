import assert from "node:assert/strict";
import { test } from "node:test";
import { character } from "./match.ts";
import { DARK } from "../src/core/theme.ts";
import type { Frame } from "../src/games/hexabomb/frame.ts";
import { drawPieces, type Stage } from "../src/games/hexabomb/pieces.ts";

/** Returns the sprites that are drawn for a bomb with a character on it. */
function drawn(alive: boolean): string[] {
  const at = { q: 0, r: 0 };
  const calls: string[] = [];
  const sprites = new Proxy(
    { look: { ratio: 1 } },
    {
      get: (target, name) =>
        name === "look"
          ? target.look
          : (...args: unknown[]) => {
              calls.push(`${String(name)} ${args.join(" ")}`);
              return { width: 10, height: 10 };
            },
    },
  );
  const stage = {
    c: { drawImage: () => {} },
    view: { radius: 20, originX: 0, originY: 0 },
    sprites,
    theme: DARK,
    specials: 0,
    haloed: 0,
  };
  const frame: Frame = {
    turn: 1,
    colors: new Uint16Array(1),
    explosions: {},
    cellCount: [],
    score: [],
    characters: [character(0, 1, at, { alive, revive_delay: alive ? -1 : 0 })],
    bombs: [{ ...at, color: 2, range: 2, delay: 3, cell: 0, fuse: 4 }],
  };
  drawPieces(stage as unknown as Stage, frame, null);
  return calls;
}

test("a bomb under a character, alive or dead, has its countdown in a badge", () => {
  for (const alive of [true, false]) {
    const calls = drawn(alive);
    assert.ok(calls.includes("bomb 1 3 4 true"), calls.join(", "));
    assert.ok(calls.includes("badge 3 false"), calls.join(", "));
  }
});
