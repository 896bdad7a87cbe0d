// A layer of the board that is drawn on request, kept off screen until it changes.

/** draw is called with a clean canvas, in CSS pixels. */
export class Layer {
  private readonly c = document.createElement("canvas").getContext("2d")!;
  private dirty = true;
  /** It has nothing to draw. */
  empty = true;

  constructor(private readonly draw: (c: CanvasRenderingContext2D) => void) {}

  resize(width: number, height: number): void {
    this.c.canvas.width = width;
    this.c.canvas.height = height;
    this.dirty = true;
  }

  /** Its content has changed. */
  touch(empty: boolean): void {
    this.empty = empty;
    this.dirty = true;
  }

  /** Draws the layer again if it has changed; reports whether it has. */
  update(ratio: number): boolean {
    if (this.empty || !this.dirty) return false;
    this.dirty = false;
    this.c.setTransform(1, 0, 0, 1, 0, 0);
    this.c.clearRect(0, 0, this.c.canvas.width, this.c.canvas.height);
    this.c.scale(ratio, ratio);
    this.draw(this.c);
    return true;
  }

  /** Puts the layer on a canvas that is scaled to CSS pixels. */
  put(screen: CanvasRenderingContext2D, width: number, height: number): void {
    if (!this.empty) screen.drawImage(this.c.canvas, 0, 0, width, height);
  }
}
