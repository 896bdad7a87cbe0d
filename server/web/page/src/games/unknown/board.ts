// The empty board of a game that the page cannot draw.

import type { Board, Marks, Viewport } from "../../core/board.ts";
import { DARK, type Theme } from "../../core/theme.ts";

class EmptyViewport implements Viewport {
  width = 0;
  height = 0;
  leftInset = 0;
  readonly radius = 0;
  readonly moved = false;
  fit(): void {}
  zoomAt(): void {}
  pan(): void {}
  x(): number {
    return 0;
  }
  y(): number {
    return 0;
  }
  cellAt(): number {
    return -1;
  }
}

/** Draws nothing. */
export class EmptyBoard implements Board {
  readonly view = new EmptyViewport();
  theme: Theme = DARK;
  marks: Marks = "shapes";
  coordinates = false;
  strong = false;

  constructor(readonly element: HTMLElement) {}

  resize(width: number, height: number): void {
    this.view.width = width;
    this.view.height = height;
  }

  moved(): void {}
  restyle(): void {}
  draw(): void {}
  settle(): void {}
  point(): void {}
  hide(): void {}
}
