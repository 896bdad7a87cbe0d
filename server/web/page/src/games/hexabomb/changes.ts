// The cells that have another owner than in another position of the board, hatched in the colour of the other owner.

import { hexagon } from "../../core/canvas.ts";
import type { DrawChanges } from "../../core/gameview.ts";
import { fade, paintOf } from "../../core/theme.ts";
import { GridBoard } from "./board.ts";
import { BombStory } from "./story.ts";

/** The distance and the width of the lines, in radii of a cell. */
const STEP = 0.42;
const WIDTH = 0.17;

export const drawChanges: DrawChanges = (c, { session, turn }, other) => {
  const [now, then] = [session.store.story, other.session.store.story];
  const { board, theme } = session;
  if (!(now instanceof BombStory) || !(then instanceof BombStory) || !(board instanceof GridBoard)) return [];
  const [colors, before] = [now.frame(turn).colors, then.frame(other.turn).colors];
  if (colors.length !== before.length) return [];
  const { view } = board;
  const changes = session.store.seats.map(() => ({ won: 0, lost: 0 }));
  c.lineCap = "butt";
  for (const cell of now.grid.cells()) {
    if (colors[cell] === before[cell]) continue;
    if (colors[cell] > 0) changes[colors[cell] - 1].won++;
    if (before[cell] > 0) changes[before[cell] - 1].lost++;
    const [x, y, r] = [view.x(cell), view.y(cell), view.radius];
    c.save();
    hexagon(c, x, y, 0.9 * r);
    c.clip();
    c.beginPath();
    for (let at = -2 * r; at < 2 * r; at += STEP * r) {
      c.moveTo(x + at - r, y + r);
      c.lineTo(x + at + r, y - r);
    }
    c.lineWidth = WIDTH * r;
    const paint = before[cell] > 0 ? paintOf(theme, session.slot(before[cell] - 1)) : null;
    c.strokeStyle = paint ? (theme.name === "dark" ? paint.line : paint.body) : theme.text2;
    c.stroke();
    c.restore();
    hexagon(c, x, y, 0.86 * r);
    c.lineWidth = Math.max(1, 0.07 * r);
    c.strokeStyle = fade(theme.text1, 0.6);
    c.stroke();
  }
  return changes;
};
