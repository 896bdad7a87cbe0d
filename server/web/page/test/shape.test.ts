// Measures the shapes, since a mistake could make one look like another.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ringsInside, shapeOf } from "../src/core/shape.ts";
import { ringsOf, SLOTS } from "../src/core/theme.ts";

/** Returns points along a path of lines, arcs and quadratic curves. */
function points(path: string): [number, number][] {
  const out: [number, number][] = [];
  let at: [number, number] = [0, 0];
  for (const [, command, text] of path.matchAll(/([MLAQVHZ])([^MLAQVHZ]*)/g)) {
    const n = (text.match(/-?(\d+\.?\d*|\.\d+)/g) ?? []).map(Number);
    const step = { M: 2, L: 2, A: 7, Q: 4, V: 1, H: 1, Z: 1 }[command]!;
    for (let i = 0; i < n.length; i += step) {
      const to: [number, number] =
        command === "V"
          ? [at[0], n[i]]
          : command === "H"
            ? [n[i], at[1]]
            : [n[i + step - 2], n[i + step - 1]];
      if (command === "A") out.push(...arc(at, to, n[i], n[i + 3] === 1, n[i + 4] === 1));
      out.push(to);
      at = to;
    }
  }
  return out;
}

/** Returns points of a circle's arc of radius r. */
function arc(
  from: [number, number],
  to: [number, number],
  r: number,
  large: boolean,
  sweep: boolean,
): [number, number][] {
  const half = Math.hypot(to[0] - from[0], to[1] - from[1]) / 2;
  const radius = Math.max(r, half);
  const away = Math.sqrt(Math.max(0, radius ** 2 - half ** 2)) * (large === sweep ? -1 : 1);
  const ux = (to[0] - from[0]) / (2 * half);
  const uy = (to[1] - from[1]) / (2 * half);
  const cx = (from[0] + to[0]) / 2 - uy * away;
  const cy = (from[1] + to[1]) / 2 + ux * away;
  const start = Math.atan2(from[1] - cy, from[0] - cx);
  let turn = Math.atan2(to[1] - cy, to[0] - cx) - start;
  if (sweep && turn < 0) turn += 2 * Math.PI;
  if (!sweep && turn > 0) turn -= 2 * Math.PI;
  return Array.from({ length: 33 }, (_, i) => [
    cx + radius * Math.cos(start + (turn * i) / 32),
    cy + radius * Math.sin(start + (turn * i) / 32),
  ]);
}

/** Returns the reach of a shape in 24 directions, as shares of the largest. */
function outline(slot: number): number[] {
  const reach = Array.from({ length: 24 }, () => 0);
  for (const [x, y] of points(shapeOf(slot))) {
    const i = Math.round((Math.atan2(y, x) / (2 * Math.PI)) * 24 + 24) % 24;
    reach[i] = Math.max(reach[i], Math.hypot(x, y));
  }
  return reach.map((r) => r / Math.max(...reach));
}

test("the quatrefoil has four leaves that reach 1.08 along the diagonals or the axes, and dents between them", () => {
  const all = points(shapeOf(10)).map(([x, y]) => Math.hypot(x, y));
  assert.ok(Math.abs(Math.max(...all) - 1.08) < 0.02, `reach ${Math.max(...all)}`);
  assert.ok(Math.min(...all) < 0.86, `dents at ${Math.min(...all)}`);
});

test("no two shapes have the same outline", () => {
  for (let a = 0; a < SLOTS; a++) {
    for (let b = 0; b < a; b++) {
      const other = outline(b);
      const differ = outline(a).some((r, i) => Math.abs(r - other[i]) > 0.06);
      assert.ok(differ, `shapes ${b} and ${a}`);
    }
  }
});

test("players whose colour and shape are used again have rings", () => {
  assert.deepEqual([-1, 0, 11, 12, 23, 24, 40].map(ringsOf), [0, 0, 0, 1, 1, 2, 2]);
  assert.deepEqual(
    [0, 12, 24].map((slot) => ringsInside(slot).length),
    [0, 1, 2],
  );
});
