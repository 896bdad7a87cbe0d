// Sprites of cells and stones, drawn once per radius.

import { TILE } from "../../core/shape.ts";
import { fade, mix, type Theme } from "../../core/theme.ts";
import type { Side } from "./story.ts";

/** Line widths in cell radii. */
const LINE = 0.09;
const STROKE = 0.2;
/** The symbols as SVG path data to be stroked, for boards and panels. */
export const SYMBOLS: Record<Side, string> = {
  x: "M-.3 -.3L.3 .3M.3 -.3L-.3 .3",
  o: "M.35 0A.35 .35 0 1 1 -.35 0A.35 .35 0 1 1 .35 0Z",
};
/** How far stones fade into the background beside a winning row. */
const FADED = 0.4;

/** Returns the slot whose colours a side has. */
export function slotOfSide(side: Side): number {
  return side === "x" ? 0 : 1;
}

/** Returns the fill of an empty cell. */
export function emptyFill(theme: Theme): string {
  return theme.name === "dark" ? "#212734" : "#DDE2EA";
}

/** Holds the sprites for one theme and radius. */
export class Stones {
  private readonly tile = new Path2D(TILE);
  private readonly cache = new Map<string, HTMLCanvasElement>();

  constructor(
    private readonly theme: Theme,
    readonly radius: number,
    private readonly ratio: number,
  ) {}

  fill(side: Side): string {
    return this.theme.players[slotOfSide(side)].strong;
  }

  /** Draws an empty cell. x and y are pixels of the canvas. */
  cell(c: CanvasRenderingContext2D, x: number, y: number, allowed: boolean): void {
    const plain = emptyFill(this.theme);
    const fill = allowed ? mix(plain, this.theme.text1, 0.1) : plain;
    this.copy(c, x, y, `cell ${allowed}`, (k) => {
      k.fillStyle = fill;
      k.fill(this.tile);
    });
  }

  /** Draws a stone. A faded one stands back behind a winning row. */
  stamp(c: CanvasRenderingContext2D, x: number, y: number, side: Side, faded: boolean): void {
    this.copy(c, x, y, `${side} ${faded}`, (k) => {
      const { theme } = this;
      const paint = theme.players[slotOfSide(side)];
      const back = (color: string) => (faded ? mix(color, theme.stage, FADED) : color);
      k.fillStyle = back(paint.strong);
      k.fill(this.tile);
      k.lineWidth = LINE;
      k.strokeStyle = back(paint.line);
      k.stroke(this.tile);
      stroke(k, side, back(inkOf(theme, side)));
    });
  }

  private copy(
    c: CanvasRenderingContext2D,
    x: number,
    y: number,
    key: string,
    draw: (c: CanvasRenderingContext2D) => void,
  ): void {
    let sprite = this.cache.get(key);
    if (!sprite) {
      sprite = document.createElement("canvas");
      const r = this.radius * this.ratio;
      sprite.width = sprite.height = 2 * Math.ceil(1.06 * r) + 2;
      const k = sprite.getContext("2d")!;
      k.translate(sprite.width / 2, sprite.height / 2);
      k.scale(r, r);
      draw(k);
      this.cache.set(key, sprite);
    }
    if (
      x < -sprite.width ||
      y < -sprite.width ||
      x > c.canvas.width + sprite.width ||
      y > c.canvas.height + sprite.width
    )
      return;
    c.drawImage(sprite, Math.round(x - sprite.width / 2), Math.round(y - sprite.height / 2));
  }

  /** Returns the outline of a cell in CSS pixels. */
  outline(x: number, y: number): Path2D {
    const path = new Path2D();
    path.addPath(this.tile, new DOMMatrix([this.radius, 0, 0, this.radius, x, y]));
    return path;
  }

  symbol(c: CanvasRenderingContext2D, x: number, y: number, side: Side, opacity: number): void {
    c.save();
    c.translate(x, y);
    c.scale(this.radius, this.radius);
    stroke(c, side, fade(inkOf(this.theme, side), opacity));
    c.restore();
  }
}

/** Returns white, but a dark colour for circle in the light theme. */
export function inkOf(theme: Theme, side: Side): string {
  return theme.name === "light" && side === "o" ? "#4A2500" : "#FFFFFF";
}

function stroke(c: CanvasRenderingContext2D, side: Side, color: string): void {
  c.lineWidth = STROKE;
  c.lineCap = "round";
  c.strokeStyle = color;
  c.stroke(new Path2D(SYMBOLS[side]));
}
