// The endless board. Cells and stones are a picture that is redrawn when the turn or
// the viewport changes; what follows the pointer is drawn on top of it.

import type { Board, Marks, Pointing } from "../../core/board.ts";
import { drawRing, hexagon } from "../../core/canvas.ts";
import { type Coord, keyOf, SQRT3 } from "../../core/plane.ts";
import { DARK, fade, type Theme } from "../../core/theme.ts";
import { Field } from "./field.ts";
import {
  drawConsidered,
  drawCoordinates,
  drawMoves,
  drawNumbers,
  drawPointed,
  drawThreats,
  drawWins,
} from "./marks.ts";
import type { Choice, Scene } from "./scene.ts";
import { slotOfSide, Stones } from "./stones.ts";
import { coordOf, EndlessViewport } from "./viewport.ts";

/** The number of cells over which the board fades out beyond the view distance. */
const FADE = 4;
/** The opacity of cells at the view distance. */
const DIM = 0.4;
/** The opacity of pieces that are chosen but not placed yet. */
const CHOSEN = 0.5;

/** Draws the cells around the pieces. */
export class EndlessBoard implements Board {
  readonly view = new EndlessViewport();
  coordinates = false;
  marks: Marks = "shapes";
  strong = false;
  theme: Theme = DARK;

  private readonly screen = document.createElement("canvas").getContext("2d")!;
  private readonly ground = document.createElement("canvas").getContext("2d")!;
  private stones: Stones | null = null;
  private scene: Scene | null = null;
  private choice: Choice | null = null;
  private outlined: readonly Coord[] = [];
  private pointing: Pointing = { cell: -1, firm: false };
  private stale = true;
  private changed = true;

  constructor(readonly element: HTMLElement) {
    this.screen.canvas.className = "screen";
    this.screen.canvas.hidden = true;
    element.append(this.screen.canvas);
  }

  hide(hidden: boolean): void {
    this.screen.canvas.hidden = hidden;
  }

  show(scene: Scene): void {
    this.scene = scene;
    this.view.show(scene.pieces, scene.previous.at(-1)?.pieces ?? []);
    this.moved();
  }

  /** Shows the choice of the player in this page, or nothing if it is null. */
  choose(choice: Choice | null): void {
    if ((choice === null) !== (this.choice === null)) this.stale = true;
    this.choice = choice;
    this.changed = true;
  }

  /** Outlines the pieces of a move. */
  outline(pieces: readonly Coord[]): void {
    this.outlined = pieces;
    this.changed = true;
  }

  resize(
    width: number,
    height: number,
    leftInset: number,
    padding?: number,
    topInset?: number,
  ): void {
    this.view.resize(width, height, leftInset, padding, topInset);
    const ratio = Math.min(devicePixelRatio || 1, 2);
    for (const { canvas } of [this.screen, this.ground]) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    this.screen.canvas.style.width = `${width}px`;
    this.screen.canvas.style.height = `${height}px`;
    this.restyle();
  }

  moved(): void {
    this.stale = this.changed = true;
  }

  restyle(): void {
    this.stones = null;
    this.moved();
    this.draw();
  }

  settle(): void {
    // There are no animations.
  }

  point(pointing: Pointing): void {
    this.pointing = pointing;
    this.changed = true;
  }

