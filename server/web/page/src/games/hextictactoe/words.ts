// Numbers, times and names in words.

import type { Coord } from "../../core/plane.ts";
import type { Session } from "../../core/session.ts";
import { coordinate, signedDecimal } from "../../core/text.ts";
import { type Clock, type Evaluation, type Side, SIDES } from "./story.ts";

const MINUS = "\u2212";

/** Returns the name of a side. */
export function sideName(side: Side): string {
  return side === "x" ? "cross" : "circle";
}

/** Returns why a game ended, for people: the rules' "left" alone could be a direction. */
export function reasonText(reason: string): string {
  return reason.replace(/\bleft$/, "left the game");
}

/** Returns the coordinates of a cell as "q,r". */
export function place(c: Coord): string {
  return `${coordinate(c.q)},${coordinate(c.r)}`;
}

/** Returns an evaluation such as "+0.25", "in 3" or "wins"; empty for null. */
export function verdict(e: Evaluation | null): string {
  if (!e) return "";
  if (e.winIn === 0) return Math.abs(e.value) >= 1 ? "wins" : signedDecimal(e.value);
  return Math.abs(e.winIn) === 1 ? "wins" : `${e.winIn > 0 ? "" : MINUS}in ${Math.abs(e.winIn)}`;
}

/** A clock with less than this, in milliseconds, shows tenths. */
const TENTHS = 20_000;

/** Returns a clock such as "4:07", or "0:12.8" if it is low. */
export function clockText(ms: number): string {
  const left = Math.max(0, ms);
  const tenths = Math.floor(left / 100);
  const minutes = Math.floor(tenths / 600);
  const seconds = String(Math.floor((tenths % 600) / 10)).padStart(2, "0");
  return `${minutes}:${seconds}${left < TENTHS ? `.${tenths % 10}` : ""}`;
}

/** Returns a time in seconds. */
export function seconds(ms: number): string {
  const s = ms / 1000;
  return `${Number(s.toFixed(s < 10 ? 1 : 0))} s`;
}

/** Returns the time control, such as "60 s + 0.5 s". */
function controlText(clock: Clock): string {
  switch (clock.type) {
    case "turn":
      return `${seconds(clock.base_ms)} a move`;
    case "match":
      return seconds(clock.base_ms);
    case "incremental":
      return `${seconds(clock.base_ms)} + ${seconds(clock.increment_ms)}`;
    default:
      return "no clock";
  }
}

/** Returns the time of a side for a move in a game without clocks, in milliseconds; 0: no limit is known. */
export function moveLimit({ store }: Session, side: Side): number {
  return store.seats[SIDES.indexOf(side)]?.untimed ? 0 : (store.start?.limit_ms ?? 0);
}

/** Returns the time control of a match, which may limit moves without a clock. */
export function timeText(session: Session, clock: Clock): string {
  const limit = Math.min(...SIDES.map((side) => moveLimit(session, side)));
  return clock.type === "none" && limit > 0 ? `${seconds(limit)} a move` : controlText(clock);
}

const NUMBERS = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
];

/** Returns a small number as a word. */
export function inWords(n: number): string {
  return NUMBERS[n] ?? String(n);
}
