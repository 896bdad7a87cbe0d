// What a bot marks on the board: cells, lines, arrows and texts.

import type { DebugCell } from "../../core/botoutput.ts";
import { FONT, hexagon } from "../../core/canvas.ts";
import type { Grid } from "../../core/grid.ts";
import { type Coord, planeX, planeY } from "../../core/plane.ts";
import { colorOf, fade, type Theme } from "../../core/theme.ts";
import type { GridViewport } from "../../core/viewport.ts";

/** What marks are drawn with; taken are the cells with pieces. */
export interface Marking {
  c: CanvasRenderingContext2D;
  grid: Grid;
  view: GridViewport;
  theme: Theme;
  taken: ReadonlySet<number>;
}

interface Place {
  x: number;
  y: number;
}

/** In cell radii: the width of lines, the length of the two strokes of an arrow's head, and their angle to its shaft. */
const LINE = 0.13;
const HEAD = 0.42;
const SPREAD = 2.6;

/** Draws the marks in their order, so that later ones lie on top, and their labels above all of them. Lines and texts may be beside the board. */
export function drawDebug(m: Marking, marks: readonly DebugCell[]): void {
  const { c, grid, view } = m;
  c.lineJoin = c.lineCap = "round";
  c.textAlign = "center";
  c.textBaseline = "middle";
  for (const mark of marks) {
    const cell = grid.at(mark.q, mark.r);
    if (mark.shape === "line" || mark.shape === "arrow")
      drawLine(m, mark, placeOf(view, mark), placeOf(view, mark.to));
    else if (mark.shape === "cell" && cell >= 0) drawCell(m, mark, cell);
  }
  for (const mark of marks) {
    const cell = grid.at(mark.q, mark.r);
    const [from, to] = [placeOf(view, mark), placeOf(view, mark.shape === "text" ? mark : mark.to)];
    if (!mark.label) continue;
    if (mark.shape !== "cell")
      write(
        m,
        mark.label,
        (from.x + to.x) / 2,
        (from.y + to.y) / 2,
        Math.max(10, 0.44 * view.radius),
      );
    else if (cell >= 0) drawLabel(m, mark, cell);
  }
}

function placeOf({ originX, originY, radius }: GridViewport, at: Coord): Place {
  return { x: originX + planeX(at) * radius, y: originY + planeY(at) * radius };
}

function drawCell({ c, view, theme }: Marking, mark: DebugCell, cell: number): void {
  const color = colorOf(theme, mark.color);
  hexagon(c, view.x(cell), view.y(cell), 0.86 * view.radius);
  c.fillStyle = fade(color, 0.38);
  c.fill();
  c.lineWidth = 0.09 * view.radius;
  c.strokeStyle = color;
  c.stroke();
}

/** Draws a line between two places, on a wider one, so that it is seen on its own colour. */
function drawLine(
  { c, view, theme }: Marking,
  mark: DebugCell,
  from: Place,
  { x, y }: Place,
): void {
  const r = view.radius;
  const angle = Math.atan2(y - from.y, x - from.x);
  for (const [color, width] of [
    [theme.stage, 2 * LINE],
    [colorOf(theme, mark.color), LINE],
  ] as const) {
    c.strokeStyle = color;
    c.lineWidth = Math.max(1.5, width * r);
    c.beginPath();
    c.moveTo(from.x, from.y);
    c.lineTo(x, y);
    for (const turn of mark.shape === "arrow" ? [-SPREAD, SPREAD] : []) {
      c.moveTo(x, y);
      c.lineTo(x + Math.cos(angle + turn) * HEAD * r, y + Math.sin(angle + turn) * HEAD * r);
    }
    c.stroke();
  }
}

/** Draws the label of a marked cell. On a cell with a piece it stands above the piece's number. */
function drawLabel(m: Marking, mark: DebugCell, cell: number): void {
  const { view, taken } = m;
  const share = taken.has(cell) || mark.label.length > 2 ? 0.44 : 0.66;
  write(
    m,
    mark.label,
    view.x(cell),
    view.y(cell) + (taken.has(cell) ? -0.5 : 0.03) * view.radius,
    Math.max(9, share * view.radius),
  );
}

function write({ c, theme }: Marking, label: string, x: number, y: number, size: number): void {
  c.font = `700 ${size}px ${FONT}`;
  c.lineWidth = 0.28 * size;
  c.strokeStyle = fade(theme.stage, 0.85);
  c.strokeText(label, x, y);
  c.fillStyle = theme.text1;
  c.fillText(label, x, y);
}
