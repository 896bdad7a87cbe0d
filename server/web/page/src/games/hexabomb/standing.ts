// The ranking at a turn.

import { type Conduct, conductOf } from "../../core/conduct.ts";
import type { BombStory } from "./story.ts";

/** A row of the ranking. */
export interface Standing extends Conduct {
  /** Ties share a rank; the special player has none. */
  rank: number | null;
  score: number;
  /** Of the score, in this turn. */
  change: number;
  cells: number;
  alive: number;
  characters: number;
  bombs: number;
}

/** Returns the ranking, best first; special players come last. */
export function standings(story: BombStory, turn: number): Standing[] {
  const { answers, chronicle } = story;
  const bombs = new Map<number, number>();
  for (const b of story.frame(turn).bombs)
    bombs.set(b.color - 1, (bombs.get(b.color - 1) ?? 0) + 1);
  const rows = story.seats.map(({ id, special }): Standing & { special: boolean } => {
    return {
      ...conductOf(answers, id, turn),
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
  rows.sort(
    (a, b) =>
      Number(a.special) - Number(b.special) ||
      b.score - a.score ||
      b.cells - a.cells ||
      a.player - b.player,
  );
  rows.forEach((row, i) => {
    if (row.special) return;
    row.rank = i > 0 && rows[i - 1].score === row.score ? rows[i - 1].rank : i + 1;
  });
  return rows;
}
