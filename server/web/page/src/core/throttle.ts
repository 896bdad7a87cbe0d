// Panels are drawn at most ten times a second.

/** In milliseconds. */
const INTERVAL = 100;

/** Limits how often panels are drawn. */
export class Throttle {
  listener: () => void = () => {};
  private drawnAt = 0;
  private scheduled = 0;

  /** Calls the listener within 100 ms, or at once if the viewer waits for it. */
  changed(now: boolean): void {
    if (now) {
      clearTimeout(this.scheduled);
      this.scheduled = 0;
    }
    if (this.scheduled) return;
    const due = now ? 0 : Math.max(0, this.drawnAt + INTERVAL - performance.now());
    this.scheduled = window.setTimeout(() => this.flush(), due);
  }

  /** Calls the listener now. */
  flush(): void {
    clearTimeout(this.scheduled);
    this.scheduled = 0;
    this.drawnAt = performance.now();
    this.listener();
  }
}
