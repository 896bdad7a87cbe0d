// Explosions: beams that run outward, and the marks that stay while the turn is
// shown.

import { hexagon } from "../../core/canvas.ts";
import type { Grid } from "../../core/grid.ts";
import { fade, paintOf, slotOf, type Theme } from "../../core/theme.ts";
import type { GridViewport } from "../../core/viewport.ts";
import type { Blast } from "./blast.ts";
import type { Frame } from "./frame.ts";
import { front, type TimedBlast } from "./motion.ts";

/** When an explosion begins to fade, as a share of its time. */
const FADE_FROM = 0.45;
/** How long a cell glows in its new colour, in milliseconds. */
const WASH = 160;

/** What all functions here draw with. */
export interface Brush {
  c: CanvasRenderingContext2D;
  grid: Grid;
  view: GridViewport;
  theme: Theme;
  specials: number;
}

function lineOf(b: Brush, color: number): string {
  return paintOf(b.theme, slotOf(color, b.specials)).line;
}

/** Draws the glow of cells that the front has just passed, in their new colour. */
export function drawWashes(
  b: Brush,
  flips: Map<number, number>,
  colors: Uint16Array,
  elapsed: number,
): void {
  const r = b.view.radius * 0.955;
  for (const [cell, at] of flips) {
    const age = elapsed - at;
    if (age < 0 || age > WASH || colors[cell] === 0) continue;
    hexagon(b.c, b.view.x(cell), b.view.y(cell), r);
    b.c.fillStyle = fade(lineOf(b, colors[cell]), 0.75 * (1 - age / WASH));
    b.c.fill();
  }
}

/** Draws an exploding bomb, elapsed milliseconds after it went off. */
export function drawBlast(b: Brush, timed: TimedBlast, elapsed: number, glow: boolean): void {
  if (elapsed < 0 || elapsed > timed.duration) return;
  const { blast, duration } = timed;
  const { c, view, theme } = b;
  const share = elapsed / duration;
  const opacity = share < FADE_FROM ? 1 : 1 - (share - FADE_FROM) / (1 - FADE_FROM);
  const reach = front(elapsed, duration, blast.range);
  const r = view.radius;
  c.save();
  c.translate(view.x(blast.cell), view.y(blast.cell));
  c.scale(r, r);
  const layers: [number, string, number][] = [
    [0.5, theme.edge, 1],
    [0.36, theme.flame, 1],
    [0.17, theme.core, 1],
  ];
  if (glow) layers.unshift([0.8, lineOf(b, blast.color), 0.6]);
  const lengths = blast.rays.map((ray) => Math.min(ray.length + 0.42, reach + 0.42) * Math.sqrt(3));
  for (const [width, color, alpha] of layers) {
    c.globalAlpha = opacity * alpha;
    c.fillStyle = color;
    c.beginPath();
    lengths.forEach((length, direction) => spindle(c, direction, length, width));
    c.fill();
  }
  const disc = 0.65 - 0.39 * Math.min(1, share * 1.6);
  c.globalAlpha = opacity;
  c.fillStyle = theme.flame;
  dot(c, disc);
  c.fillStyle = theme.core;
  dot(c, disc * 0.72);
  c.restore();
}

function dot(c: CanvasRenderingContext2D, r: number): void {
  c.beginPath();
  c.arc(0, 0, r, 0, 2 * Math.PI);
  c.fill();
}

/** Adds a beam from the origin that tapers towards its tip. */
function spindle(
  c: CanvasRenderingContext2D,
  direction: number,
  length: number,
  width: number,
): void {
  const angle = (Math.PI / 3) * (direction - 1);
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const to = (along: number, across: number): [number, number] => [
    along * cos - across * sin,
    along * sin + across * cos,
  ];
  const half = width / 2;
  // A quadratic curve reaches about half of its control point, hence the factors.
  c.moveTo(...to(0, -half * 0.6));
  c.quadraticCurveTo(...to(length * 0.4, -half * 1.7), ...to(length, 0));
  c.quadraticCurveTo(...to(length * 0.4, half * 1.7), ...to(0, half * 0.6));
  c.closePath();
}

