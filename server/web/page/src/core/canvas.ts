// Drawing that all boards share.

import type { Pointing, Viewport } from "./board.ts";
import { CORNERS } from "./plane.ts";
import type { Theme } from "./theme.ts";

export const FONT = 'Inter, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif';

/** Begins a path: the outline of a cell with this centre and radius; flat: with an edge at the top. */
export function hexagon(
  c: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  flat = false,
): void {
  c.beginPath();
  for (const p of CORNERS)
    c.lineTo(x + (flat ? p.y : p.x) * radius, y + (flat ? p.x : p.y) * radius);
  c.closePath();
}

/** Draws text centred on a point. Vertically it centres capitals, since digits have no descenders. */
export function text(
  c: CanvasRenderingContext2D,
  s: string,
  x: number,
  y: number,
  size: number,
): void {
  c.save();
  c.translate(x, y);
  // Browsers round tiny font sizes, so the text is set large and scaled down.
  c.scale(size / 100, size / 100);
  c.font = `700 100px ${FONT}`;
  c.textAlign = "center";
  c.textBaseline = "alphabetic";
  c.fillText(s, 0, 36);
  c.restore();
}

/** Draws the ring around the cell that the viewer points at. */
export function drawRing(
  c: CanvasRenderingContext2D,
  view: Viewport,
  theme: Theme,
  pointing: Pointing,
  flat = false,
): void {
  if (pointing.cell < 0) return;
  hexagon(c, view.x(pointing.cell), view.y(pointing.cell), 0.97 * view.radius, flat);
  c.lineWidth = (pointing.firm ? 0.14 : 0.08) * view.radius;
  c.lineJoin = "round";
  c.strokeStyle = theme.accent;
  c.stroke();
}
