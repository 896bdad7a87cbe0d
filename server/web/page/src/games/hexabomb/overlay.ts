// What is drawn above the board on request: coordinates, the reach of a bomb, and
// the cell under the pointer or the cursor.

import type { Pointing } from "../../core/board.ts";
import { drawRing, hexagon, text } from "../../core/canvas.ts";
import type { Grid } from "../../core/grid.ts";
import { coordinate } from "../../core/text.ts";
import { fade, type Theme } from "../../core/theme.ts";
import type { GridViewport } from "../../core/viewport.ts";
import type { Frame, LaidBomb } from "./frame.ts";

/** The cells that a bomb will cover, itself and through the bombs that it sets off. */
export interface Reach {
  bomb: LaidBomb;
  cells: Set<number>;
  /** Bombs that it would set off. */
  chained: LaidBomb[];
  chainedCells: Set<number>;
}

/** Returns the cells that a bomb will cover. */
export function covers(grid: Grid, bomb: LaidBomb): number[] {
  const cells = [bomb.cell];
  for (let d = 0; d < 6; d++) cells.push(...grid.ray(bomb.cell, d, bomb.range));
  return cells;
}

/** Returns what a bomb will cover, and the bombs that it will set off. */
export function reachOf(grid: Grid, frame: Frame, bomb: LaidBomb): Reach {
  const cells = new Set(covers(grid, bomb));
  const chained: LaidBomb[] = [];
  const chainedCells = new Set<number>();
  const seen = new Set([bomb]);
  const queue = [bomb];
  for (let next = queue.shift(); next; next = queue.shift()) {
    const area = next === bomb ? cells : new Set(covers(grid, next));
    for (const other of frame.bombs) {
      if (seen.has(other) || !area.has(other.cell)) continue;
      seen.add(other);
      chained.push(other);
      queue.push(other);
      for (const c of covers(grid, other)) if (!cells.has(c)) chainedCells.add(c);
    }
  }
  return { bomb, cells, chained, chainedCells };
}

/** Draws the pointed-at cell and the reach of a bomb on it. */
export function drawPointing(
  c: CanvasRenderingContext2D,
  grid: Grid,
  view: GridViewport,
  theme: Theme,
  frame: Frame,
  pointing: Pointing,
): void {
  const bomb = frame.bombs.find((b) => b.cell === pointing.cell);
  if (bomb) drawReach(c, view, theme, reachOf(grid, frame, bomb));
  drawRing(c, view, theme, pointing);
}

function drawReach(
  c: CanvasRenderingContext2D,
  view: GridViewport,
  theme: Theme,
  reach: Reach,
): void {
  c.lineJoin = "round";
  c.lineWidth = 0.08 * view.radius;
  c.strokeStyle = theme.accent;
  for (const [cells, dash] of [
    [reach.chainedCells, [0.2, 0.16]],
    [reach.cells, []],
  ] as [Set<number>, number[]][]) {
    c.setLineDash(dash.map((d) => d * view.radius));
    for (const cell of cells) {
      const x = view.x(cell);
      const y = view.y(cell);
      const g = c.createRadialGradient(x, y, 0, x, y, view.radius);
      g.addColorStop(0, fade(theme.accent, 0.08));
      g.addColorStop(1, fade(theme.accent, 0.24));
      hexagon(c, x, y, 0.92 * view.radius);
      c.fillStyle = g;
      c.fill();
      c.stroke();
    }
  }
  c.setLineDash([]);
}

/** The least cell radius at which the coordinates of neighbours do not overlap. */
const READABLE = 13;

/** Draws the coordinates of all cells, if there is room. */
export function drawCoordinates(
  c: CanvasRenderingContext2D,
  grid: Grid,
  view: GridViewport,
  theme: Theme,
): void {
  if (view.radius < READABLE) return;
  const size = Math.max(8, 0.28 * view.radius);
  c.fillStyle = fade(theme.text1, 0.5);
  for (const cell of grid.cells()) {
    const label = `${coordinate(grid.q[cell])},${coordinate(grid.r[cell])}`;
    text(c, label, view.x(cell), view.y(cell) + 0.74 * view.radius, size);
  }
}
