// Pointers on the board: pointing at a cell, pinning it, dragging and pinching.

import type { Page } from "../core/page.ts";

/** How long a pointer rests on a cell before its tooltip opens, in milliseconds. */
const DWELL = 120;
/** A pointer that moves fewer pixels than this has clicked. */
const STILL = 6;
/** The longest time between the taps of a double tap, in milliseconds. */
const DOUBLE = 300;

/** Zooms about the middle of the stage. */
export function zoom(session: Page, factor: number): void {
  const { view } = session.board;
  view.zoomAt(view.width / 2, view.height / 2, factor);
  session.board.moved();
  session.changed();
}

/** Shows the whole board. */
export function fit(session: Page): void {
  session.game.centre?.(-1);
  session.board.view.fit();
  session.board.moved();
  session.changed();
}

/** Keeps the next piece of the followed player in the middle; after the last one, shows the whole board. */
export function centreNext(session: Page): void {
  const { centrable = [], centred = -1 } = session.game;
  if (centrable.length === 0)
    return session.say(
      session.followed < 0
        ? "Follow a player first: one of its pieces is then kept in the middle."
        : "The followed player has no piece.",
    );
  centrePiece(session, centrable[centrable.indexOf(centred) + 1] ?? -1);
}

/** Keeps a piece in the middle; -1: shows the whole board. */
export function centrePiece(session: Page, piece: number): void {
  if (piece < 0) return fit(session);
  session.game.centre?.(piece);
  session.board.moved();
  session.changed(true);
}

/** The viewer has moved the board by hand: nothing is kept in the middle any more. */
export function movedByHand(session: Page): void {
  if ((session.game.centred ?? -1) >= 0) session.game.centre?.(-1);
  session.board.moved();
  session.changed();
}

/** Handles pointers on the board. */
export function listenToPointers(session: Page): void {
  const { element } = session.board;
  const pointers = new Map<number, { x: number; y: number }>();
  let travelled = 0;
  let dwell = 0;
  let lastTap = 0;

  const at = (e: PointerEvent | WheelEvent) => {
    const box = element.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  };
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return { distance: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  };

  element.addEventListener("pointerdown", (e) => {
    element.setPointerCapture(e.pointerId);
    pointers.set(e.pointerId, at(e));
    travelled = 0;
  });

  element.addEventListener("pointermove", (e) => {
    const now = at(e);
    const was = pointers.get(e.pointerId);
    if (!was) {
      if (session.pinned || session.cursor || e.pointerType === "touch") return;
      const cell = session.board.view.cellAt(now.x, now.y);
      if (cell === session.cell) return;
      clearTimeout(dwell);
      if (session.cell >= 0) session.point(-1);
      dwell = window.setTimeout(() => session.point(cell), session.game.playing ? 0 : DWELL);
      return;
    }
    const before = pointers.size === 2 ? spread() : null;
    pointers.set(e.pointerId, now);
    travelled += Math.hypot(now.x - was.x, now.y - was.y);
    if (travelled < STILL) return;
    if (before) {
      const after = spread();
      session.board.view.zoomAt(after.x, after.y, after.distance / Math.max(1, before.distance));
      session.board.view.pan(after.x - before.x, after.y - before.y);
    } else {
      session.board.view.pan(now.x - was.x, now.y - was.y);
    }
    movedByHand(session);
  });

  const release = (e: PointerEvent) => {
    const was = pointers.get(e.pointerId);
    pointers.delete(e.pointerId);
    if (!was || e.type === "pointercancel" || travelled >= STILL) return;
    clearTimeout(dwell);
    const cell = session.board.view.cellAt(was.x, was.y);
    if (session.game.press?.(cell)) return session.point(e.pointerType === "touch" ? -1 : cell);
    if (e.pointerType === "touch" && e.timeStamp - lastTap < DOUBLE) fit(session);
    lastTap = e.timeStamp;
    session.point(session.pinned && cell === session.cell ? -1 : cell, { pinned: cell >= 0 });
  };
  element.addEventListener("pointerup", release);
  element.addEventListener("pointercancel", release);
  element.addEventListener("pointerleave", () => {
    clearTimeout(dwell);
    if (!session.pinned && !session.cursor && session.cell >= 0) session.point(-1);
  });
  element.addEventListener(
    "wheel",
    (e) => {
      e.preventDefault();
      const p = at(e);
      session.board.view.zoomAt(p.x, p.y, Math.exp(-e.deltaY / 400));
      session.board.moved();
      session.changed();
    },
    { passive: false },
  );
}
