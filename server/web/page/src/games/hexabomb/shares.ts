// The band on the timeline: the players' shares of the board.

import type { Track } from "../../core/board.ts";
import type { Session } from "../../core/session.ts";
import { paintOf, RING, ringsOf } from "../../core/theme.ts";
import { storyOf } from "./story.ts";

/** Layers that are thinner than this on average, in pixels, have no lines: these would hide them. */
const LINED_FROM = 6;

/** Draws the shares stacked in the order of the seats, so that a player keeps its place. */
export function drawShares(
  c: CanvasRenderingContext2D,
  session: Session,
  x: (turn: number) => number,
  track: Track,
): void {
  const { store, theme } = session;
  const story = storyOf(session);
  if (!story) return;
  const { cells } = story.chronicle;
  const size = Math.max(1, story.grid.size);
  // At most one point per pixel.
  const stride = Math.max(1, Math.floor(store.last / Math.max(1, x(store.last))));
  const turns: number[] = [];
  for (let t = 0; t < store.last; t += stride) turns.push(t);
  turns.push(store.last);
  const below = turns.map(() => 0);
  cells.forEach((line, p) => {
    const y = (i: number) => track.top + track.height * (1 - below[i] / size);
    const edge = turns.map((_, i) => ({ x: x(turns[i]), y: y(i) }));
    turns.forEach((t, i) => (below[i] += line[t] ?? 0));
    c.beginPath();
    turns.forEach((_, i) => c.lineTo(x(turns[i]), y(i)));
    for (const e of edge.reverse()) c.lineTo(e.x, e.y);
    c.closePath();
    c.fillStyle = paintOf(theme, session.slot(p)).strong;
    c.fill();
    if (track.height / cells.length < LINED_FROM) return;
    c.strokeStyle = theme.panel;
    c.lineWidth = 1;
    c.stroke();
    // The dark rings of a colour that is used again are lines along its layer.
    for (let ring = 1; ring <= ringsOf(session.slot(p)); ring++) {
      const share = ring / (ringsOf(session.slot(p)) + 1);
      c.beginPath();
      turns.forEach((t, i) =>
        c.lineTo(x(t), y(i) + (track.height * share * (line[t] ?? 0)) / size),
      );
      c.strokeStyle = RING;
      c.lineWidth = 2;
      c.stroke();
    }
  });
}
