// The rows that a side could complete with its next move.

import { type Coord, keyOf } from "../../core/plane.ts";
import { AXES } from "./field.ts";
import type { Piece, Side } from "./story.ts";

/** The number of pieces in a move. */
const MOVE = 2;

/** A row that one more move would complete, by its first and last piece. */
export interface Threat {
  side: Side;
  from: Coord;
  to: Coord;
}

/** Returns the rows that one more move would complete: for each line, the one with the most pieces. */
export function threats(pieces: readonly Piece[], side: Side, win: number): Threat[] {
  const own = new Set<string>();
  const others = new Set<string>();
  for (const p of pieces) (p.p === side ? own : others).add(keyOf(p));
  const lines = new Map<string, Coord[]>();
  for (const p of pieces) {
    if (p.p !== side) continue;
    AXES.forEach((a, axis) => {
      for (let back = 0; back < win; back++) {
        const row = completable({ q: p.q - back * a.q, r: p.r - back * a.r }, a, win, own, others);
        const line = `${axis} ${[p.r, p.q, p.q + p.r][axis]}`;
        if (row && row.length > (lines.get(line)?.length ?? 0)) lines.set(line, row);
      }
    });
  }
  return [...lines.values()].map((row) => ({ side, from: row[0], to: row.at(-1)! }));
}

/** Returns the pieces of a row that one more move would complete, or null. */
function completable(
  from: Coord,
  a: Coord,
  win: number,
  own: ReadonlySet<string>,
  others: ReadonlySet<string>,
): Coord[] | null {
  const row: Coord[] = [];
  for (let i = 0; i < win; i++) {
    const at = { q: from.q + i * a.q, r: from.r + i * a.r };
    const key = keyOf(at);
    if (others.has(key)) return null;
    if (own.has(key)) row.push(at);
  }
  return win - row.length <= MOVE ? row : null;
}
