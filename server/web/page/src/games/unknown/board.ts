// The board of a game whose game logic says how it is drawn: hexagonal cells with pieces on them.
// One canvas is drawn again whenever something has changed.

import type { Board, Marks, Pointing } from "../../core/board.ts";
import { drawRing, hexagon, text } from "../../core/canvas.ts";
import { Grid } from "../../core/grid.ts";
import { drawRings, letterOf, shapePath } from "../../core/shape.ts";
import { DARK, paintOf, type Theme } from "../../core/theme.ts";
import { GridViewport } from "../../core/viewport.ts";
import type { Item, Scene } from "./scene.ts";

/** The filled part of a cell, and of a piece, as a share of its radius. */
const TILE = 0.955;
const PIECE = 0.5;
/** The size of the mark of a cell's owner, and its opacity. */
const MARK = 0.3;
const FAINT = 0.55;
/** Cells of a smaller radius, in pixels, have no marks and labels. */
const LEGIBLE = 9;

/** Draws one scene at a time. */
export class SceneBoard implements Board {
  coordinates = false;
  marks: Marks = "shapes";
  strong = false;
  theme: Theme = DARK;
  readonly view: GridViewport;
  grid = new Grid([]);
  private scene: Scene | null = null;
  flat = false;
  private changed = true;
  private pointing: Pointing = { cell: -1, firm: false };
  private readonly screen = document.createElement("canvas").getContext("2d")!;

  /** slotOf returns the slot of a player, or null if there is no such player. */
  constructor(
    readonly element: HTMLElement,
    readonly slotOf: (player: number) => number | null,
  ) {
    this.view = new GridViewport(this.grid);
    this.screen.canvas.className = "screen";
    this.screen.canvas.hidden = true;
    element.append(this.screen.canvas);
  }

  /** Shows a scene, or an empty board if it is null. */
  show(scene: Scene | null, flat: boolean): void {
    const same =
      scene?.cells.length === this.grid.size &&
      flat === this.flat &&
      scene.cells.every((c, i) => c.q === this.grid.q[i] && c.r === this.grid.r[i]);
    if (!same) {
      this.grid = new Grid(scene?.cells ?? [], flat);
      this.view.use(this.grid);
    }
    this.scene = scene;
    this.flat = flat;
    this.changed = true;
  }

  hide(hidden: boolean): void {
    this.screen.canvas.hidden = hidden;
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
    const { canvas } = this.screen;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    this.restyle();
  }

  moved(): void {
    this.changed = true;
  }

  restyle(): void {
    this.changed = true;
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
    const { scene, view, screen: c } = this;
    if (!this.changed || view.width === 0 || document.hidden) return;
    this.changed = false;
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, c.canvas.width, c.canvas.height);
    if (!scene) return;
    const ratio = c.canvas.width / view.width;
    c.scale(ratio, ratio);
    const taken = new Set(scene.pieces.map((p) => this.grid.at(p.q, p.r)));
    scene.cells.forEach((cell, i) => this.drawCell(cell, i, !taken.has(i)));
    for (const piece of scene.pieces) this.drawPiece(piece);
    drawRing(c, view, this.theme, this.pointing, this.flat);
  }

  /** Draws a cell, with its mark and its label if nothing stands on it. */
  private drawCell(cell: Item, i: number, bare: boolean): void {
    const { screen: c, view, theme } = this;
    const [x, y] = [view.x(i), view.y(i)];
    const slot = this.slotOf(cell.player);
    hexagon(c, x, y, TILE * view.radius, this.flat);
    c.fillStyle =
      slot !== null
        ? paintOf(theme, slot)[this.strong ? "strong" : "fill"]
        : cell.css || theme.freeFill;
    c.fill();
    if (!bare || view.radius < LEGIBLE) return;
    const label = this.coordinates ? `${cell.q},${cell.r}` : cell.label;
    if (label) {
      c.fillStyle = slot !== null ? paintOf(theme, slot).ink : theme.text2;
      text(c, label, x, y, 0.5 * view.radius);
    } else if (slot !== null && this.marks !== "off") {
      c.globalAlpha = this.marks === "strong" ? 1 : FAINT;
      this.drawMark(slot, x, y, MARK * view.radius, paintOf(theme, slot).body);
      c.globalAlpha = 1;
    }
  }

  private drawPiece(piece: Item): void {
    const { screen: c, view, theme } = this;
    const cell = this.grid.at(piece.q, piece.r);
    if (cell < 0) return;
    const [x, y] = [view.x(cell), view.y(cell)];
    const slot = this.slotOf(piece.player);
    if (slot !== null) {
      this.drawMark(slot, x, y, PIECE * view.radius, paintOf(theme, slot).body);
    } else {
      c.beginPath();
      c.arc(x, y, PIECE * view.radius, 0, 2 * Math.PI);
      c.fillStyle = piece.css || theme.text3;
      c.fill();
    }
    if (!piece.label || view.radius < LEGIBLE) return;
    c.fillStyle = slot !== null ? paintOf(theme, slot).ink : theme.stage;
    text(c, piece.label, x, y, 0.55 * view.radius);
  }

  /** Draws the shape of a slot, or its letter. */
  private drawMark(slot: number, x: number, y: number, size: number, color: string): void {
    const { screen: c } = this;
    c.fillStyle = color;
    if (this.marks === "letters") {
      text(c, letterOf(slot), x, y, 2 * size);
      return;
    }
    const path = shapePath(slot);
    c.save();
    c.translate(x, y);
    c.scale(size, size);
    c.fill(path);
    drawRings(c, slot, path);
    c.restore();
  }
}
