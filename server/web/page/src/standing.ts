// The ranking at a turn.

import type { Store } from "./store.ts";

export interface Standing {
  player: number;
  /** Ties share a rank; the special player has none. */
  rank: number | null;
  score: number;
  change: number;
  cells: number;
  alive: number;
  characters: number;
  /** How long it thought in the turn, in words. */
  thinking: string;
  bombs: number;
  gone: boolean;
  skipped: number;
  slow: boolean;
}

/** Somebody is slow whose answers of the last turns took most of the time there was. */
const SLOW_SHARE = 0.5;
const SLOW_TURNS = 10;
const RECENT_SKIPS = 10;

export function standings(store: Store, turn: number): Standing[] {
  const { answers, chronicle } = store;
  const bombs = new Map<number, number>();
  for (const b of store.frame(turn)?.bombs ?? []) bombs.set(b.color - 1, (bombs.get(b.color - 1) ?? 0) + 1);
  const rows = store.seats.map(({ id, special }): Standing & { special: boolean } => {
    const gone = answers.goneSince[id];
    return {
      player: id,
      special,
      rank: null,
      score: chronicle.score[id][turn] ?? 0,
      change: turn > 0 ? chronicle.score[id][turn] - chronicle.score[id][turn - 1] : 0,
      cells: chronicle.cells[id][turn] ?? 0,
      alive: chronicle.alive[id][turn] ?? 0,
      characters: chronicle.characters[id],
      thinking: answers.thought(id, turn),
      bombs: bombs.get(id) ?? 0,
      gone: gone !== undefined && gone <= turn,
      skipped: answers.skipped[id].filter((t) => t <= turn && t > turn - RECENT_SKIPS).length,
      slow: answers.slow(id, turn, SLOW_TURNS, SLOW_SHARE),
    };
  });
  rows.sort((a, b) => Number(a.special) - Number(b.special) || b.score - a.score || b.cells - a.cells || a.player - b.player);
  rows.forEach((row, i) => {
    if (row.special) return;
    row.rank = i > 0 && rows[i - 1].score === row.score ? rows[i - 1].rank : i + 1;
  });
  return rows;
}
