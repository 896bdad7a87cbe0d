// The viewport of the endless board. It shows all pieces until the viewer zooms or
// pans; from then on it only keeps the last move in sight.

import type { Viewport } from "../../core/board.ts";
import type { Bounds } from "../../core/grid.ts";
import { cellUnder, type Coord, planeX } from "../../core/plane.ts";

/** Cell radii in pixels: at first, and the smallest and largest. */
const RADIUS = 37;
const LEAST = 14;
const MOST = 64;
/** The number of free cells around the pieces. */
const MARGIN = 3;

/** Coordinates below HALF fit into the number of a cell; others are not drawn. */
const HALF = 2 ** 25;
const SPAN = 2 ** 26;

/** Returns the number of a cell, or -1 if it is too far from the centre. */
export function cellOf(c: Coord): number {
  return Math.abs(c.q) < HALF && Math.abs(c.r) < HALF ? (c.q + HALF) * SPAN + c.r + HALF : -1;
}

/** Returns the coordinates of a cell. */
export function coordOf(cell: number): Coord {
  return { q: Math.floor(cell / SPAN) - HALF, r: (cell % SPAN) - HALF };
}

/** Returns the y coordinate of a cell's centre. r grows upwards, pixels grow downwards. */
export function planeY(c: Coord): number {
  return -1.5 * c.r;
}

/** Returns the rectangle around some pieces and the free cells around them. */
export function boundsOf(pieces: readonly Coord[]): Bounds {
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (const c of pieces) {
    box.left = Math.min(box.left, planeX(c) - MARGIN);
    box.right = Math.max(box.right, planeX(c) + MARGIN);
    box.top = Math.min(box.top, planeY(c) - MARGIN);
    box.bottom = Math.max(box.bottom, planeY(c) + MARGIN);
  }
  return box;
}

/** Coordinates on the screen are in CSS pixels. */
export class EndlessViewport implements Viewport {
  width = 0;
  height = 0;
  leftInset = 0;
  radius = RADIUS;
  originX = 0;
  originY = 0;
  /** The height of what lies over the board at its lower edge. */
  bottomInset = 0;
  private padding = 26;
  private topInset = 0;
  /** The viewer has zoomed or panned. */
  private held = false;
  private played: readonly Coord[] = [{ q: 0, r: 0 }];
  private last: readonly Coord[] = [];

  resize(width: number, height: number, leftInset: number, padding = 26, topInset = 0): void {
    const dx = (width + leftInset - this.width - this.leftInset) / 2;
    const dy = (height + topInset - this.height - this.topInset) / 2;
    Object.assign(this, { width, height, leftInset, padding, topInset });
    if (this.held) this.pan(dx, dy);
    else this.place(true);
  }

  /** Sets the cells with pieces, and those of the last move. */
  show(played: readonly Coord[], last: readonly Coord[]): void {
    this.played = played;
    this.last = last;
    if (this.width === 0) return;
    if (!this.held) this.place(false);
    else this.follow();
  }

  get moved(): boolean {
    return this.held;
  }

  fit(): void {
    this.held = false;
    this.place(true);
  }

  zoomAt(x: number, y: number, factor: number): void {
    const before = this.radius;
    this.radius = Math.max(LEAST, Math.min(MOST, before * factor));
    this.originX = x - ((x - this.originX) * this.radius) / before;
    this.originY = y - ((y - this.originY) * this.radius) / before;
    this.held = true;
  }

  pan(dx: number, dy: number): void {
    this.originX += dx;
    this.originY += dy;
    this.held = true;
  }

  centre(x: number, y: number): void {
    this.pan(
      (this.width + this.leftInset) / 2 - this.originX - x * this.radius,
      this.height / 2 - this.originY - y * this.radius,
    );
  }

  get whole(): Bounds {
    return boundsOf(this.played);
  }

  get inView(): Bounds {
    const [x, y] = [
      (pixel: number) => (pixel - this.originX) / this.radius,
      (pixel: number) => (pixel - this.originY) / this.radius,
    ];
    return {
      left: x(this.leftInset),
      right: x(this.width),
      top: y(this.topInset),
      bottom: y(this.height - this.bottomInset),
    };
  }

  x(cell: number): number {
    return this.at(coordOf(cell)).x;
  }

  y(cell: number): number {
    return this.at(coordOf(cell)).y;
  }

  at(c: Coord): { x: number; y: number } {
    return { x: this.originX + planeX(c) * this.radius, y: this.originY + planeY(c) * this.radius };
  }

  /** Returns the cell under a point of the screen. */
  under(x: number, y: number): Coord {
    return cellUnder((x - this.originX) / this.radius, (this.originY - y) / this.radius);
  }

  cellAt(x: number, y: number): number {
    return cellOf(this.under(x, y));
  }

  /** Centres the pieces. Unless forced, keeps the viewport if all of them are visible. */
  private place(force: boolean): void {
    if (this.width === 0) return;
    const box = boundsOf(this.played);
    const left = this.leftInset + this.padding;
    const right = this.width - this.padding;
    const bottom = this.height - this.bottomInset;
    const unseen = MARGIN - 1; // one cell around the pieces is enough
    const sees =
      this.originX + (box.left + unseen) * this.radius >= left &&
      this.originX + (box.right - unseen) * this.radius <= right &&
      this.originY + (box.top + unseen) * this.radius >= this.topInset + this.padding &&
      this.originY + (box.bottom - unseen) * this.radius <= bottom - this.padding;
    if (!force && sees) return;
    const wide = box.right - box.left;
    const high = box.bottom - box.top;
    const fitted = Math.min(
      (right - left) / wide,
      (bottom - this.topInset - 2 * this.padding) / high,
    );
    this.radius = Math.max(LEAST, Math.min(RADIUS, fitted));
    this.originX = (left + right) / 2 - ((box.left + box.right) / 2) * this.radius;
    this.originY = (this.topInset + bottom) / 2 - ((box.top + box.bottom) / 2) * this.radius;
    this.follow();
  }

  /** Moves just enough to show the last move. */
  private follow(): void {
    for (const c of this.last) {
      const p = this.at(c);
      const room = this.padding + 2 * this.radius;
      this.originX +=
        Math.max(0, this.leftInset + room - p.x) - Math.max(0, p.x - (this.width - room));
      this.originY +=
        Math.max(0, this.topInset + room - p.y) -
        Math.max(0, p.y - (this.height - this.bottomInset - room));
    }
  }
}
