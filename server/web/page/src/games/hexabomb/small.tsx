// A small board: who holds what after a turn, and what one player lost or won in it.

import { useEffect, useRef } from "preact/hooks";
import { hexagon } from "../../core/canvas.ts";
import type { SmallProps } from "../../core/gameview.ts";
import type { Session } from "../../core/session.ts";
import { paintOf, slotOf } from "../../core/theme.ts";
import type { Frame } from "./frame.ts";
import { type BombStory, storyOf } from "./story.ts";

/** Free space around the board, and the radius of a piece, in cell radii. */
const PADDING = 0.6;
const PIECE = 0.62;

export function Small({ session, turn, player = -1, width, height }: SmallProps & { session: Session }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const story = storyOf(session);
  useEffect(() => {
    if (story && canvas.current) draw(canvas.current, session, story, turn, player);
  }, [story, turn, player, session.theme, width, height]);
  return <canvas ref={canvas} class="small" style={{ width: `${width}px`, height: `${height}px` }} aria-hidden="true" />;
}

function draw(canvas: HTMLCanvasElement, session: Session, story: BombStory, turn: number, player: number): void {
  const { theme, store } = session;
  const ratio = Math.min(devicePixelRatio || 1, 2);
  const { left, right, top, bottom } = story.grid.bounds;
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const c = canvas.getContext("2d")!;
  const scale = Math.min(width / (right - left + PADDING), height / (bottom - top + PADDING));
  c.setTransform(scale * ratio, 0, 0, scale * ratio, (canvas.width - (left + right) * scale * ratio) / 2, (canvas.height - (top + bottom) * scale * ratio) / 2);
  const { grid } = story;
  const frame = story.frame(turn);
  const before = turn > 0 ? story.frame(turn - 1) : frame;
  const specials = store.start?.specials ?? 0;
  const changed: number[] = [];
  for (const cell of grid.cells()) {
    const color = frame.colors[cell];
    hexagon(c, grid.x[cell], grid.y[cell], 0.97);
    c.fillStyle = color === 0 ? theme.freeFill : paintOf(theme, slotOf(color, specials)).fill;
    c.fill();
    if (player >= 0 && color !== before.colors[cell] && (color === player + 1 || before.colors[cell] === player + 1)) changed.push(cell);
  }
  // What the player lost or won in this turn has a bright edge.
  c.strokeStyle = theme.accent;
  c.lineWidth = Math.max(0.22, 1.2 / scale);
  for (const cell of changed) {
    hexagon(c, grid.x[cell], grid.y[cell], 0.85);
    c.stroke();
  }
  drawPieces(c, session, story, frame, before);
}

function drawPieces(c: CanvasRenderingContext2D, { theme, store }: Session, { grid }: BombStory, frame: Frame, before: Frame): void {
  const specials = store.start?.specials ?? 0;
  const dot = (cell: number, color: string, radius: number) => {
    c.beginPath();
    c.arc(grid.x[cell], grid.y[cell], radius, 0, 2 * Math.PI);
    c.fillStyle = color;
    c.fill();
  };
  for (const bomb of frame.bombs) dot(bomb.cell, theme.bomb, PIECE);
  c.lineWidth = 0.34;
  c.lineCap = "round";
  for (const one of frame.characters) {
    const cell = grid.at(one.q, one.r);
    if (cell < 0) continue;
    if (one.alive) {
      dot(cell, "#FFFFFF", PIECE);
      dot(cell, paintOf(theme, slotOf(one.color, specials)).body, PIECE - 0.16);
    } else if (before.characters[one.id]?.alive) {
      cross(c, grid.x[cell], grid.y[cell], theme.text1);
    }
  }
}

/** Marks a death of this turn. */
function cross(c: CanvasRenderingContext2D, x: number, y: number, color: string): void {
  c.strokeStyle = color;
  c.beginPath();
  c.moveTo(x - 0.55, y - 0.55);
  c.lineTo(x + 0.55, y + 0.55);
  c.moveTo(x + 0.55, y - 0.55);
  c.lineTo(x - 0.55, y + 0.55);
  c.stroke();
}
