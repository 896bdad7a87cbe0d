// The distances of cells to the nearest piece: they decide where a move is allowed
// and how far the board is drawn.

import { type Coord, DIRECTIONS, keyOf } from "../../core/plane.ts";

/** Stands for any distance beyond the reach. */
const FAR = 0xffff;

/** The distances within a rectangle of cells. */
export class Field {
  private readonly width: number;
  private readonly height: number;
  private readonly distance: Uint16Array;

  /** Covers the cells from one corner to the other. Pieces up to reach cells outside count, too. */
  constructor(
    private readonly from: Coord,
    to: Coord,
    private readonly reach: number,
    pieces: readonly Coord[],
  ) {
    this.from = { q: from.q - reach, r: from.r - reach };
    this.width = to.q - from.q + 1 + 2 * reach;
    this.height = to.r - from.r + 1 + 2 * reach;
    this.distance = new Uint16Array(this.width * this.height).fill(FAR);
    const queue: number[] = [];
    for (const p of pieces) {
      const i = this.index(p.q, p.r);
      if (i < 0) continue;
      this.distance[i] = 0;
      queue.push(i);
    }
    for (let head = 0; head < queue.length; head++) this.spread(queue[head], queue);
  }

  private spread(i: number, queue: number[]): void {
    const d = this.distance[i] + 1;
    if (d > this.reach) return;
    const q = (i % this.width) + this.from.q;
    const r = Math.floor(i / this.width) + this.from.r;
    for (const step of DIRECTIONS) {
      const n = this.index(q + step.q, r + step.r);
      if (n < 0 || this.distance[n] <= d) continue;
      this.distance[n] = d;
      queue.push(n);
    }
  }

  private index(q: number, r: number): number {
    const x = q - this.from.q;
    const y = r - this.from.r;
    return x >= 0 && y >= 0 && x < this.width && y < this.height ? y * this.width + x : -1;
  }

  /** Returns the distance to the nearest piece; FAR if it is beyond the reach. */
  at(q: number, r: number): number {
    const i = this.index(q, r);
    return i < 0 ? FAR : this.distance[i];
  }
}

/** Returns the distance of two cells. */
export function distance(a: Coord, b: Coord): number {
  const q = a.q - b.q;
  const r = a.r - b.r;
  return Math.max(Math.abs(q), Math.abs(r), Math.abs(q + r));
}

/** The three directions of lines. */
export const AXES: readonly Coord[] = [
  { q: 1, r: 0 },
  { q: 0, r: 1 },
  { q: 1, r: -1 },
];

/** Returns the straight runs of at least that many of the cells, each by its two ends. */
export function runs(cells: readonly Coord[], least: number): [Coord, Coord][] {
  const all = new Set(cells.map(keyOf));
  const has = (q: number, r: number) => all.has(`${q},${r}`);
  const found: [Coord, Coord][] = [];
  for (const a of AXES) {
    for (const c of cells) {
      if (has(c.q - a.q, c.r - a.r)) continue;
      let n = 1;
      while (has(c.q + n * a.q, c.r + n * a.r)) n++;
      if (n >= least) found.push([c, { q: c.q + (n - 1) * a.q, r: c.r + (n - 1) * a.r }]);
    }
  }
  return found;
}
