// The cells that a bot marks on the board.

import type { DebugCell } from "../../core/botoutput.ts";
import { FONT, hexagon } from "../../core/canvas.ts";
import type { Grid } from "../../core/grid.ts";
import { colorOf, fade, type Theme } from "../../core/theme.ts";
import type { GridViewport } from "../../core/viewport.ts";

/** Draws the marks in their order, so that later ones lie on top. */
export function drawDebug(c: CanvasRenderingContext2D, grid: Grid, view: GridViewport, theme: Theme, cells: readonly DebugCell[], taken: ReadonlySet<number>): void {
  const { radius } = view;
  c.lineJoin = "round";
  c.textAlign = "center";
  c.textBaseline = "middle";
  for (const mark of cells) {
    const cell = grid.at(mark.q, mark.r);
    if (cell < 0) continue;
    const color = colorOf(theme, mark.color);
    hexagon(c, view.x(cell), view.y(cell), 0.86 * radius);
    c.fillStyle = fade(color, 0.38);
    c.fill();
    c.lineWidth = 0.09 * radius;
    c.strokeStyle = color;
    c.stroke();
  }
  for (const mark of cells) if (mark.label) drawLabel(c, grid, view, theme, mark, taken);
}

/** Draws the label of a mark. On a cell with a piece it stands above the piece's number. */
function drawLabel(c: CanvasRenderingContext2D, grid: Grid, view: GridViewport, theme: Theme, mark: DebugCell, taken: ReadonlySet<number>): void {
  const cell = grid.at(mark.q, mark.r);
  if (cell < 0) return;
  const share = taken.has(cell) || mark.label.length > 2 ? 0.44 : 0.66;
  const size = Math.max(9, share * view.radius);
  c.font = `700 ${size}px ${FONT}`;
  const x = view.x(cell);
  const y = view.y(cell) + (taken.has(cell) ? -0.5 : 0.03) * view.radius;
  c.lineWidth = 0.28 * size;
  c.strokeStyle = fade(theme.stage, 0.85);
  c.strokeText(mark.label, x, y);
  c.fillStyle = theme.text1;
  c.fillText(mark.label, x, y);
}