  draw(): void {
    const { scene, view } = this;
    if (!scene || !this.changed || view.width === 0 || this.screen.canvas.hidden || document.hidden)
      return;
    const ratio = this.ground.canvas.width / view.width;
    if (this.stones?.radius !== view.radius)
      this.stones = new Stones(this.theme, view.radius, ratio);
    if (this.stale) this.drawGround(this.ground, scene, this.stones, ratio);
    this.stale = this.changed = false;
    const c = this.screen;
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, c.canvas.width, c.canvas.height);
    c.drawImage(this.ground.canvas, 0, 0);
    c.scale(ratio, ratio);
    this.drawChoice(c, this.stones);
    drawPointed(c, view, this.theme, this.outlined);
    drawRing(c, view, this.theme, this.pointing);
  }

  private drawGround(
    c: CanvasRenderingContext2D,
    scene: Scene,
    stones: Stones,
    ratio: number,
  ): void {
    const { view, theme } = this;
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, c.canvas.width, c.canvas.height);
    this.drawCells(c, scene, stones, ratio);
    const won = scene.row.length > 0;
    const bright = new Set([...scene.row, ...scene.previous.flatMap((m) => m.pieces)].map(keyOf));
    for (const p of scene.pieces) {
      const { x, y } = view.at(p);
      stones.stamp(c, x * ratio, y * ratio, p.p, won && !bright.has(keyOf(p)));
    }
    c.scale(ratio, ratio);
    drawMoves(c, view, theme, scene);
    drawThreats(c, view, theme, scene);
    drawWins(c, view, theme, scene);
    drawConsidered(c, view, theme, scene);
    if (!this.coordinates) return;
    drawCoordinates(c, view, theme, this.cells());
    drawNumbers(c, view, theme, scene);
  }

  private drawCells(
    c: CanvasRenderingContext2D,
    scene: Scene,
    stones: Stones,
    ratio: number,
  ): void {
    const { view } = this;
    const reach = scene.view + FADE;
    const cells = this.cells();
    const field = new Field(cells.from, cells.to, reach, scene.pieces);
    for (const { q, r } of cells) {
      const d = field.at(q, r);
      if (d === 0 || d > reach) continue;
      const { x, y } = view.at({ q, r });
      const allowed = d <= scene.view;
      c.globalAlpha = allowed
        ? 1 - ((1 - DIM) * (d - 1)) / Math.max(1, scene.view - 1)
        : DIM * (1 - (d - scene.view) / (FADE + 1));
      if (this.choice && allowed) c.globalAlpha = 1;
      stones.cell(c, x * ratio, y * ratio, this.choice !== null && allowed);
    }
    c.globalAlpha = 1;
  }

  /** Returns the visible cells. */
  private cells(): Iterable<Coord> & { from: Coord; to: Coord } {
    const { view } = this;
    const corners = [
      [0, 0],
      [view.width, 0],
      [0, view.height],
      [view.width, view.height],
    ].map(([x, y]) => view.under(x, y));
    const from = {
      q: Math.min(...corners.map((k) => k.q)) - 1,
      r: Math.min(...corners.map((k) => k.r)) - 1,
    };
    const to = {
      q: Math.max(...corners.map((k) => k.q)) + 1,
      r: Math.max(...corners.map((k) => k.r)) + 1,
    };
    const wide = Math.ceil(view.width / (SQRT3 * view.radius)) + 2;
    return {
      from,
      to,
      *[Symbol.iterator]() {
        for (let r = from.r; r <= to.r; r++) {
          const first = view.under(0, view.at({ q: 0, r }).y).q - 1;
          for (let q = first; q <= first + wide; q++) yield { q, r };
        }
      },
    };
  }

  private drawChoice(c: CanvasRenderingContext2D, stones: Stones): void {
    const { choice, view, theme, pointing } = this;
    if (!choice) return;
    for (const p of choice.pieces) {
      const { x, y } = view.at(p);
      hexagon(c, x, y, 0.955 * view.radius);
      c.fillStyle = fade(stones.fill(choice.side), CHOSEN);
      c.fill();
      stones.symbol(c, x, y, choice.side, 1);
      c.lineWidth = 0.12 * view.radius;
      c.strokeStyle = theme.players[slotOfSide(choice.side)].line;
      c.setLineDash([0.24 * view.radius, 0.2 * view.radius]);
      c.stroke(stones.outline(x, y));
      c.setLineDash([]);
    }
    if (choice.ghost && pointing.cell >= 0) {
      const { x, y } = view.at(coordOf(pointing.cell));
      hexagon(c, x, y, 0.955 * view.radius);
      c.fillStyle = fade(stones.fill(choice.side), 0.35);
      c.fill();
      stones.symbol(c, x, y, choice.side, 0.6);
    }
  }
}
