// The rows that a side could complete with its next move.

import { type Coord, keyOf } from "../../core/plane.ts";
import { AXES } from "./field.ts";
import type { Piece, Side } from "./story.ts";

/** The number of pieces in a move. */
const MOVE = 2;

/** Returns the number of lines with a row that one more move would complete. */
export function threats(pieces: readonly Piece[], side: Side, win: number): number {
  const own = new Set<string>();
  const others = new Set<string>();
  for (const p of pieces) (p.p === side ? own : others).add(keyOf(p));
  const lines = new Set<string>();
  for (const p of pieces) {
    if (p.p !== side) continue;
    AXES.forEach((a, axis) => {
      for (let back = 0; back < win; back++) {
        if (completable({ q: p.q - back * a.q, r: p.r - back * a.r }, a, win, own, others)) {
          lines.add(`${axis} ${[p.r, p.q, p.q + p.r][axis]}`);
        }
      }
    });
  }
  return lines.size;
}

function completable(from: Coord, a: Coord, win: number, own: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  let missing = 0;
  for (let i = 0; i < win; i++) {
    const key = `${from.q + i * a.q},${from.r + i * a.r}`;
    if (others.has(key)) return false;
    if (!own.has(key) && ++missing > MOVE) return false;
  }
  return true;
}
