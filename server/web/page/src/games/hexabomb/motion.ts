// The schedule of the animation from one turn to the next, in milliseconds after the
// turn is shown: first the moves, then the explosions.

import type { Grid } from "../../core/grid.ts";
import { type Blast, coverage } from "./blast.ts";
import type { Frame } from "./frame.ts";

/** An explosion with its start and duration. */
export interface TimedBlast {
  blast: Blast;
  start: number;
  duration: number;
}

/** What happens when between two turns. */
export interface Schedule {
  /** How long pieces move; 0: they jump. */
  move: number;
  trails: boolean;
  /** Beams have an outer layer. */
  glow: boolean;
  blasts: TimedBlast[];
  /** When each changed cell takes its new colour. */
  flips: Map<number, number>;
  /** When each character dies. */
  deaths: Map<number, number>;
  /** The end of the pieces' motion, and of everything. */
  piecesEnd: number;
  end: number;
}

/** The front reaches the tips after this share of an explosion. */
const ARRIVAL = 0.77;
/** How long a dying character is white. */
export const FLASH = 60;

/** The longest durations of moves and explosions. */
const LONGEST_MOVE = 180;
const LONGEST_BLAST = 350;
/** The delay of a bomb that another one sets off, and the longest delay within a chain. */
const LINK = 60;
const LONGEST_CHAIN = 180;
/** Pieces jump if turns are shorter than this. */
const JUMP_UNDER = 80;
/** Up to this interval there are no trails and no outer layers. */
const PLAIN_UP_TO = 50;

/** Returns the distance of the front from the bomb after a time, in cells. */
export function front(elapsed: number, duration: number, range: number): number {
  return (elapsed / (ARRIVAL * duration)) * Math.max(4, range);
}

/** Returns the schedule of the animation to a turn that lasts interval milliseconds. */
export function schedule(
  grid: Grid,
  before: Frame,
  after: Frame,
  blasts: Blast[],
  interval: number,
): Schedule {
  const jump = interval < JUMP_UNDER;
  const move = jump ? 0 : Math.min(0.4 * interval, LONGEST_MOVE);
  // At high speed, explosions would end before they are seen, so they continue into the next turns.
  const duration = jump ? LONGEST_BLAST : Math.min(0.6 * interval, LONGEST_BLAST);
  const link = (LINK * duration) / LONGEST_BLAST;
  const starts = new Map<Blast, number>();
  for (const b of blasts) starts.set(b, move + Math.min(b.link * link, LONGEST_CHAIN));
  const timed = blasts.map((blast) => ({ blast, start: starts.get(blast)!, duration }));

  const arrivals = new Map<number, number>();
  for (const [cell, { distance, by }] of coverage(blasts)) {
    const times = by.map(
      (b) => starts.get(b)! + (distance / Math.max(4, b.range)) * ARRIVAL * duration,
    );
    arrivals.set(cell, Math.min(...times));
  }
  const flips = new Map<number, number>();
  after.colors.forEach((color, cell) => {
    if (color === before.colors[cell]) return;
    flips.set(cell, jump ? 0 : (arrivals.get(cell) ?? move * 0.6));
  });
  const deaths = new Map<number, number>();
  for (const c of after.characters) {
    if (c.alive || !before.characters[c.id]?.alive) continue;
    deaths.set(c.id, jump ? 0 : (arrivals.get(grid.at(c.q, c.r)) ?? move));
  }
  const piecesEnd = Math.max(
    move,
    ...timed.map((t) => t.start),
    ...[...deaths.values()].map((t) => t + FLASH),
  );
  const end = Math.max(piecesEnd, ...timed.map((t) => t.start + t.duration));
  return {
    move,
    trails: interval > PLAIN_UP_TO,
    glow: interval > PLAIN_UP_TO,
    blasts: timed,
    flips,
    deaths,
    piecesEnd,
    end,
  };
}

/** Returns the progress of a motion that slows down, for a time from 0 to 1. */
export function easeOut(t: number): number {
  return 1 - (1 - Math.max(0, Math.min(1, t))) ** 3;
}
