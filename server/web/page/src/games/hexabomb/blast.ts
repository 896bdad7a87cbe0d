// The explosions of a turn, derived from the positions before and after it: the
// state holds the covered cells, but not which bomb set off which.

import type { TurnEvent } from "../../core/feed.ts";
import type { Grid } from "../../core/grid.ts";
import { applied } from "./actions.ts";
import type { Frame } from "./frame.ts";
import type { Character } from "./state.ts";

/** The explosion of one bomb. */
export interface Blast {
  cell: number;
  color: number;
  range: number;
  /** The number of bombs that had to set off one another before this one. */
  link: number;
  /** The index of the first bomb of its chain. */
  chain: number;
  /** The covered cells by direction, from near to far. */
  rays: number[][];
}

/** A bomb that exploded; due: its countdown ended, so that no other bomb was needed. */
type Charge = Pick<Blast, "cell" | "color" | "range"> & { due: boolean };

/** Returns the explosions between two frames, those of due bombs first. */
export function blastsOf(grid: Grid, before: Frame, after: Frame, event: TurnEvent): Blast[] {
  if (isQuiet(after)) return [];
  const charges = exploded(grid, before, after, event);
  const at = new Map(charges.map((c) => [c.cell, c]));
  const blasts: Blast[] = [];
  const lit = new Set<number>();
  const light = (c: Charge, link: number, chain: number) => {
    if (lit.has(c.cell)) return;
    lit.add(c.cell);
    const rays = [0, 1, 2, 3, 4, 5].map((d) => grid.ray(c.cell, d, c.range));
    blasts.push({ cell: c.cell, color: c.color, range: c.range, link, chain, rays });
  };
  for (const c of charges) if (c.due) light(c, 0, blasts.length);
  for (let i = 0; i < blasts.length; i++) {
    for (const cell of blasts[i].rays.flat()) {
      const next = at.get(cell);
      if (next) light(next, blasts[i].link + 1, blasts[i].chain);
    }
  }
  joinChains(blasts);
  return blasts;
}

/** Reports whether the state of a frame says that nothing exploded. */
export function isQuiet({ explosions }: Frame): boolean {
  return explosions !== undefined && Object.keys(explosions).length === 0;
}

/** Joins bombs that cover one another into one chain, also if both were due. */
function joinChains(blasts: Blast[]): void {
  for (let changed = true; changed;) {
    changed = false;
    for (const a of blasts) {
      const covered = new Set(a.rays.flat());
      for (const b of blasts) {
        if (a.chain !== b.chain && covered.has(b.cell)) {
          a.chain = b.chain = Math.min(a.chain, b.chain);
          changed = true;
        }
      }
    }
  }
}

/** Returns the bombs of the turn before, or dropped in this turn, that are gone. */
function exploded(grid: Grid, before: Frame, after: Frame, event: TurnEvent): Charge[] {
  const left = new Set(after.bombs.map((b) => b.cell));
  const charges: Charge[] = before.bombs
    .filter((b) => b.delay <= 1 || !left.has(b.cell))
    .map((b) => ({ cell: b.cell, color: b.color, range: b.range, due: b.delay <= 1 }));
  const known = new Set(charges.map((c) => c.cell));
  for (const drop of dropped(event, after.characters)) {
    const cell = grid.at(drop.by.q, drop.by.r);
    if (left.has(cell) || known.has(cell)) continue;
    charges.push({ cell, color: drop.by.color, range: drop.range, due: false });
  }
  return charges;
}

/** Returns the bombs that were dropped in a turn. A character that drops one does not move. */
function* dropped(
  event: TurnEvent,
  characters: Character[],
): Generator<{ by: Character; range: number }> {
  for (const { id, movement, bomb_range } of applied(event)) {
    if (movement === "bomb" && id !== undefined && bomb_range !== undefined && characters[id])
      yield { by: characters[id], range: bomb_range };
  }
}

/** Returns for each covered cell the distance to the closest bombs that cover it, and those bombs. */
export function coverage(blasts: Blast[]): Map<number, { distance: number; by: Blast[] }> {
  const covered = new Map<number, { distance: number; by: Blast[] }>();
  const cover = (cell: number, distance: number, blast: Blast) => {
    const known = covered.get(cell);
    if (!known || distance < known.distance) covered.set(cell, { distance, by: [blast] });
    else if (distance === known.distance) known.by.push(blast);
  };
  for (const blast of blasts) {
    cover(blast.cell, 0, blast);
    for (const ray of blast.rays) ray.forEach((cell, i) => cover(cell, i + 1, blast));
  }
  return covered;
}
