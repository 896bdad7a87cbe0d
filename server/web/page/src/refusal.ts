// Refused actions, put into words.

import { actionsOf, type Action, type Refusal, type Seat, type TurnEvent } from "./feed.ts";
import type { GameEvent } from "./chronicle.ts";
import { coordinate } from "./text.ts";

/** What an action wanted: "move x+", "bomb, range 3, delay 2", "revive". */
export function describeAction(action: Action | undefined): string {
  switch (action?.movement) {
    case "move":
      return `move ${action.direction ?? "?"}`;
    case "bomb":
      return `bomb, range ${action.bomb_range ?? "?"}, delay ${action.bomb_delay ?? "?"}`;
    case "revive":
      return "revive";
    default:
      return "something unreadable";
  }
}

/** The action that was refused; undefined when the whole answer was. */
export function refusedAction(event: TurnEvent, refusal: Refusal): Action | undefined {
  return actionsOf(event.answers?.[refusal.answer])[refusal.action];
}

/** One event for each player and kind of action with refusals in a turn. */
export function refusalEvents(event: TurnEvent, seats: readonly Seat[]): GameEvent[] {
  const groups = new Map<string, { player: number; kind: string; refusals: Refusal[] }>();
  for (const refusal of event.refused ?? []) {
    if (!seats[refusal.player]) continue;
    const kind = kindOf(refusedAction(event, refusal));
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
    detail: details(event, refusals),
    // Characters get in each other's way all the time.
    routine: refusals.every((r) => r.reason === "blocked"),
  }));
}

function kindOf(action: Action | undefined): string {
  const kind = action?.movement;
  return kind === "move" || kind === "bomb" ? kind : kind === "revive" ? "revival" : "action";
}

function details(event: TurnEvent, refusals: Refusal[]): string {
  const reasons = new Map<string, string[]>();
  for (const r of refusals) {
    const action = refusedAction(event, r);
    const who = action?.id === undefined ? "" : `#${action.id}`;
    const reason = explain(r.reason, action);
    reasons.set(reason, [...(reasons.get(reason) ?? []), who]);
  }
  return [...reasons].map(([reason, who]) => `${who.filter(Boolean).join(" ")}: ${reason}`.replace(/^: /, "")).join("; ");
}

function explain(reason: string, action: Action | undefined): string {
  if (reason !== "range or delay out of range" || !action) return reason;
  const range = Number(action.bomb_range);
  const wrong = range < 2 || range > 4 ? `range ${coordinate(range)}` : `delay ${coordinate(Number(action.bomb_delay))}`;
  return `${wrong}, allowed 2–4`;
}
