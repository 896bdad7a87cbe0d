// The slab below the cells, with its shadow. It is drawn once per size of the board.

import type { Grid } from "../../core/grid.ts";
import { CORNERS } from "../../core/plane.ts";
import type { Theme } from "../../core/theme.ts";
import type { GridViewport } from "../../core/viewport.ts";

/** Returns the picture of the slab, as large as the canvas like. */
export function drawSlab(
  like: HTMLCanvasElement,
  grid: Grid,
  view: GridViewport,
  theme: Theme,
  ratio: number,
): HTMLCanvasElement {
  const slab = document.createElement("canvas");
  slab.width = like.width;
  slab.height = like.height;
  const c = slab.getContext("2d")!;
  c.scale(ratio, ratio);
  const r = view.radius;
  c.beginPath();
  for (const cell of grid.cells()) {
    const x = view.x(cell);
    const y = view.y(cell);
    c.moveTo(x + CORNERS[0].x * r, y + CORNERS[0].y * r);
    for (const p of CORNERS.slice(1)) c.lineTo(x + p.x * r, y + p.y * r);
    c.closePath();
  }
  c.lineJoin = "round";
  c.lineWidth = 0.42 * r;
  c.strokeStyle = theme.rim;
  c.shadowColor = theme.name === "dark" ? "#00000073" : "#475A7847";
  // The canvas does not scale shadows.
  c.shadowBlur = 1.1 * r * ratio;
  c.shadowOffsetY = 0.35 * r * ratio;
  c.stroke();
  return slab;
}
