// The layers of the marks that a bot puts on the board, which the viewer can hide one by one. Each turn is read once.

import { debugOf } from "./botoutput.ts";
import type { StartEvent } from "./feed.ts";
import type { Store } from "./store.ts";

/** Further layers than these cannot be hidden. */
const MOST_LAYERS = 12;

export class MarkLayers {
  /** Those of one player, in the order of first use; empty: that of marks without a layer. */
  readonly names = new Set<string>();
  private readonly hidden = new Set<string>();
  private known = 0;
  private of: StartEvent | null = null;
  private player = -1;

  /** changed draws the marks again. */
  constructor(private readonly changed: () => void) {}

  /** Adds the layers that a player has used since the last call. */
  follow(store: Store, player: number): this {
    if (store.start !== this.of || player !== this.player) {
      this.of = store.start;
      this.player = player;
      this.known = 0;
      this.names.clear();
    }
    const ready = store.gap ? store.gap.from - 1 : store.last;
    while (this.known < ready) {
      for (const answer of store.event(++this.known)?.answers ?? []) {
        if (answer.player !== player || answer.debug === undefined) continue;
        for (const { layer } of debugOf(answer).cells)
          if (this.names.size < MOST_LAYERS) this.names.add(layer);
      }
    }
    return this;
  }

  shows(layer: string): boolean {
    return !this.hidden.has(layer);
  }

  toggle(layer: string): void {
    if (!this.hidden.delete(layer)) this.hidden.add(layer);
    this.changed();
  }
}
