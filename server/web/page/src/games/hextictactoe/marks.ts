// The marks on the endless board: the last moves, the winning row, considered moves,
// and coordinates.

import { hexagon, text } from "../../core/canvas.ts";
import { type Coord, keyOf, SQRT3 } from "../../core/plane.ts";
import { fade, type Theme } from "../../core/theme.ts";
import { runs } from "./field.ts";
import type { Scene } from "./scene.ts";
import { inkOf, slotOfSide, SYMBOLS } from "./stones.ts";
import type { Side } from "./story.ts";
import type { EndlessViewport } from "./viewport.ts";
import { place } from "./words.ts";

type Canvas = CanvasRenderingContext2D;

/** The number of considered moves that are marked. */
const MARKED = 4;

/** Draws outlines around the last move, and dashed ones around the move before. */
export function drawMoves(c: Canvas, view: EndlessViewport, theme: Theme, scene: Scene): void {
  const [before, last] =
    scene.previous.length > 1 ? scene.previous : [undefined, scene.previous[0]];
  c.lineJoin = "round";
  c.lineWidth = 0.12 * view.radius;
  if (before) {
    c.setLineDash([0.24 * view.radius, 0.2 * view.radius]);
    c.strokeStyle = fade(theme.accent, 0.6);
    for (const p of before.pieces) outline(c, view, p);
    c.setLineDash([]);
  }
  c.strokeStyle = theme.accent;
  for (const p of last?.pieces ?? []) outline(c, view, p);
}

/** Draws outlines around pieces that the viewer points at elsewhere. */
export function drawPointed(
  c: Canvas,
  view: EndlessViewport,
  theme: Theme,
  pieces: readonly Coord[],
): void {
  c.lineJoin = "round";
  c.lineWidth = 0.2 * view.radius;
  c.strokeStyle = theme.accent;
  for (const p of pieces) outline(c, view, p);
}

function outline(c: Canvas, view: EndlessViewport, at: Coord, share = 0.97): void {
  const { x, y } = view.at(at);
  hexagon(c, x, y, share * view.radius);
  c.stroke();
}

function outlineIn(c: Canvas, view: EndlessViewport, at: Coord, color: string): void {
  c.lineWidth = 0.09 * view.radius;
  c.lineJoin = "round";
  c.strokeStyle = color;
  outline(c, view, at, 0.9);
}

/** Makes a path of a capsule around a row. */
function capsule(c: Canvas, view: EndlessViewport, from: Coord, to: Coord): void {
  const reach = 0.98 * view.radius;
  const a = view.at(from);
  const b = view.at(to);
  const angle = Math.atan2(b.y - a.y, b.x - a.x);
  c.beginPath();
  c.arc(b.x, b.y, reach, angle - Math.PI / 2, angle + Math.PI / 2);
  c.arc(a.x, a.y, reach, angle + Math.PI / 2, angle - Math.PI / 2);
  c.closePath();
}

/** Draws a dotted capsule around each row that one more move would complete. */
export function drawThreats(c: Canvas, view: EndlessViewport, theme: Theme, scene: Scene): void {
  c.lineWidth = 0.12 * view.radius;
  c.lineCap = "round";
  c.setLineDash([0, 0.3 * view.radius]);
  for (const { side, from, to } of scene.threats) {
    capsule(c, view, from, to);
    c.strokeStyle = theme.players[slotOfSide(side)].line;
    c.stroke();
  }
  c.setLineDash([]);
  c.lineCap = "butt";
}

/** Draws a capsule around each winning row. */
export function drawWins(c: Canvas, view: EndlessViewport, theme: Theme, scene: Scene): void {
  for (const [from, to] of runs(scene.row, scene.win)) {
    capsule(c, view, from, to);
    c.lineWidth = 0.15 * view.radius;
    c.strokeStyle = theme.accent;
    c.shadowColor = fade(theme.accent, 0.5);
    c.shadowBlur = 0.5 * view.radius;
    c.stroke();
    c.shadowBlur = 0;
  }
}

/** Draws hollow symbols with their ranks. Cells with stones get only the label of a judge. */
export function drawConsidered(c: Canvas, view: EndlessViewport, theme: Theme, scene: Scene): void {
  const taken = new Set(scene.pieces.map(keyOf));
  const sides = new Map(scene.pieces.map((p) => [keyOf(p), p.p]));
  const label = (x: number, y: number, what: string, on?: Side) => {
    c.fillStyle = on ? inkOf(theme, on) : theme.text1;
    text(c, what, x + 0.56 * view.radius, y - 0.42 * view.radius, Math.max(10, 0.38 * view.radius));
  };
  const { line } = theme.players[slotOfSide(scene.side)];
  scene.considered.slice(0, MARKED).forEach((move, rank) => {
    for (const at of move.pieces) {
      const key = keyOf(at);
      const { x, y } = view.at(at);
      if (!taken.has(key)) {
        drawHollow(c, view, theme, x, y, scene.side, line);
        if (move.label) outlineIn(c, view, at, line);
      }
      if (!taken.has(key) || move.label)
        label(x, y, move.label ?? String(rank + 1), sides.get(key));
      taken.add(key);
    }
  });
}

function drawHollow(
  c: Canvas,
  view: EndlessViewport,
  theme: Theme,
  x: number,
  y: number,
  side: Side,
  line: string,
): void {
  c.save();
  c.translate(x, y);
  c.scale(view.radius, view.radius);
  c.lineCap = "round";
  const symbol = new Path2D(SYMBOLS[side]);
  c.lineWidth = 0.22;
  c.strokeStyle = line;
  c.stroke(symbol);
  c.lineWidth = 0.1;
  c.strokeStyle = theme.stage;
  c.stroke(symbol);
  c.restore();
}

/** The least cell radius with room for coordinates. */
const READABLE = 16;

/** Draws the coordinates of cells, if there is room. */
export function drawCoordinates(
  c: Canvas,
  view: EndlessViewport,
  theme: Theme,
  cells: Iterable<Coord>,
): void {
  if (view.radius < READABLE) return;
  c.fillStyle = fade(theme.text1, 0.5);
  const size = Math.max(8, Math.min(0.28 * view.radius, (0.36 * SQRT3 * view.radius) / 2));
  for (const at of cells) {
    const { x, y } = view.at(at);
    text(c, place(at), x, y + 0.72 * view.radius, size);
  }
}

/** Draws on each piece the number of its move, if there is room. */
export function drawNumbers(c: Canvas, view: EndlessViewport, theme: Theme, scene: Scene): void {
  if (view.radius < READABLE) return;
  const size = Math.max(8, 0.3 * view.radius);
  scene.pieces.forEach((piece, i) => {
    if (scene.numbers[i] === 0) return; // there from the start
    c.fillStyle = theme.text1;
    const { x, y } = view.at(piece);
    text(c, String(scene.numbers[i]), x, y - 0.62 * view.radius, size);
  });
}
