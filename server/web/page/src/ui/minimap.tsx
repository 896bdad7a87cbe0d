// The whole board, small, beside a part of it that fills the stage, with a frame around that part. It is a chunk.

import { useEffect, useRef } from "preact/hooks";
import STYLES from "sheet:camera.css";
import type { Page } from "../core/page.ts";
import { movedByHand } from "./gestures.ts";
import { adopt } from "./lazy.tsx";
import { useRarely } from "./rarely.ts";

adopt(STYLES);

/** The larger side of the map, in pixels, and as a share of the stage's smaller side, for phones. */
const SIZE = 168;
const SHARE = 0.3;
/** How far an arrow key moves the view, as a share of it. */
const STEP = 0.25;
/** The least time between two pictures, in milliseconds: matches may play many turns a second. */
const EVERY = 200;

const ARROWS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

export function Minimap({ session }: { session: Page }) {
  const { view } = session.board;
  const frame = useRef<HTMLElement>(null);
  const map = useRef<HTMLDivElement>(null);
  const turn = useRarely(EVERY, session.player.turn, () => session.player.turn);
  useFrame(session, frame);
  const { Small } = session.game.parts;
  const { whole } = view;
  if (!Small || !whole) return null;
  const [wide, high] = [whole.right - whole.left, whole.bottom - whole.top];
  const scale = Math.min(SIZE, SHARE * Math.min(view.width, view.height)) / Math.max(wide, high);
  const goTo = (x: number, y: number) => {
    view.centre?.(
      Math.max(whole.left, Math.min(whole.right, x)),
      Math.max(whole.top, Math.min(whole.bottom, y)),
    );
    movedByHand(session);
  };
  const drag = (e: PointerEvent) => {
    if (e.buttons === 0) return;
    const box = map.current!.getBoundingClientRect();
    map.current!.setPointerCapture(e.pointerId);
    goTo(
      whole.left + ((e.clientX - box.left) / box.width) * wide,
      whole.top + ((e.clientY - box.top) / box.height) * high,
    );
  };
  const press = (e: KeyboardEvent) => {
    const by = ARROWS[e.key];
    const seen = view.inView;
    if (!by || !seen) return;
    e.preventDefault();
    e.stopPropagation(); // elsewhere the arrows change the turn
    goTo(
      (seen.left + seen.right) / 2 + by[0] * (seen.right - seen.left),
      (seen.top + seen.bottom) / 2 + by[1] * (seen.bottom - seen.top),
    );
  };
  const [width, height] = [Math.round(wide * scale), Math.round(high * scale)];
  return (
    <div
      class="minimap"
      ref={map}
      style={{ width: `${width}px`, height: `${height}px` }}
      role="application"
      tabIndex={0}
      aria-label="Map of the whole board. Arrow keys move the part in view."
      onPointerDown={drag}
      onPointerMove={drag}
      onKeyDown={press}
    >
      <Small turn={turn} player={session.followed} width={width} height={height} />
      <i class="part" ref={frame} />
    </div>
  );
}

/** Keeps the frame around the part in view, also while the board moves. */
function useFrame({ board }: Page, frame: { current: HTMLElement | null }): void {
  useEffect(() => {
    let shown = "";
    let next = requestAnimationFrame(function follow() {
      next = requestAnimationFrame(follow);
      const { whole, inView } = board.view;
      if (!whole || !inView || !frame.current) return;
      const share = (from: number, at: number, to: number) =>
        100 * Math.max(0, Math.min(1, (at - from) / (to - from)));
      const [left, right] = [inView.left, inView.right].map((x) =>
        share(whole.left, x, whole.right),
      );
      const [top, bottom] = [inView.top, inView.bottom].map((y) =>
        share(whole.top, y, whole.bottom),
      );
      const inset = `${top}% ${100 - right}% ${100 - bottom}% ${left}%`;
      if (inset !== shown) frame.current.style.inset = shown = inset;
    });
    return () => cancelAnimationFrame(next);
  }, [board]);
}
