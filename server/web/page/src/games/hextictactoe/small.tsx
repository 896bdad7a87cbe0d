// A small board: the pieces after a turn, of which the last move and a row that won stand out.

import { useEffect, useRef } from "preact/hooks";
import { hexagon } from "../../core/canvas.ts";
import type { SmallProps } from "../../core/gameview.ts";
import { keyOf, planeX } from "../../core/plane.ts";
import type { Session } from "../../core/session.ts";
import { mix } from "../../core/theme.ts";
import { storyOf } from "./match.ts";
import { slotOfSide } from "./stones.ts";
import type { GameStory } from "./story.ts";
import { boundsOf, planeY } from "./viewport.ts";

/** How far other pieces fade into the background. */
const FADED = 0.35;

export function Small({ session, turn, width, height }: SmallProps & { session: Session }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const story = storyOf(session);
  useEffect(() => {
    if (story && canvas.current) draw(canvas.current, session, story, turn);
  }, [story, turn, session.theme, width, height]);
  return <canvas ref={canvas} class="small" style={{ width: `${width}px`, height: `${height}px` }} aria-hidden="true" />;
}

function draw(canvas: HTMLCanvasElement, { theme }: Session, story: GameStory, turn: number): void {
  const ratio = Math.min(devicePixelRatio || 1, 2);
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const position = story.at(turn);
  const pieces = story.pieces.slice(0, position.pieces);
  const { left, right, top, bottom } = boundsOf(pieces);
  const c = canvas.getContext("2d")!;
  const scale = Math.min(width / (right - left), height / (bottom - top)) * ratio;
  c.setTransform(scale, 0, 0, scale, (canvas.width - (left + right) * scale) / 2, (canvas.height - (top + bottom) * scale) / 2);
  const shown = position.row.length > 0 ? position.row : (position.previous.at(-1)?.pieces ?? []);
  const bright = new Set(shown.map(keyOf));
  for (const p of pieces) {
    const { strong } = theme.players[slotOfSide(p.p)];
    hexagon(c, planeX(p), planeY(p), 0.955);
    c.fillStyle = bright.has(keyOf(p)) ? strong : mix(strong, theme.stage, FADED);
    c.fill();
  }
  c.strokeStyle = theme.text1;
  c.lineWidth = Math.max(0.16, (1.2 * ratio) / scale);
  for (const at of shown) {
    hexagon(c, planeX(at), planeY(at), 0.85);
    c.stroke();
  }
}
