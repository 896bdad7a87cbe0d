// The keyboard: it can do everything that a pointer can.

import { toggleFullScreen } from "../core/looks.ts";
import { jump } from "../core/jump.ts";
import type { Page } from "../core/page.ts";
import { centreNext, fit, zoom } from "./gestures.ts";
import { Help } from "./helps.ts";
import { playOn, share } from "./shares.tsx";

/** The zoom factor of a key press. */
const ZOOM = 1.25;

/** Handles keys, except in text fields and dialogs. */
export function listenToKeys(session: Page): void {
  window.addEventListener("keydown", (e) => {
    const target = e.composedPath()[0] as HTMLElement; // the code is in a shadow root
    const writes =
      target instanceof HTMLTextAreaElement ||
      target instanceof HTMLSelectElement ||
      target.isContentEditable ||
      (target instanceof HTMLInputElement && target.type !== "range");
    if (session.tab === "compare" || writes || e.ctrlKey || e.metaKey || e.altKey || session.dialog)
      return;
    // Space and Enter press a focused button; Enter on the board starts the cursor.
    const onButton = target.closest("button, a, dialog") !== null;
    if (onButton && (e.key === " " || e.key === "Enter")) return;
    if (act(session, e, target)) e.preventDefault();
  });
}

function act(session: Page, e: KeyboardEvent, target: HTMLElement): boolean {
  if (session.game.key?.(e.key) || (session.cursor && moveCursor(session, e))) return true;
  const { player } = session;
  const { center = -1 } = session.game;
  switch (e.key.length === 1 ? e.key.toLowerCase() : e.key) {
    case " ":
      player.toggle();
      break;
    case "ArrowLeft":
    case "ArrowRight":
      player.step((e.shiftKey ? 10 : 1) * (e.key === "ArrowLeft" ? -1 : 1));
      break;
    case ".": // as on the terminal
      player.step(1);
      break;
    case "Home":
      session.goTo(0);
      break;
    case "End":
    case "l":
      player.follow();
      break;
    case "n":
      jump(session, 1);
      break;
    case "b":
      jump(session, -1);
      break;
    case "[":
      player.faster(-1);
      break;
    case "]":
      player.faster(1);
      break;
    case "+":
    case "=":
      zoom(session, ZOOM);
      break;
    case "-":
      zoom(session, 1 / ZOOM);
      break;
    case "z":
      fit(session);
      break;
    case "h":
      centreNext(session);
      break;
    case "c":
      session.looks.toggleCoordinates();
      break;
    case "m":
      session.looks.cycleMarks();
      break;
    case "g":
      session.toggleOverlay();
      break;
    case "d":
      session.looks.toggleTheme();
      break;
    case "f":
      toggleFullScreen();
      break;
    case "p":
      session.looks.toggleProjector();
      break;
    case "s":
      share(session);
      break;
    case "t":
      playOn(session);
      break;
    case "k":
      if (session.store.start) session.select("compare");
      break;
    case "?":
      session.openDialog(Help);
      break;
    case "0":
      session.follow(-1);
      break;
    case "Enter":
      if (!target.closest(".board") || center < 0) return false;
      if (session.cursor) return session.game.press?.(session.cell) ?? false;
      session.point(center, { cursor: true });
      break;
    case "Escape":
      if (session.about) session.showCard(null);
      else if (session.cell >= 0) session.point(-1);
      else if (session.projector) session.looks.toggleProjector();
      break;
    default:
      if (!/^[1-9]$/.test(e.key)) return false;
      session.follow(Number(e.key) - 1);
  }
  return true;
}

/** Moves the cursor: left and right along the row; up and down to the left, with Shift to the right. */
function moveCursor(session: Page, e: KeyboardEvent): boolean {
  const direction = {
    ArrowRight: 1,
    ArrowLeft: 4,
    ArrowUp: e.shiftKey ? 0 : 5,
    ArrowDown: e.shiftKey ? 3 : 2,
  }[e.key];
  if (direction === undefined) return false;
  const next = session.game.neighbour?.(session.cell, direction) ?? -1;
  if (next >= 0) session.point(next, { cursor: true });
  return true;
}
