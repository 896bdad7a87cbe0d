// A finite board: its cells, their neighbours, and where they lie on the plane.

import { cellUnder, type Coord, DIRECTIONS, planeX, planeY, SQRT3 } from "./plane.ts";

/** Returns a number that identifies the coordinates. Strings as keys would be slow. */
function keyOf(q: number, r: number): number {
  return q * 0x20000 + r;
}

/** Returns the smallest number. Math.min has a limit on how many it takes. */
function least(numbers: Float64Array): number {
  return numbers.reduce((a, b) => Math.min(a, b), Infinity);
}

/** The smallest rectangle around all cells. */
export interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Cells are numbered in the order in which they are given. */
export class Grid {
  readonly size: number;
  readonly q: Int32Array;
  readonly r: Int32Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** neighbours[6 * cell + direction] is the neighbouring cell, or -1. */
  readonly neighbours: Int32Array;
  readonly bounds: Bounds;
  private readonly index = new Map<number, number>();

  /** flat: cells have an edge at the top, not a corner: the plane's axes are exchanged. */
  constructor(
    cells: readonly Coord[],
    private readonly flat = false,
  ) {
    const n = (this.size = cells.length);
    this.q = new Int32Array(n);
    this.r = new Int32Array(n);
    this.x = new Float64Array(n);
    this.y = new Float64Array(n);
    this.neighbours = new Int32Array(6 * n);
    cells.forEach((c, i) => {
      this.q[i] = c.q;
      this.r[i] = c.r;
      this.x[i] = flat ? planeY({ q: c.r, r: c.q }) : planeX(c);
      this.y[i] = flat ? planeX({ q: c.r, r: c.q }) : planeY(c);
      this.index.set(keyOf(c.q, c.r), i);
    });
    cells.forEach((c, i) => {
      DIRECTIONS.forEach((d, k) => {
        this.neighbours[6 * i + k] = this.at(c.q + d.q, c.r + d.r);
      });
    });
    const [beside, above] = flat ? [1, SQRT3 / 2] : [SQRT3 / 2, 1];
    this.bounds = {
      left: least(this.x) - beside,
      right: -least(this.x.map((x) => -x)) + beside,
      top: least(this.y) - above,
      bottom: -least(this.y.map((y) => -y)) + above,
    };
  }

  /** Returns the cell with these coordinates, or -1. */
  at(q: number, r: number): number {
    return this.index.get(keyOf(q, r)) ?? -1;
  }

  /** Returns the cell that contains a point of the plane, or -1. */
  under(x: number, y: number): number {
    if (!this.flat) {
      const { q, r } = cellUnder(x, y);
      return this.at(q, r);
    }
    const { q, r } = cellUnder(y, x);
    return this.at(r, q);
  }

  *cells(): Generator<number> {
    for (let cell = 0; cell < this.size; cell++) yield cell;
  }

  /** Returns a cell and the cells up to a distance from it. */
  around(cell: number, distance: number): Set<number> {
    const cells = new Set([cell]);
    for (let ring = 0; ring < distance; ring++) {
      for (const c of [...cells]) {
        for (let d = 0; d < 6; d++) {
          const n = this.neighbours[6 * c + d];
          if (n >= 0) cells.add(n);
        }
      }
    }
    return cells;
  }

  /** Returns the cells on the straight line from a cell, up to the first hole. */
  ray(from: number, direction: number, range: number): number[] {
    const cells: number[] = [];
    for (let c = this.neighbours[6 * from + direction]; c >= 0 && cells.length < range;) {
      cells.push(c);
      c = this.neighbours[6 * c + direction];
    }
    return cells;
  }
}
