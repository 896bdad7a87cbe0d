// The ground of the board: the cells in the colours of their owners, and the outlines of the owners' areas. Both are
// layers that are kept between frames, and of which only the cells that have changed are drawn again.

import type { Grid } from "../../core/grid.ts";
import { slotOf, type Theme } from "../../core/theme.ts";
import type { GridViewport } from "../../core/viewport.ts";
import type { Frame } from "./frame.ts";
import { drawOutlines } from "./outlines.ts";
import { drawSlab } from "./slab.ts";
import { FLAT, FREE, SPARSE, type Sprites } from "./sprites.ts";

const LAYERS = ["cells", "outlines"] as const;
type Kept = (typeof LAYERS)[number];

/** Up to this number, cells with another owner have their lines redrawn alone; otherwise all lines are: each needs those of two rings around it. */
const FEW_CELLS = 60;
/** Up to this share of all cells, changed tiles are redrawn alone. */
const FEW_TILES = 0.5;

/** What the layers are drawn with. */
interface Look {
  grid: Grid;
  view: GridViewport;
  theme: Theme;
  specials: number;
  sprites: Sprites;
  strong: boolean;
  /** Pixels of the layers for each CSS pixel. */
  ratio: number;
}

export class Ground {
  /** The cells with pieces: they have no marks. */
  taken: ReadonlySet<number> = new Set();
  private readonly layer = {} as Record<Kept, CanvasRenderingContext2D>;
  private readonly dirty = new Set<Kept>(LAYERS);
  private look: Look | null = null;
  private slab: HTMLCanvasElement | null = null;
  private displayed = new Uint16Array(0);
  /** Cells whose tile is out of date, and those whose lines are: a piece that comes or goes changes only the mark on the tile. */
  private readonly stale = { cells: new Set<number>(), outlines: new Set<number>() };

  constructor() {
    for (const layer of LAYERS)
      this.layer[layer] = document.createElement("canvas").getContext("2d")!;
  }

  /** Everything is drawn again, as large as the canvas like. */
  restyle(look: Look, like: HTMLCanvasElement): void {
    this.look = look;
    this.slab = null;
    for (const layer of LAYERS) {
      const { canvas } = this.layer[layer];
      canvas.width = like.width;
      canvas.height = like.height;
      this.dirty.add(layer);
    }
  }

  /** Shows the owners of the cells, and the cells that the pieces of a frame stand on. */
  show(colors: Uint16Array, frame: Frame): void {
    const taken = new Set<number>(frame.bombs.map((b) => b.cell));
    for (const c of frame.characters) if (c && this.look) taken.add(this.look.grid.at(c.q, c.r));
    for (const cell of taken) if (!this.taken.has(cell)) this.stale.cells.add(cell);
    for (const cell of this.taken) if (!taken.has(cell)) this.stale.cells.add(cell);
    this.taken = taken;
    if (this.displayed.length !== colors.length) {
      this.dirty.add("cells").add("outlines");
    } else {
      for (let cell = 0; cell < colors.length; cell++)
        if (colors[cell] !== this.displayed[cell]) this.recolor(cell);
    }
    this.displayed = colors.slice();
  }

  /** A cell has another owner. */
  flip(cell: number, color: number): void {
    this.displayed[cell] = color;
    this.recolor(cell);
  }

  private recolor(cell: number): void {
    for (const layer of LAYERS) this.stale[layer].add(cell);
  }

  /** Draws what has changed; reports whether anything has. */
  draw(): boolean {
    const { look } = this;
    if (!look) return false;
    const changed = this.dirty.size > 0 || this.stale.cells.size > 0;
    this.drawStaleTiles(look);
    this.drawStaleLines(look);
    this.drawLayer("cells", look, (c) => this.drawCells(c, look));
    this.drawLayer("outlines", look, (c) => this.drawLines(c, look, look.grid.cells()));
    return changed;
  }

  /** Puts the layers on a canvas, in place of what was on it. */
  put(c: CanvasRenderingContext2D): void {
    c.globalCompositeOperation = "copy"; // so that nothing has to be cleared
    c.drawImage(this.layer.cells.canvas, 0, 0);
    c.globalCompositeOperation = "source-over";
    c.drawImage(this.layer.outlines.canvas, 0, 0);
  }

  private drawLayer(
    layer: Kept,
    { ratio }: Look,
    draw: (c: CanvasRenderingContext2D) => void,
  ): void {
    if (!this.dirty.delete(layer)) return;
    const c = this.layer[layer];
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, c.canvas.width, c.canvas.height);
    c.scale(ratio, ratio);
    draw(c);
  }

  /** Redraws changed tiles alone, if they are few. */
  private drawStaleTiles(look: Look): void {
    const stale = [...this.stale.cells];
    this.stale.cells.clear();
    if (stale.length > FEW_TILES * look.grid.size) this.dirty.add("cells");
    if (this.dirty.has("cells")) return;
    const c = this.layer.cells;
    c.setTransform(1, 0, 0, 1, 0, 0);
    for (const cell of stale) this.drawTile(c, look, cell);
  }

  /** Redraws the lines of a few changed cells alone, within pixel-aligned boxes around them. */
  private drawStaleLines(look: Look): void {
    const stale = [...this.stale.outlines];
    this.stale.outlines.clear();
    if (stale.length > FEW_CELLS) this.dirty.add("outlines");
    if (stale.length === 0 || this.dirty.has("outlines")) return;
    const c = this.layer.outlines;
    const { grid, view, ratio } = look;
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
      for (const n of grid.around(cell, 2)) near.add(n);
    }
    c.clip();
    c.scale(ratio, ratio);
    this.drawLines(c, look, near);
    c.restore();
  }

  private drawCells(c: CanvasRenderingContext2D, look: Look): void {
    if (!this.slab) this.slab = drawSlab(c.canvas, look.grid, look.view, look.theme, look.ratio);
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.drawImage(this.slab, 0, 0);
    for (const cell of look.grid.cells()) this.drawTile(c, look, cell);
  }

  private drawTile(
    c: CanvasRenderingContext2D,
    { grid, view, ratio, sprites, specials }: Look,
    cell: number,
  ): void {
    const x = view.x(cell) * ratio;
    const y = view.y(cell) * ratio;
    const reach = sprites.r * 1.1;
    if (x < -reach || y < -reach || x > c.canvas.width + reach || y > c.canvas.height + reach)
      return;
    const color = this.displayed[cell];
    // Of small cells, only every third has room for a mark.
    const roomy = view.radius >= SPARSE || (grid.q[cell] - grid.r[cell]) % 3 === 0;
    const tile = sprites.tile(
      color === 0 ? FREE : slotOf(color, specials),
      !this.taken.has(cell) && roomy,
    );
    // Tiny cells are placed at fractions of a pixel, or gaps between them would vary.
    const place = view.radius < FLAT ? (n: number) => n : Math.round;
    c.drawImage(tile, place(x - tile.width / 2), place(y - tile.height / 2));
  }

  private drawLines(
    c: CanvasRenderingContext2D,
    { grid, view, theme, specials, strong }: Look,
    cells: Iterable<number>,
  ): void {
    drawOutlines(c, grid, view, theme, specials, this.displayed, strong, cells);
  }
}
