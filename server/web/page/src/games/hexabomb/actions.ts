// The actions of bots, as they send them and in words.

import {
  type Action as AnyAction,
  actionsOf as anyActionsOf,
  type Answer,
  type TurnEvent,
} from "../../core/feed.ts";
import type { Coord } from "../../core/plane.ts";
import type { RefusalWords } from "../../core/refusal.ts";
import { coordinate } from "../../core/text.ts";

/** An action as a bot should send it. Bots may send anything, so that any field may be of another type. */
export interface Action extends AnyAction {
  id?: number;
  movement?: string;
  direction?: string;
  bomb_range?: number;
  bomb_delay?: number;
  revive_q?: number;
  revive_r?: number;
}

/** The names that bots use for directions. */
export const DIRECTION_NAMES: Record<string, Coord> = {
  "x+": { q: 1, r: 0 },
  "y+": { q: 1, r: -1 },
  "z+": { q: 0, r: -1 },
  "x-": { q: -1, r: 0 },
  "y-": { q: -1, r: 1 },
  "z-": { q: 0, r: 1 },
};

/** Returns the actions of an answer. */
export function actionsOf(answer: Answer | undefined): Action[] {
  return anyActionsOf(answer);
}

/** Returns the actions of a turn that were not refused. */
export function* applied(event: TurnEvent): Generator<Action & { player: number }> {
  for (const [a, answer] of (event.answers ?? []).entries()) {
    const refused = event.refused?.filter((r) => r.answer === a).map((r) => r.action) ?? [];
    if (refused.includes(-1)) continue;
    for (const [i, action] of actionsOf(answer).entries())
      if (!refused.includes(i)) yield { ...action, player: answer.player };
  }
}

/** Returns the action in words: "move x+", "bomb, range 3, delay 2", "revive". */
export function describeAction(action: Action | undefined): string {
  switch (action?.movement) {
    case "move":
      return `move ${action.direction ?? "?"}`;
    case "bomb":
      return `bomb, range ${action.bomb_range ?? "?"}, delay ${action.bomb_delay ?? "?"}`;
    case "revive":
      return "revive";
    default:
      return "unknown action";
  }
}

export const REFUSALS: RefusalWords = {
  kindOf(action: Action | undefined) {
    const kind = action?.movement;
    return kind === "move" || kind === "bomb" ? kind : kind === "revive" ? "revival" : "action";
  },
  explain(reason, action: Action | undefined) {
    if (reason !== "range or delay out of range" || !action) return reason;
    const range = Number(action.bomb_range);
    const wrong =
      range < 2 || range > 4
        ? `range ${coordinate(range)}`
        : `delay ${coordinate(Number(action.bomb_delay))}`;
    return `${wrong}, allowed 2–4`;
  },
  // Characters block each other all the time.
  isRoutine: (reason) => reason === "blocked",
};