/** Draws what stays of explosions while their turn is shown. */
export function drawSettled(b: Brush, blasts: Blast[]): void {
  const { c, view, theme } = b;
  const r = view.radius;
  c.lineCap = "round";
  c.lineWidth = 0.1 * r;
  c.strokeStyle = theme.name === "dark" ? theme.core : theme.edge;
  c.beginPath();
  for (const blast of blasts) {
    for (const ray of blast.rays) {
      if (ray.length === 0) continue;
      const tip = ray.at(-1)!;
      c.moveTo(view.x(blast.cell), view.y(blast.cell));
      c.lineTo(view.x(tip), view.y(tip));
    }
  }
  c.stroke();
  for (const blast of blasts) {
    c.save();
    c.translate(view.x(blast.cell), view.y(blast.cell));
    c.scale(r, r);
    star(c, 0.44, 0.24);
    c.fillStyle = theme.core;
    c.fill();
    c.lineWidth = 0.06;
    c.strokeStyle = theme.edge;
    c.stroke();
    star(c, 0.22, 0.12);
    c.fillStyle = theme.edge;
    c.fill();
    c.restore();
  }
}

function star(c: CanvasRenderingContext2D, outer: number, inner: number): void {
  c.beginPath();
  for (let i = 0; i < 16; i++) {
    const angle = (Math.PI / 8) * i;
    const r = i % 2 ? inner : outer;
    c.lineTo(Math.sin(angle) * r, -Math.cos(angle) * r);
  }
  c.closePath();
}

/** Draws what bombs in their last turn will cover. */
export function drawWarnings(b: Brush, frame: Frame): void {
  const { c, grid, view, theme } = b;
  const r = view.radius;
  const ink = theme.name === "dark" ? theme.core : theme.accent;
  c.lineCap = "round";
  c.strokeStyle = ink;
  for (const bomb of frame.bombs) {
    if (bomb.delay > 1 || bomb.cell < 0) continue;
    const x = view.x(bomb.cell);
    const y = view.y(bomb.cell);
    for (let d = 0; d < 6; d++) {
      const ray = grid.ray(bomb.cell, d, bomb.range);
      if (ray.length === 0) continue;
      const tipX = view.x(ray.at(-1)!);
      const tipY = view.y(ray.at(-1)!);
      const length = Math.hypot(tipX - x, tipY - y);
      const ux = (tipX - x) / length;
      const uy = (tipY - y) / length;
      c.setLineDash([0, 0.3 * r]);
      c.lineWidth = 0.12 * r;
      c.beginPath();
      c.moveTo(x + ux * r * 0.9, y + uy * r * 0.9);
      c.lineTo(tipX, tipY);
      c.stroke();
      c.setLineDash([]);
      c.lineWidth = 0.08 * r;
      c.beginPath();
      c.moveTo(tipX - uy * 0.26 * r, tipY + ux * 0.26 * r);
      c.lineTo(tipX + uy * 0.26 * r, tipY - ux * 0.26 * r);
      c.stroke();
    }
  }
}

/** Draws crosses on cells that became free because bombs of different owners were equally close. */
export function drawConflicts(b: Brush, frame: Frame, shown: (cell: number) => boolean): void {
  const { c, grid, view, theme } = b;
  const half = 0.2 * view.radius;
  c.lineCap = "round";
  c.lineWidth = 0.09 * view.radius;
  c.strokeStyle = theme.text1;
  c.beginPath();
  for (const at of frame.explosions?.["0"] ?? []) {
    const cell = grid.at(at.q, at.r);
    if (cell < 0 || !shown(cell)) continue;
    const x = view.x(cell);
    const y = view.y(cell);
    c.moveTo(x - half, y - half);
    c.lineTo(x + half, y + half);
    c.moveTo(x - half, y + half);
    c.lineTo(x + half, y - half);
  }
  c.stroke();
}
