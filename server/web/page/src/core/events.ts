// What happened in a match, as the event list, the timeline and the live region
// tell it.

import type { EndEvent } from "./feed.ts";

export type EventKind = "lead" | "chain" | "swing" | "death" | "out" | "skip" | "gone" | "refused" | "end";

export interface GameEvent {
  turn: number;
  kind: EventKind;
  /** The player that the event is about, or -1. */
  player: number;
  /** What happened, without the player's name: "takes the lead". */
  what: string;
  /** More about it; may be empty. */
  detail: string;
  /** Too common to be listed unless the viewer filters for it. */
  routine?: boolean;
}

export type Filter = "all" | "chains" | "deaths" | "refused";

/** Reports whether a filter lets an event through. */
export function passes(filter: Filter, e: GameEvent): boolean {
  switch (filter) {
    case "all":
      return !e.routine;
    case "chains":
      return e.kind === "chain";
    case "deaths":
      return e.kind === "death" || e.kind === "out";
    case "refused":
      return e.kind === "refused" || e.kind === "skip";
  }
}

/** Returns the event for the end of a match. */
export function endEvent(event: EndEvent): GameEvent {
  return {
    turn: event.turn,
    kind: "end",
    player: event.winner,
    what: event.winner >= 0 ? "wins the match" : "The match ends without a winner",
    detail: event.error || event.reason,
  };
}
