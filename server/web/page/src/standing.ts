// The ranking at a turn.

import type { Store } from "./store.ts";

/** How a player answers, whatever the game. */
export interface Conduct {
  player: number;
  gone: boolean;
  /** Turns that it skipped lately. */
  skipped: number;
  slow: boolean;
  /** How long it thought in the turn, in words. */
  thinking: string;
}

export interface Standing extends Conduct {
  /** Ties share a rank; the special player has none. */
  rank: number | null;
  score: number;
  change: number;
  cells: number;
  alive: number;
  characters: number;
  bombs: number;
}

/** Somebody is slow whose answers of the last turns took most of the time there was. */
const SLOW_SHARE = 0.5;
const SLOW_TURNS = 10;
const RECENT_SKIPS = 10;

export function conductOf({ answers }: Store, player: number, turn: number): Conduct {
  const gone = answers.goneSince[player];
  return {
    player,
    gone: gone !== undefined && gone <= turn,
    skipped: answers.skipped[player].filter((t) => t <= turn && t > turn - RECENT_SKIPS).length,
    slow: answers.slow(player, turn, SLOW_TURNS, SLOW_SHARE),
    thinking: answers.thought(player, turn),
  };
}

export function standings(store: Store, turn: number): Standing[] {
  const { chronicle } = store;
  const bombs = new Map<number, number>();
  for (const b of store.frame(turn)?.bombs ?? []) bombs.set(b.color - 1, (bombs.get(b.color - 1) ?? 0) + 1);
  const rows = store.seats.map(({ id, special }): Standing & { special: boolean } => {
    return {
      ...conductOf(store, id, turn),
      special,
      rank: null,
      score: chronicle.score[id][turn] ?? 0,
      change: turn > 0 ? chronicle.score[id][turn] - chronicle.score[id][turn - 1] : 0,
      cells: chronicle.cells[id][turn] ?? 0,
      alive: chronicle.alive[id][turn] ?? 0,
      characters: chronicle.characters[id],
      bombs: bombs.get(id) ?? 0,
    };
  });
  rows.sort((a, b) => Number(a.special) - Number(b.special) || b.score - a.score || b.cells - a.cells || a.player - b.player);
  rows.forEach((row, i) => {
    if (row.special) return;
    row.rank = i > 0 && rows[i - 1].score === row.score ? rows[i - 1].rank : i + 1;
  });
  return rows;
}
