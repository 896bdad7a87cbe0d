// What the page needs of a board, whatever game is played on it.

import type { Bounds } from "./grid.ts";
import type { Theme } from "./theme.ts";

/** How a cell shows its owner: by a shape, a letter, a strong shape, or by colour alone. */
export type Marks = "shapes" | "letters" | "strong" | "off";
export const MARKS: readonly Marks[] = ["shapes", "letters", "strong", "off"];

/** The cell that the viewer points at. */
export interface Pointing {
  /** The cell, or -1. */
  cell: number;
  /** The cell was chosen with the keyboard or pinned with a click. */
  firm: boolean;
}

/** Where the board lies on the screen, in CSS pixels. A cell is a number; -1 means no cell. */
export interface Viewport {
  readonly width: number;
  readonly height: number;
  /** Width at the left that the board leaves free if it would lie below the rail. */
  readonly leftInset: number;
  /** Radius of a cell: the distance from its centre to a corner. */
  readonly radius: number;
  /** The viewer has zoomed or dragged, so that part of the board may be out of sight. */
  readonly moved: boolean;
  fit(): void;
  zoomAt(x: number, y: number, factor: number): void;
  pan(dx: number, dy: number): void;
  x(cell: number): number;
  y(cell: number): number;
  cellAt(x: number, y: number): number;
  /** The rectangle around the whole board, or around what is on a board without an end, in the units of the plane. */
  readonly whole?: Bounds;
  /** The part of the plane in view. */
  readonly inView?: Bounds;
  /** Puts a point of the plane in the middle. */
  centre?(x: number, y: number): void;
}

/** Reports whether part of the board lies beyond the view. */
export function isBeyond({ whole, inView }: Viewport): boolean {
  return (
    whole !== undefined &&
    inView !== undefined &&
    (whole.left < inView.left ||
      whole.right > inView.right ||
      whole.top < inView.top ||
      whole.bottom > inView.bottom)
  );
}

/** A board that draws itself on the stage. */
export interface Board {
  readonly element: HTMLElement;
  readonly view: Viewport;
  theme: Theme;
  marks: Marks;
  coordinates: boolean;
  /** Use strong fills, for projectors. */
  strong: boolean;
  /** topInset: height at the top that a finite board leaves free. */
  resize(
    width: number,
    height: number,
    leftInset: number,
    padding?: number,
    topInset?: number,
  ): void;
  /** The viewport has changed. */
  moved(): void;
  /** The theme, the marks or another setting has changed: everything is drawn again. */
  restyle(): void;
  /** Draws what has changed; called once per animation frame. */
  draw(now: number): void;
  /** Ends the running animation. */
  settle(): void;
  point(pointing: Pointing): void;
  /** Hides the board while another game is on the stage. */
  hide(hidden: boolean): void;
}

/** The band of the timeline in which a game draws, in CSS pixels. */
export interface Track {
  top: number;
  height: number;
  width: number;
}
