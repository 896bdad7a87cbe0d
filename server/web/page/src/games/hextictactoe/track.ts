// The band on the timeline: the thinking time of each move.

import type { Track } from "../../core/board.ts";
import type { Session } from "../../core/session.ts";
import { storyOf } from "./match.ts";
import { slotOfSide } from "./stones.ts";

/** The gap between bars, and their least height, in pixels. */
const GAP = 3;
const LEAST = 4;

/** Draws a bar for each move, in the colour of its side. */
export function drawTrack(
  c: CanvasRenderingContext2D,
  session: Session,
  x: (turn: number) => number,
  track: Track,
): void {
  const story = storyOf(session);
  if (!story) return;
  // With a square root, short moves stay visible beside a long one.
  const longest = Math.sqrt(Math.max(1, ...story.positions.map((p) => p.thinking)));
  for (let turn = story.first + 1; turn < story.positions.length; turn++) {
    const p = story.positions[turn];
    const side = p.previous.at(-1)?.side;
    if (!side) continue;
    const left = x(turn - 1);
    const width = x(turn) - left;
    const gap = width > 3 * GAP ? GAP : 0;
    const height = LEAST + (track.height - LEAST - 2) * (Math.sqrt(p.thinking) / longest);
    c.fillStyle = session.theme.players[slotOfSide(side)].strong;
    c.beginPath();
    c.roundRect(
      left + gap / 2,
      track.top + track.height - height,
      Math.max(1, width - gap),
      height,
      Math.min(3, width / 4),
    );
    c.fill();
  }
}
