// The board: one visible canvas, composed of layers that are redrawn only when they
// have changed. A browser without a graphics card copies every visible canvas that
// changes, so several of them would cost more than all drawing. The player, not the
// board, decides which turn is shown.

import type { Board, Marks, Pointing } from "../../core/board.ts";
import type { DebugCell } from "../../core/botoutput.ts";
import { Grid } from "../../core/grid.ts";
import { DARK, slotOf, type Theme } from "../../core/theme.ts";
import { GridViewport } from "../../core/viewport.ts";
import { type Brush, drawBlast, drawConflicts, drawSettled, drawWarnings, drawWashes } from "./beams.ts";
import type { Blast } from "./blast.ts";
import { drawDebug } from "./debugcells.ts";
import { drawAbove, drawBelow, type Trace } from "./following.ts";
import type { Frame } from "./frame.ts";
import { Layer } from "./layer.ts";
import { schedule, type Schedule, type TimedBlast } from "./motion.ts";
import { drawOutlines } from "./outlines.ts";
import { drawCoordinates, drawPointing } from "./overlay.ts";
import { drawPieces, type Passage } from "./pieces.ts";
import { drawSlab } from "./slab.ts";
import { FLAT, FREE, SPARSE, Sprites } from "./sprites.ts";

/** The layers that are kept between frames. Explosions, pieces and the pointed-at cell are drawn each time. */
const LAYERS = ["cells", "outlines"] as const;
type Kept = (typeof LAYERS)[number];

/** The number of explosions that continue into the following turns. */
const MOST_RUNNING = 64;
/** From this interval on, in milliseconds, a turn is long enough to show settled explosions. */
const SETTLED_FROM = 500;
/** How long after the last zoom or pan the board is redrawn, in milliseconds. */
const REDRAW_AFTER = 120;
/** Up to this number, changed cells are redrawn alone; otherwise the whole layer is. */
const FEW_CELLS = 60;
/** A frame that takes longer, in milliseconds, counts as slow. */
const SLOW_FRAME = 20;
/** From this number of players on, some colours are close, so marks are drawn strong. */
const CROWDED = 7;

interface Running extends TimedBlast {
  shownAt: number;
}

/** Shows one frame at a time, or the way to it from the frame before. */
export class GridBoard implements Board {
  readonly element: HTMLElement;
  readonly view: GridViewport;
  coordinates = false;
  marks: Marks = "shapes";
  strong = false;
  theme: Theme = DARK;

  private readonly screen: CanvasRenderingContext2D;
  private readonly layer = {} as Record<Kept, CanvasRenderingContext2D>;
  private readonly dirty = new Set<Kept>(LAYERS);
  /** The screen is out of date. */
  private changed = true;
  private grid = new Grid([]);
  private specials = 0;
  private players = 0;
  private sprites: Sprites | null = null;
  private slab: HTMLCanvasElement | null = null;
  private ratio = 1;
  private slow = 0;

  private frame: Frame | null = null;
  private before: Frame | null = null;
  private blasts: Blast[] = [];
  private schedule: Schedule | null = null;
  private shownAt = 0;
  private settles = true;
  private running: Running[] = [];
  private displayed = new Uint16Array(0);
  private pendingFlips = new Map<number, number>();
  /** Cells whose picture on the layers is out of date. */
  private readonly stale = new Set<number>();
  private taken = new Set<number>();
  private pointing: Pointing = { cell: -1, firm: false };
  private debug: readonly DebugCell[] = [];
  private trace: Trace | null = null;
  /** What is drawn on request: below the pieces, and above them in this order. */
  private readonly below = new Layer((c) => this.frame && this.trace && drawBelow(this.brush(c), this.frame, this.trace));
  private readonly above = {
    trace: new Layer((c) => this.trace && drawAbove(this.brush(c), this.trace)),
    debug: new Layer((c) => drawDebug(c, this.grid, this.view, this.theme, this.debug, this.taken)),
    coordinates: new Layer((c) => drawCoordinates(c, this.grid, this.view, this.theme)),
  };
  private redrawTimer = 0;
  private drawnView = { radius: 0, x: 0, y: 0 };

