// The board's shape: which cells there are, who is whose neighbour, and where
// they lie on the plane, in units of the cell radius.

import type { Coord } from "./feed.ts";

/** The six directions in the order of a cell's edges, from the upper right one, clockwise. */
export const DIRECTIONS: readonly Coord[] = [
  { q: 1, r: -1 },
  { q: 1, r: 0 },
  { q: 0, r: 1 },
  { q: -1, r: 1 },
  { q: -1, r: 0 },
  { q: 0, r: -1 },
];

/** The names that bots use for directions. */
export const DIRECTION_NAMES: Record<string, Coord> = {
  "x+": { q: 1, r: 0 },
  "y+": { q: 1, r: -1 },
  "z+": { q: 0, r: -1 },
  "x-": { q: -1, r: 0 },
  "y-": { q: -1, r: 1 },
  "z-": { q: 0, r: 1 },
};

export const SQRT3 = Math.sqrt(3);

/** Corners of a pointy-top cell of radius 1; corner i starts edge i. */
export const CORNERS: readonly { x: number; y: number }[] = Array.from({ length: 6 }, (_, i) => {
  const angle = (Math.PI / 3) * i - Math.PI / 2;
  return { x: Math.cos(angle), y: Math.sin(angle) };
});

export function planeX(c: Coord): number {
  return SQRT3 * (c.q + c.r / 2);
}

export function planeY(c: Coord): number {
  return 1.5 * c.r;
}

/** The coordinates of the cell under a point of the plane. */
export function cellUnder(x: number, y: number): Coord {
  const r = y / 1.5;
  const q = x / SQRT3 - r / 2;
  let rq = Math.round(q);
  let rr = Math.round(r);
  const rs = Math.round(-q - r);
  const dq = Math.abs(rq - q);
  const dr = Math.abs(rr - r);
  const ds = Math.abs(rs + q + r);
  if (dq > dr && dq > ds) rq = -rr - rs;
  else if (dr > ds) rr = -rq - rs;
  return { q: rq, r: rr };
}

/** One number for a place, since strings are many and slow. */
function keyOf(q: number, r: number): number {
  return q * 0x20000 + r;
}

export interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export class Grid {
  readonly size: number;
  readonly q: Int32Array;
  readonly r: Int32Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** neighbours[6 * cell + direction] is a cell, or -1. */
  readonly neighbours: Int32Array;
  readonly bounds: Bounds;
  private readonly index = new Map<number, number>();

  constructor(cells: readonly Coord[]) {
    const n = (this.size = cells.length);
    this.q = new Int32Array(n);
    this.r = new Int32Array(n);
    this.x = new Float64Array(n);
    this.y = new Float64Array(n);
    this.neighbours = new Int32Array(6 * n);
    cells.forEach((c, i) => {
      this.q[i] = c.q;
      this.r[i] = c.r;
      this.x[i] = planeX(c);
      this.y[i] = planeY(c);
      this.index.set(keyOf(c.q, c.r), i);
    });
    cells.forEach((c, i) => {
      DIRECTIONS.forEach((d, k) => {
        this.neighbours[6 * i + k] = this.at(c.q + d.q, c.r + d.r);
      });
    });
    this.bounds = {
      left: Math.min(...this.x) - SQRT3 / 2,
      right: Math.max(...this.x) + SQRT3 / 2,
      top: Math.min(...this.y) - 1,
      bottom: Math.max(...this.y) + 1,
    };
  }

  /** The cell with these coordinates, or -1. */
  at(q: number, r: number): number {
    return this.index.get(keyOf(q, r)) ?? -1;
  }

  /** The cell under a point of the plane, or -1. */
  under(x: number, y: number): number {
    const { q, r } = cellUnder(x, y);
    return this.at(q, r);
  }

  /** The cells on the straight line from a cell, up to the first hole. */
  ray(from: number, direction: number, range: number): number[] {
    const cells: number[] = [];
    for (let c = this.neighbours[6 * from + direction]; c >= 0 && cells.length < range; ) {
      cells.push(c);
      c = this.neighbours[6 * c + direction];
    }
    return cells;
  }
}
