// Cells that have another owner than in another position, hatched in the colour of the other owner.

import type { Viewport } from "./board.ts";
import { hexagon } from "./canvas.ts";
import type { Shown } from "./gameview.ts";
import { fade, paintOf } from "./theme.ts";

/** The distance and the width of the lines, in radii of a cell. */
const STEP = 0.42;
const WIDTH = 0.17;

/** Hatches cells on a board whose owners differ; owners are players by cell, or -1. Returns what each player has won and lost. */
export function hatch(
  c: CanvasRenderingContext2D,
  { theme, store, slot }: Pick<Shown["session"], "theme" | "store" | "slot">,
  view: Viewport,
  owners: ArrayLike<number>,
  before: ArrayLike<number>,
  flat = false,
): { won: number; lost: number }[] {
  const changes = store.seats.map(() => ({ won: 0, lost: 0 }));
  c.lineCap = "butt";
  for (let cell = 0; cell < owners.length; cell++) {
    const [now, then] = [owners[cell], before[cell]];
    if (now === then) continue;
    if (changes[now]) changes[now].won++;
    if (changes[then]) changes[then].lost++;
    const [x, y, r] = [view.x(cell), view.y(cell), view.radius];
    c.save();
    hexagon(c, x, y, 0.9 * r, flat);
    c.clip();
    c.beginPath();
    for (let at = -2 * r; at < 2 * r; at += STEP * r) {
      c.moveTo(x + at - r, y + r);
      c.lineTo(x + at + r, y - r);
    }
    c.lineWidth = WIDTH * r;
    const paint = changes[then] ? paintOf(theme, slot(then)) : null;
    c.strokeStyle = paint ? (theme.name === "dark" ? paint.line : paint.body) : theme.text2;
    c.stroke();
    c.restore();
    hexagon(c, x, y, 0.86 * r, flat);
    c.lineWidth = Math.max(1, 0.07 * r);
    c.strokeStyle = fade(theme.text1, 0.6);
    c.stroke();
  }
  return changes;
}