  constructor(element: HTMLElement) {
    this.element = element;
    this.view = new GridViewport(this.grid);
    this.screen = document.createElement("canvas").getContext("2d")!;
    this.screen.canvas.className = "screen";
    element.append(this.screen.canvas);
    for (const layer of LAYERS) this.layer[layer] = document.createElement("canvas").getContext("2d")!;
  }

  use(grid: Grid, specials: number, players: number): void {
    this.grid = grid;
    this.specials = specials;
    this.players = players;
    this.frame = this.before = null;
    this.running = [];
    this.view.use(grid);
    this.restyle();
  }

  resize(width: number, height: number, leftInset: number, padding?: number, topInset?: number): void {
    const first = this.view.width === 0;
    this.view.resize(width, height, leftInset, padding, topInset);
    if (first) this.restyle();
    else this.moved();
  }

  hide(hidden: boolean): void {
    this.screen.canvas.hidden = hidden;
  }

  /** The viewport has changed: the old picture is scaled at once and redrawn a little later. */
  moved(): void {
    const { radius, x, y } = this.drawnView;
    if (radius > 0) {
      const scale = this.view.radius / radius;
      this.screen.canvas.style.transform =
        `matrix(${scale},0,0,${scale},${this.view.originX - x * scale},${this.view.originY - y * scale})`;
    }
    clearTimeout(this.redrawTimer);
    this.redrawTimer = window.setTimeout(() => this.restyle(), REDRAW_AFTER);
  }

  /** Theme, marks, size or pixel ratio have changed: everything is redrawn. */
  restyle(): void {
    clearTimeout(this.redrawTimer);
    if (this.view.width * this.view.height === 0) return;
    this.ratio = Math.min(window.devicePixelRatio || 1, this.slow > 30 ? 1.5 : 2);
    const marks = this.marks === "shapes" && this.players >= CROWDED ? "strong" : this.marks;
    this.sprites = new Sprites({
      theme: this.theme,
      radius: this.view.radius,
      ratio: this.ratio,
      marks,
      strong: this.strong,
    });
    this.slab = null;
    const { canvas } = this.screen;
    for (const { canvas: c } of [this.screen, ...Object.values(this.layer)]) {
      c.width = Math.round(this.view.width * this.ratio);
      c.height = Math.round(this.view.height * this.ratio);
    }
    for (const layer of this.overlays) layer.resize(canvas.width, canvas.height);
    this.above.coordinates.touch(!this.coordinates);
    canvas.style.width = `${this.view.width}px`;
    canvas.style.height = `${this.view.height}px`;
    canvas.style.transform = "";
    for (const layer of LAYERS) this.dirty.add(layer);
    this.drawnView = { radius: this.view.radius, x: this.view.originX, y: this.view.originY };
    this.draw(performance.now());
  }

  /** Shows a turn: animated from the one before it within interval milliseconds, or settled at once if interval is null. */
  show(frame: Frame, before: Frame | null, blasts: Blast[], interval: number | null): void {
    const now = performance.now();
    const animate = interval !== null && before !== null && before.turn === frame.turn - 1;
    this.running = animate ? this.running.filter((r) => now < r.shownAt + r.start + r.duration) : [];
    this.frame = frame;
    this.blasts = blasts;
    this.shownAt = now;
    this.pendingFlips.clear();
    if (animate) {
      this.before = before;
      this.settles = interval > SETTLED_FROM;
      this.schedule = schedule(this.grid, before, frame, blasts, interval);
      for (const t of this.schedule.blasts) this.running.push({ ...t, shownAt: now });
      this.running = this.running.slice(-MOST_RUNNING);
      this.pendingFlips = new Map(this.schedule.flips);
    } else {
      this.before = this.schedule = null;
      this.settles = true;
    }
    this.noteStale(animate ? before.colors : frame.colors, frame);
    this.changed = true;
  }

