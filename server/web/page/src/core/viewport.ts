// The viewport of a finite board: it fits the board into the stage, and can be
// zoomed and panned.

import type { Viewport } from "./board.ts";
import type { Bounds, Grid } from "./grid.ts";

/** Free space around the board in pixels. */
const PADDING = 26;
/** For a board without any room, so that nothing is divided by 0. */
const LEAST_RADIUS = 0.1;
const MOST_RADIUS = 140;

/** Fits the board until the viewer zooms or pans. */
export class GridViewport implements Viewport {
  width = 0;
  height = 0;
  leftInset = 0;
  radius = 20;
  originX = 0;
  originY = 0;
  private zoom = 1;
  private panX = 0;
  private panY = 0;
  private padding = PADDING;
  private topInset = 0;

  constructor(private grid: Grid) {}

  use(grid: Grid): void {
    this.grid = grid;
    this.fit();
  }

  /** What is in the middle stays there, unless the whole board is in view. */
  resize(width: number, height: number, leftInset: number, padding = PADDING, topInset = 0): void {
    const middle = this.moved && this.width > 0 ? this.middle : null;
    Object.assign(this, { width, height, leftInset, padding, topInset });
    this.place();
    if (middle) this.centre(middle.x, middle.y);
  }

  /** The point of the plane in the middle of the room for the board. */
  private get middle(): { x: number; y: number } {
    return {
      x: ((this.width + this.leftInset) / 2 - this.originX) / this.radius,
      y: (this.height / 2 - this.originY) / this.radius,
    };
  }

  get moved(): boolean {
    return this.zoom > 1 || this.panX !== 0 || this.panY !== 0;
  }

  fit(): void {
    this.zoom = 1;
    this.panX = this.panY = 0;
    this.place();
  }

  /** Zooms and keeps the cell under a point of the screen in its place. */
  zoomAt(x: number, y: number, factor: number): void {
    const before = this.radius;
    const px = (x - this.originX) / before;
    const py = (y - this.originY) / before;
    const base = before / this.zoom;
    this.zoom = Math.max(1, Math.min(MOST_RADIUS / base, this.zoom * factor));
    this.place();
    if (this.zoom === 1) {
      this.panX = this.panY = 0;
    } else {
      this.panX += x - (this.originX + px * this.radius);
      this.panY += y - (this.originY + py * this.radius);
    }
    this.place();
  }

  pan(dx: number, dy: number): void {
    this.panX += dx;
    this.panY += dy;
    this.place();
  }

  /** Puts a point of the plane in the middle of the room for the board. */
  centre(x: number, y: number): void {
    const { middle } = this;
    this.pan((middle.x - x) * this.radius, (middle.y - y) * this.radius);
  }

  get whole(): Bounds {
    return this.grid.bounds;
  }

  get inView(): Bounds {
    const [x, y] = [
      (pixel: number) => (pixel - this.originX) / this.radius,
      (pixel: number) => (pixel - this.originY) / this.radius,
    ];
    return { left: x(0), right: x(this.width), top: y(0), bottom: y(this.height) };
  }

  /** Returns the same viewport with room on all sides, in pixels: what lies beyond the edges can be seen when it is moved. */
  enlarged(by: number): GridViewport {
    const copy = Object.assign(new GridViewport(this.grid), this) as GridViewport;
    return Object.assign(copy, {
      width: this.width + 2 * by,
      height: this.height + 2 * by,
      originX: this.originX + by,
      originY: this.originY + by,
    });
  }

  x(cell: number): number {
    return this.originX + this.grid.x[cell] * this.radius;
  }

  y(cell: number): number {
    return this.originY + this.grid.y[cell] * this.radius;
  }

  cellAt(x: number, y: number): number {
    return this.grid.under((x - this.originX) / this.radius, (y - this.originY) / this.radius);
  }

  private place(): void {
    const b = this.grid.bounds;
    if (this.grid.size === 0 || this.width === 0) return;
    const boardWidth = b.right - b.left;
    const boardHeight = b.bottom - b.top;
    const room = (left: number) =>
      Math.min(
        (this.width - left - 2 * this.padding) / boardWidth,
        (this.height - Math.max(this.topInset, this.padding) - this.padding) / boardHeight,
      );
    let left = 0;
    let fitted = room(0);
    if ((this.width - boardWidth * fitted) / 2 < this.leftInset + 8) {
      left = this.leftInset;
      fitted = room(left);
    }
    this.radius = Math.max(LEAST_RADIUS, fitted) * this.zoom;
    this.clampPan(boardWidth * this.radius, boardHeight * this.radius);
    this.originX = (this.width + left) / 2 - ((b.left + b.right) / 2) * this.radius + this.panX;
    const middle = Math.max(this.height / 2, this.topInset + (boardHeight * fitted) / 2);
    this.originY = middle - ((b.top + b.bottom) / 2) * this.radius + this.panY;
  }

  /** Keeps part of the board in sight. */
  private clampPan(width: number, height: number): void {
    const x = Math.max(0, width / 2 + this.width / 2 - 3 * this.radius);
    const y = Math.max(0, height / 2 + this.height / 2 - 3 * this.radius);
    this.panX = Math.max(-x, Math.min(x, this.panX));
    this.panY = Math.max(-y, Math.min(y, this.panY));
  }
}
