// Where two matches differ.

import type { Store } from "./store.ts";

/** Returns the first turn after which two matches differ, 0 for their beginning; null: they are equal as far as both go. */
export function firstDifference(a: Store, b: Store): number | null {
  if (JSON.stringify(a.start?.state) !== JSON.stringify(b.start?.state)) return 0;
  const both = Math.min(a.last, b.last);
  for (let turn = 1; turn <= both; turn++)
    if (positionOf(a, turn) !== positionOf(b, turn)) return turn;
  return a.last === b.last ? null : both + 1;
}

/** Returns what a turn has changed, as text. */
function positionOf(store: Store, turn: number): string {
  const { delta, state } = store.event(turn) ?? {};
  return JSON.stringify(delta ?? state);
}