  /** Marks the cells as stale whose colour differs from the drawn one, and those that pieces now cover or no longer cover. */
  private noteStale(colors: Uint16Array, frame: Frame): void {
    const taken = new Set<number>(frame.bombs.map((b) => b.cell));
    for (const c of frame.characters) if (c) taken.add(this.grid.at(c.q, c.r));
    for (const cell of taken) if (!this.taken.has(cell)) this.stale.add(cell);
    for (const cell of this.taken) if (!taken.has(cell)) this.stale.add(cell);
    this.taken = taken;
    if (this.displayed.length !== colors.length) {
      this.dirty.add("cells").add("outlines");
    } else {
      for (let cell = 0; cell < colors.length; cell++) if (colors[cell] !== this.displayed[cell]) this.stale.add(cell);
    }
    this.displayed = colors.slice();
  }

  /** Ends the running animation and shows the turn settled. */
  settle(): void {
    if (this.frame && this.schedule) this.show(this.frame, null, this.blasts, null);
    this.changed = this.settles = true;
  }

  point(pointing: Pointing): void {
    if (pointing.cell === this.pointing.cell && pointing.firm === this.pointing.firm) return;
    this.pointing = pointing;
    this.changed = true;
  }

  private get overlays(): Layer[] {
    return [this.below, ...Object.values(this.above)];
  }

  /** Shows the cells that a bot marks on top of the pieces. */
  mark(cells: readonly DebugCell[]): void {
    if (cells.length + this.debug.length === 0) return;
    this.debug = cells;
    this.above.debug.touch(cells.length === 0);
    this.changed = true;
  }

  /** Shows what a followed player does; null: no player is followed. */
  follow(trace: Trace | null): void {
    if (!trace && !this.trace) return;
    this.trace = trace;
    for (const layer of [this.below, this.above.trace]) layer.touch(!trace);
    this.changed = true;
  }

  /** Draws what has changed. */
  draw(now: number): void {
    const { frame, sprites } = this;
    if (!frame || !sprites || document.hidden) return;
    const began = performance.now();
    const elapsed = now - this.shownAt;
    this.flip(elapsed);
    const moving = this.schedule !== null && elapsed < this.schedule.end;
    if (moving || this.schedule || this.running.length > 0) this.changed = true;
    if (!moving) this.schedule = null;
    if (this.running.length > 0) this.running = this.running.filter((r) => now < r.shownAt + r.start + r.duration);
    this.drawStale(sprites);
    this.drawLayer("cells", (c) => this.drawCells(c, sprites));
    this.drawLayer("outlines", (c) => this.drawLines(c, this.grid.cells()));
    for (const layer of this.overlays) if (layer.update(this.ratio)) this.changed = true;
    if (this.changed) this.compose(frame, sprites, now, elapsed);
    this.changed = false;
    this.noteSpeed(performance.now() - began);
  }

  /** Composes the layers and draws the moving parts. */
  private compose(frame: Frame, sprites: Sprites, now: number, elapsed: number): void {
    const { screen: c, layer, view, theme, specials } = this;
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.globalCompositeOperation = "copy"; // replaces the old picture, so that nothing has to be cleared
    c.drawImage(layer.cells.canvas, 0, 0);
    c.globalCompositeOperation = "source-over";
    c.drawImage(layer.outlines.canvas, 0, 0);
    c.scale(this.ratio, this.ratio);
    this.below.put(c, view.width, view.height);
    this.drawBlasts(c, frame, now, elapsed);
    const passage: Passage | null =
      this.schedule && this.before ? { before: this.before, schedule: this.schedule, elapsed } : null;
    drawWarnings(this.brush(c), frame);
    drawPieces({ c, view, sprites, theme, specials, haloed: this.trace?.color ?? 0 }, frame, passage);
    for (const layer of Object.values(this.above)) layer.put(c, view.width, view.height);
    drawPointing(c, this.grid, view, theme, frame, this.pointing);
  }

  /** Lowers the resolution on a machine that is too slow for it. */
  private noteSpeed(took: number): void {
    this.slow = took > SLOW_FRAME ? this.slow + 1 : Math.max(0, this.slow - 0.1);
    if (this.slow > 30 && this.ratio > 1.5) this.restyle();
  }

