// A small board: the pieces after a turn, of which the last move and a row that won stand out.

import { hexagon } from "../../core/canvas.ts";
import type { SmallProps } from "../../core/gameview.ts";
import { keyOf, planeX } from "../../core/plane.ts";
import type { Session } from "../../core/session.ts";
import { mix, type Theme } from "../../core/theme.ts";
import { SmallCanvas } from "../../ui/smallcanvas.tsx";
import { storyOf } from "./match.ts";
import { slotOfSide } from "./stones.ts";
import type { Piece, Position } from "./story.ts";
import { boundsOf, planeY } from "./viewport.ts";

/** How far other pieces fade into the background. */
const FADED = 0.35;

export function Small({ session, turn, width, height }: SmallProps & { session: Session }) {
  const story = storyOf(session);
  if (!story) return null;
  const position = story.at(turn);
  const pieces = story.pieces.slice(0, position.pieces);
  return (
    <SmallCanvas
      width={width}
      height={height}
      bounds={boundsOf(pieces)}
      keys={[story, turn, position, session.theme]}
      draw={(c, pixel) => draw(c, pixel, session.theme, pieces, position)}
    />
  );
}

function draw(
  c: CanvasRenderingContext2D,
  pixel: number,
  theme: Theme,
  pieces: readonly Piece[],
  { row, previous }: Position,
): void {
  const shown = row.length > 0 ? row : (previous.at(-1)?.pieces ?? []);
  const bright = new Set(shown.map(keyOf));
  for (const p of pieces) {
    const { strong } = theme.players[slotOfSide(p.p)];
    hexagon(c, planeX(p), planeY(p), 0.955);
    c.fillStyle = bright.has(keyOf(p)) ? strong : mix(strong, theme.stage, FADED);
    c.fill();
  }
  c.strokeStyle = theme.text1;
  c.lineWidth = Math.max(0.16, 1.2 * pixel);
  for (const at of shown) {
    hexagon(c, planeX(at), planeY(at), 0.85);
    c.stroke();
  }
}
