// The board: one visible canvas, composed of layers that are redrawn only when they
// have changed. A browser without a graphics card copies every visible canvas that
// changes, so several of them would cost more than all drawing. The player, not the
// board, decides which turn is shown.

import type { Board, Marks, Pointing } from "../../core/board.ts";
import type { DebugCell } from "../../core/botoutput.ts";
import { Camera } from "../../core/camera.ts";
import { Grid } from "../../core/grid.ts";
import { DARK, type Theme } from "../../core/theme.ts";
import { GridViewport } from "../../core/viewport.ts";
import {
  type Brush,
  drawBlast,
  drawConflicts,
  drawSettled,
  drawWarnings,
  drawWashes,
} from "./beams.ts";
import type { Blast } from "./blast.ts";
import { drawDebug } from "./debugcells.ts";
import { drawAbove, drawBelow, type Trace } from "./following.ts";
import type { Frame } from "./frame.ts";
import { Ground } from "./ground.ts";
import { Layer } from "./layer.ts";
import { schedule, type Schedule, type TimedBlast } from "./motion.ts";
import { drawCoordinates, drawPointing } from "./overlay.ts";
import { drawPieces, type Passage } from "./pieces.ts";
import { Sprites } from "./sprites.ts";

/** The number of explosions that continue into the following turns. */
const MOST_RUNNING = 64;
/** From this interval on, in milliseconds, a turn is long enough to show settled explosions. */
const SETTLED_FROM = 500;
/** How long after the last zoom or pan the board is redrawn, in milliseconds. */
const REDRAW_AFTER = 120;
/** How far a picture of a part of the board reaches beyond the stage, in pixels: a few cells, so that a step of a character moves the picture without drawing it again. */
const BLEED = 128;
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
  private readonly ground = new Ground();
  /** The screen is out of date. */
  private changed = true;
  private grid = new Grid([]);
  private specials = 0;
  private players = 0;
  private sprites: Sprites | null = null;
  private ratio = 1;
  private slow = 0;

  private frame: Frame | null = null;
  private before: Frame | null = null;
  private blasts: Blast[] = [];
  private schedule: Schedule | null = null;
  private shownAt = 0;
  private settles = true;
  private running: Running[] = [];
  private pendingFlips = new Map<number, number>();
  private pointing: Pointing = { cell: -1, firm: false };
  private debug: readonly DebugCell[] = [];
  private trace: Trace | null = null;
  /** What is drawn on request: below the pieces, and above them in this order. */
  private readonly below = new Layer(
    (c) => this.frame && this.trace && drawBelow(this.brush(c), this.frame, this.trace),
  );
  private readonly above = {
    trace: new Layer((c) => this.trace && drawAbove(this.brush(c), this.trace)),
    debug: new Layer((c) => drawDebug({ ...this.brush(c), taken: this.ground.taken }, this.debug)),
    coordinates: new Layer((c) => drawCoordinates(c, this.grid, this.drawn, this.theme)),
  };
  private redrawTimer = 0;
  /** The viewport of the picture on the screen, which reaches beyond the stage by bleed if not all of the board is in view. */
  private drawn: GridViewport;
  private bleed = 0;
  private readonly camera: Camera;

  constructor(element: HTMLElement) {
    this.element = element;
    this.view = this.drawn = new GridViewport(this.grid);
    this.camera = new Camera(this.view);
    this.screen = document.createElement("canvas").getContext("2d")!;
    this.screen.canvas.className = "screen";
    element.append(this.screen.canvas);
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

  resize(
    width: number,
    height: number,
    leftInset: number,
    padding?: number,
    topInset?: number,
  ): void {
    const first = this.view.width === 0;
    this.view.resize(width, height, leftInset, padding, topInset);
    if (first) this.restyle();
    else this.moved();
  }

  hide(hidden: boolean): void {
    this.screen.canvas.hidden = hidden;
  }

  /** The viewport has changed: the old picture is moved and scaled at once, and redrawn a little later if that is not all. */
  moved(): void {
    const { view, drawn, bleed } = this;
    const scale = view.radius / drawn.radius;
    const [x, y] = [
      Math.round(view.originX - drawn.originX * scale),
      Math.round(view.originY - drawn.originY * scale),
    ];
    this.screen.canvas.style.transform = `matrix(${scale},0,0,${scale},${x},${y})`;
    const strayed = Math.max(Math.abs(x + bleed), Math.abs(y + bleed));
    const same =
      scale === 1 &&
      drawn.width === view.width + 2 * bleed &&
      drawn.height === view.height + 2 * bleed;
    if (same && view.moved && strayed <= bleed) return;
    if (same && view.moved && strayed <= 2 * bleed) return this.restyle();
    clearTimeout(this.redrawTimer);
    this.redrawTimer = window.setTimeout(() => this.restyle(), REDRAW_AFTER);
  }

  /** Theme, marks, size or pixel ratio have changed: everything is redrawn. */
  restyle(): void {
    clearTimeout(this.redrawTimer);
    if (this.view.width * this.view.height === 0) return;
    this.ratio = Math.min(window.devicePixelRatio || 1, this.slow > 30 ? 1.5 : 2);
    this.bleed = this.view.moved ? BLEED : 0;
    this.drawn = this.view.enlarged(this.bleed);
    const { drawn, ratio, theme, strong } = this;
    const marks = this.marks === "shapes" && this.players >= CROWDED ? "strong" : this.marks;
    this.sprites = Sprites.like(this.sprites, {
      theme,
      radius: drawn.radius,
      ratio,
      marks,
      strong,
    });
    const { canvas } = this.screen;
    canvas.width = Math.round(drawn.width * ratio);
    canvas.height = Math.round(drawn.height * ratio);
    this.ground.restyle(
      {
        grid: this.grid,
        view: drawn,
        theme,
        specials: this.specials,
        sprites: this.sprites,
        strong,
        ratio,
      },
      canvas,
    );
    for (const layer of this.overlays) layer.resize(canvas.width, canvas.height);
    this.above.coordinates.touch(!this.coordinates);
    canvas.style.width = `${drawn.width}px`;
    canvas.style.height = `${drawn.height}px`;
    canvas.style.transform = this.bleed > 0 ? `translate(${-this.bleed}px,${-this.bleed}px)` : "";
    this.changed = true;
    this.draw(performance.now());
  }

  /** Shows a turn: animated from the one before it within interval milliseconds, or settled at once if interval is null. */
  show(frame: Frame, before: Frame | null, blasts: Blast[], interval: number | null): void {
    const now = performance.now();
    const animate = interval !== null && before !== null && before.turn === frame.turn - 1;
    this.running = animate
      ? this.running.filter((r) => now < r.shownAt + r.start + r.duration)
      : [];
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
    this.ground.show(animate ? before.colors : frame.colors, frame);
    this.changed = true;
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

  /** Keeps a cell in the middle from now on, smoothly unless at once; -1: none. */
  centre(cell: number, atOnce = false): void {
    if (cell < 0) return this.camera.release();
    this.camera.aim(this.grid.x[cell], this.grid.y[cell], atOnce);
  }

  /** Draws what has changed. */
  draw(now: number): void {
    const { frame, sprites } = this;
    if (this.camera.tick(now)) this.moved();
    if (!frame || !sprites || document.hidden) return;
    const began = performance.now();
    const elapsed = now - this.shownAt;
    this.flip(elapsed);
    const moving = this.schedule !== null && elapsed < this.schedule.end;
    if (moving || this.schedule || this.running.length > 0) this.changed = true;
    if (!moving) this.schedule = null;
    if (this.running.length > 0)
      this.running = this.running.filter((r) => now < r.shownAt + r.start + r.duration);
    if (this.ground.draw()) this.changed = true;
    for (const layer of this.overlays) if (layer.update(this.ratio)) this.changed = true;
    if (this.changed) this.compose(frame, sprites, now, elapsed);
    this.changed = false;
    this.noteSpeed(performance.now() - began);
  }

  /** Composes the layers and draws the moving parts. */
  private compose(frame: Frame, sprites: Sprites, now: number, elapsed: number): void {
    const { screen: c, drawn: view, theme, specials } = this;
    c.setTransform(1, 0, 0, 1, 0, 0);
    this.ground.put(c);
    c.scale(this.ratio, this.ratio);
    this.below.put(c, view.width, view.height);
    this.drawBlasts(c, frame, now, elapsed);
    const passage: Passage | null =
      this.schedule && this.before
        ? { before: this.before, schedule: this.schedule, elapsed }
        : null;
    drawWarnings(this.brush(c), frame);
    drawPieces(
      { c, view, sprites, theme, specials, haloed: this.trace?.color ?? 0 },
      frame,
      passage,
    );
    for (const layer of Object.values(this.above)) layer.put(c, view.width, view.height);
    drawPointing(c, this.grid, view, theme, frame, this.pointing);
  }

  /** Lowers the resolution on a machine that is too slow for it. */
  private noteSpeed(took: number): void {
    this.slow = took > SLOW_FRAME ? this.slow + 1 : Math.max(0, this.slow - 0.1);
    if (this.slow > 30 && this.ratio > 1.5) this.restyle();
  }

  private flip(elapsed: number): void {
    if (!this.frame) return;
    const at: number[] = [];
    for (const [cell, time] of this.pendingFlips) if (time <= elapsed) at.push(cell);
    for (const cell of at) {
      this.pendingFlips.delete(cell);
      this.ground.flip(cell, this.frame.colors[cell]);
    }
  }

  private drawBlasts(
    c: CanvasRenderingContext2D,
    frame: Frame,
    now: number,
    elapsed: number,
  ): void {
    const brush = this.brush(c);
    // A cross appears together with the new colour of its cell.
    drawConflicts(brush, frame, (cell) => !this.pendingFlips.has(cell));
    if (!this.schedule && this.settles && this.running.length === 0)
      drawSettled(brush, this.blasts);
    if (this.schedule && this.blasts.length > 0)
      drawWashes(brush, this.schedule.flips, frame.colors, elapsed);
    const glow = this.schedule?.glow ?? false;
    for (const r of this.running) drawBlast(brush, r, now - r.shownAt - r.start, glow);
  }

  private brush(c: CanvasRenderingContext2D): Brush {
    return { c, grid: this.grid, view: this.drawn, theme: this.theme, specials: this.specials };
  }
}