  private drawLayer(layer: Kept, draw: (c: CanvasRenderingContext2D) => void): void {
    if (!this.dirty.delete(layer)) return;
    this.changed = true;
    const c = this.layer[layer];
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, c.canvas.width, c.canvas.height);
    c.scale(this.ratio, this.ratio);
    draw(c);
  }

  private flip(elapsed: number): void {
    if (!this.frame) return;
    const at: number[] = [];
    for (const [cell, time] of this.pendingFlips) if (time <= elapsed) at.push(cell);
    for (const cell of at) {
      this.pendingFlips.delete(cell);
      this.displayed[cell] = this.frame.colors[cell];
      this.stale.add(cell);
    }
  }

  /** Redraws a few changed cells alone: their tiles, and the lines within pixel-aligned boxes around them. */
  private drawStale(sprites: Sprites): void {
    const stale = [...this.stale];
    this.stale.clear();
    if (stale.length === 0 || this.dirty.has("cells") || this.dirty.has("outlines")) return;
    this.changed = true;
    if (stale.length > FEW_CELLS) {
      this.dirty.add("cells").add("outlines");
      return;
    }
    const tiles = this.layer.cells;
    tiles.setTransform(1, 0, 0, 1, 0, 0);
    for (const cell of stale) this.drawTile(tiles, sprites, cell);
    const c = this.layer.outlines;
    const { view, ratio } = this;
    const near = new Set<number>();
    c.save();
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.beginPath();
    for (const cell of stale) {
      // A line leaves its cell by half the gap and its round end, and ends within two rings.
      const half = Math.ceil(1.2 * view.radius * ratio);
      const x = Math.round(view.x(cell) * ratio) - half;
      const y = Math.round(view.y(cell) * ratio) - half;
      c.clearRect(x, y, 2 * half, 2 * half);
      c.rect(x, y, 2 * half, 2 * half);
      for (const n of this.grid.around(cell, 2)) near.add(n);
    }
    c.clip();
    c.scale(ratio, ratio);
    this.drawLines(c, near);
    c.restore();
  }

  private drawCells(c: CanvasRenderingContext2D, sprites: Sprites): void {
    if (!this.slab) this.slab = drawSlab(c.canvas, this.grid, this.view, this.theme, this.ratio);
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.drawImage(this.slab, 0, 0);
    for (const cell of this.grid.cells()) this.drawTile(c, sprites, cell);
  }

  private drawTile(c: CanvasRenderingContext2D, sprites: Sprites, cell: number): void {
    const x = this.view.x(cell) * this.ratio;
    const y = this.view.y(cell) * this.ratio;
    const reach = sprites.r * 1.1;
    if (x < -reach || y < -reach || x > c.canvas.width + reach || y > c.canvas.height + reach) return;
    const color = this.displayed[cell];
    const tile = sprites.tile(color === 0 ? FREE : slotOf(color, this.specials), !this.taken.has(cell) && this.hasMark(cell));
    // Tiny cells are placed at fractions of a pixel, or gaps between them would vary.
    const place = this.view.radius < FLAT ? (n: number) => n : Math.round;
    c.drawImage(tile, place(x - tile.width / 2), place(y - tile.height / 2));
  }

  /** Reports whether a cell has room for a mark: of small cells, only every third. */
  private hasMark(cell: number): boolean {
    return this.view.radius >= SPARSE || (this.grid.q[cell] - this.grid.r[cell]) % 3 === 0;
  }

  private drawLines(c: CanvasRenderingContext2D, cells: Iterable<number>): void {
    drawOutlines(c, this.grid, this.view, this.theme, this.specials, this.displayed, this.strong, cells);
  }

  private drawBlasts(c: CanvasRenderingContext2D, frame: Frame, now: number, elapsed: number): void {
    const brush = this.brush(c);
    // A cross appears together with the new colour of its cell.
    drawConflicts(brush, frame, (cell) => !this.pendingFlips.has(cell));
    if (!this.schedule && this.settles && this.running.length === 0) drawSettled(brush, this.blasts);
    if (this.schedule && this.blasts.length > 0) drawWashes(brush, this.schedule.flips, frame.colors, elapsed);
    const glow = this.schedule?.glow ?? false;
    for (const r of this.running) drawBlast(brush, r, now - r.shownAt - r.start, glow);
  }

  private brush(c: CanvasRenderingContext2D): Brush {
    return { c, grid: this.grid, view: this.view, theme: this.theme, specials: this.specials };
  }
}
