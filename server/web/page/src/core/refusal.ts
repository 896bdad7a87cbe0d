// Events about actions that the server refused.

import type { GameEvent } from "./events.ts";
import { type Action, actionsOf, type Refusal, type Seat, type TurnEvent } from "./feed.ts";
import { coordinate } from "./text.ts";

/** How a game words refusals. */
export interface RefusalWords {
  /** Returns the kind of an action. Refusals of one kind in a turn make one event. */
  kindOf(action: Action | undefined): string;
  /** Returns the reason in words. */
  explain(reason: string, action: Action | undefined): string;
  /** Reports whether refusals for this reason are too common to be listed. */
  isRoutine(reason: string): boolean;
}

const PLAIN: RefusalWords = {
  kindOf: () => "action",
  explain: (reason) => reason,
  isRoutine: () => false,
};

/** Returns the action that was refused; undefined if the whole answer was. */
export function refusedAction(event: TurnEvent, refusal: Refusal): Action | undefined {
  return actionsOf(event.answers?.[refusal.answer])[refusal.action];
}

/** Returns one event for each player and kind of action with refusals in a turn. */
export function refusalEvents(
  event: TurnEvent,
  seats: readonly Seat[],
  words = PLAIN,
): GameEvent[] {
  const groups = new Map<string, { player: number; kind: string; refusals: Refusal[] }>();
  for (const refusal of event.refused ?? []) {
    if (!seats[refusal.player]) continue;
    const kind = words.kindOf(refusedAction(event, refusal));
    const key = `${refusal.player} ${kind}`;
    const group = groups.get(key) ?? { player: refusal.player, kind, refusals: [] };
    group.refusals.push(refusal);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ player, kind, refusals }) => ({
    turn: event.turn,
    kind: "refused",
    player,
    what: refusals.length === 1 ? `${kind} refused` : `${refusals.length} ${kind}s refused`,
    detail: details(event, refusals, words),
    routine: refusals.every((r) => words.isRoutine(r.reason)),
  }));
}

/** Returns "#0 #3: blocked; #1: REASON". */
function details(event: TurnEvent, refusals: Refusal[], words: RefusalWords): string {
  const reasons = new Map<string, string[]>();
  for (const r of refusals) {
    const action = refusedAction(event, r);
    const who = typeof action?.id === "number" ? `#${coordinate(action.id)}` : "";
    const reason = words.explain(r.reason, action);
    reasons.set(reason, [...(reasons.get(reason) ?? []), who]);
  }
  return [...reasons]
    .map(([reason, who]) => `${who.filter(Boolean).join(" ")}: ${reason}`.replace(/^: /, ""))
    .join("; ");
}
