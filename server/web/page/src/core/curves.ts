// The values that a bot sends with its answers, as curves over the turns. Each turn
// is read once, when it arrives.

import { debugOf } from "./botoutput.ts";
import type { StartEvent } from "./feed.ts";
import type { Store } from "./store.ts";

/** The number of curves that are drawn; further ones are only counted. */
export const MOST_CURVES = 12;

/** The curves of one player; another player or match starts again. */
export class Curves {
  /** The value in each turn, or null, by name in the order of first use. */
  readonly lines = new Map<string, (number | null)[]>();
  /** The number of curves that are not drawn. */
  more = 0;
  private readonly refused = new Set<string>();
  private known = 0;
  private of: StartEvent | null = null;
  private player = -1;

  /** Adds what a player has sent since the last call. */
  follow(store: Store, player: number): this {
    if (store.start !== this.of || player !== this.player) {
      this.of = store.start;
      this.player = player;
      this.known = this.more = 0;
      this.lines.clear();
      this.refused.clear();
    }
    const ready = store.gap ? store.gap.from - 1 : store.last;
    while (this.known < ready) this.addTurn(store, ++this.known);
    return this;
  }

  private addTurn(store: Store, turn: number): void {
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
