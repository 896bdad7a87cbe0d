// A small board: who holds what after a turn, and what one player lost or won in it.

import { hexagon } from "../../core/canvas.ts";
import type { SmallProps } from "../../core/gameview.ts";
import type { Bounds } from "../../core/grid.ts";
import type { Session } from "../../core/session.ts";
import { paintOf, slotOf } from "../../core/theme.ts";
import { SmallCanvas } from "../../ui/smallcanvas.tsx";
import type { Frame } from "./frame.ts";
import { type BombStory, storyOf } from "./story.ts";

/** Free space around the board, and the radius of a piece, in cell radii. */
const PADDING = 0.3;
const PIECE = 0.62;

export function Small({
  session,
  turn,
  player = -1,
  width,
  height,
}: SmallProps & { session: Session }) {
  const story = storyOf(session);
  return (
    <SmallCanvas
      width={width}
      height={height}
      bounds={story && enlarged(story.grid.bounds)}
      keys={[story, turn, player, session.theme]}
      draw={(c, pixel) => draw(c, pixel, session, story!, turn, player)}
    />
  );
}

function enlarged({ left, right, top, bottom }: Bounds): Bounds {
  return {
    left: left - PADDING,
    right: right + PADDING,
    top: top - PADDING,
    bottom: bottom + PADDING,
  };
}

function draw(
  c: CanvasRenderingContext2D,
  pixel: number,
  session: Session,
  story: BombStory,
  turn: number,
  player: number,
): void {
  const { theme, store } = session;
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
    if (
      player >= 0 &&
      color !== before.colors[cell] &&
      (color === player + 1 || before.colors[cell] === player + 1)
    )
      changed.push(cell);
  }
  // What the player lost or won in this turn has a bright edge.
  c.strokeStyle = theme.accent;
  c.lineWidth = Math.max(0.22, 1.2 * pixel);
  for (const cell of changed) {
    hexagon(c, grid.x[cell], grid.y[cell], 0.85);
    c.stroke();
  }
  drawPieces(c, session, story, frame, before);
}

function drawPieces(
  c: CanvasRenderingContext2D,
  { theme, store }: Session,
  { grid }: BombStory,
  frame: Frame,
  before: Frame,
): void {
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
