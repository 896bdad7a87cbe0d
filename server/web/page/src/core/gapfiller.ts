// Loads the turns that the server skipped because the page had fallen behind.

import { loadHistory } from "./source.ts";
import type { Store } from "./store.ts";

/** Fills one gap at a time. */
export class GapFiller {
  private filling = false;

  constructor(
    private readonly store: Store,
    private readonly changed: () => void,
  ) {}

  /** Begins to fill the gap, if there is one and it is not being filled. */
  async fill(): Promise<void> {
    const { gap, start } = this.store;
    if (!gap || !start || this.filling) return;
    this.filling = true;
    try {
      // The start is event 0 of the history, so that turn k is event k.
      const missing = await loadHistory(start.id, gap.from, gap.to + 1);
      if (this.store.start?.id === start.id) await this.store.fill(missing, nextFrame);
    } finally {
      this.filling = false;
    }
    this.changed();
  }
}

/** Resolves before the next animation frame. A hidden page has none, and nothing that a longer task would disturb. */
function nextFrame(): Promise<void> {
  return new Promise((done) =>
    document.hidden ? setTimeout(done) : requestAnimationFrame(() => done()),
  );
}
