// The values that a bot sends, as lines over the turns. They are gathered as turns
// arrive, each turn once.

import { debugOf } from "./botoutput.ts";
import type { StartEvent } from "./feed.ts";
import type { Store } from "./store.ts";

/** More lines than these are counted, not drawn. */
export const MOST_CURVES = 12;

export class Curves {
  /** By name, in the order of their first turns: the value at each turn, or null. */
  readonly lines = new Map<string, (number | null)[]>();
  /** How many names found no room. */
  more = 0;
  private readonly refused = new Set<string>();
  private known = 0;
  private of: StartEvent | null = null;
  private player = -1;

  /** Takes in what a player has sent up to now. */
  follow(store: Store, player: number): this {
    if (store.start !== this.of || player !== this.player) {
      this.of = store.start;
      this.player = player;
      this.known = this.more = 0;
      this.lines.clear();
      this.refused.clear();
    }
    const ready = store.gap ? store.gap.from - 1 : store.last;
    while (this.known < ready) this.take(store, ++this.known);
    return this;
  }

  private take(store: Store, turn: number): void {
    for (const answer of store.event(turn)?.answers ?? []) {
      if (answer.player !== this.player || answer.debug === undefined) continue;
      for (const [name, value] of debugOf(answer).values) this.add(name, turn, value);
    }
  }

  private add(name: string, turn: number, value: number): void {
    let line = this.lines.get(name);
    if (!line) {
      if (this.lines.size >= MOST_CURVES) {
        this.more = this.refused.add(name).size;
        return;
      }
      this.lines.set(name, (line = []));
    }
    while (line.length < turn) line.push(null);
    line[turn] = value;
  }
}
