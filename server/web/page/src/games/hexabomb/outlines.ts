// The outlines of owners: an owner's adjacent cells form one area, with a line inside
// its border and a gap along it.

import type { Grid } from "../../core/grid.ts";
import { CORNERS } from "../../core/plane.ts";
import { paintOf, slotOf, type Theme } from "../../core/theme.ts";
import type { GridViewport } from "../../core/viewport.ts";

/** Widths in cell radii. */
const GAP = 0.085;
const WIDTH = 0.12;
const STRONG_WIDTH = 0.17;

/** Draws the outlines within some cells. */
export function drawOutlines(
  c: CanvasRenderingContext2D,
  grid: Grid,
  view: GridViewport,
  theme: Theme,
  specials: number,
  colors: Uint16Array,
  strong: boolean,
  cells: Iterable<number>,
): void {
  const width = strong ? STRONG_WIDTH : WIDTH;
  const inset = (GAP + width) / 2 / Math.cos(Math.PI / 6);
  const lines = new Map<number, Path2D>();
  const gaps = new Path2D();
  const r = view.radius;
  for (const cell of cells) {
    const color = colors[cell];
    if (color === 0) continue;
    const other = (edge: number) => {
      const n = grid.neighbours[6 * cell + edge];
      return n < 0 || colors[n] !== color;
    };
    const x = view.x(cell);
    const y = view.y(cell);
    for (let edge = 0; edge < 6; edge++) {
      if (!other(edge)) continue;
      const from = CORNERS[edge];
      const to = CORNERS[(edge + 1) % 6];
      gaps.moveTo(x + from.x * r, y + from.y * r);
      gaps.lineTo(x + to.x * r, y + to.y * r);
      // At its ends, the line follows the border into this cell, or along the neighbour's edge.
      const a = inner(edge, other((edge + 5) % 6), (edge + 5) % 6, inset);
      const b = inner((edge + 1) % 6, other((edge + 1) % 6), (edge + 2) % 6, inset);
      let path = lines.get(color);
      if (!path) lines.set(color, (path = new Path2D()));
      path.moveTo(x + a.x * r, y + a.y * r);
      path.lineTo(x + b.x * r, y + b.y * r);
    }
  }
  c.lineCap = c.lineJoin = "round";
  c.lineWidth = width * r;
  for (const [color, path] of lines) {
    c.strokeStyle = paintOf(theme, slotOf(color, specials)).line;
    c.stroke(path);
  }
  c.lineWidth = GAP * r;
  c.strokeStyle = theme.gap;
  c.stroke(gaps);
}

function inner(
  corner: number,
  convex: boolean,
  towards: number,
  inset: number,
): { x: number; y: number } {
  const p = CORNERS[corner];
  if (convex) return { x: p.x * (1 - inset), y: p.y * (1 - inset) };
  const t = CORNERS[towards];
  return { x: p.x + (t.x - p.x) * inset, y: p.y + (t.y - p.y) * inset };
}
