// What happened in a match, as the event list, the timeline and the live region
// tell it.

import type { EndEvent } from "./feed.ts";

/** Every kind has an icon in the list and a tick on the timeline. Games use those that fit. */
export type EventKind =
  "lead" | "chain" | "swing" | "death" | "out" | "skip" | "gone" | "refused" | "end";

/** Something that happened in a turn. */
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

/** A choice of events, for the list and the timeline. */
export interface Filter {
  /** The name that is shown. */
  readonly name: string;
  passes(e: GameEvent): boolean;
}

export const ALL: Filter = { name: "All", passes: (e) => !e.routine };
export const REFUSED: Filter = {
  name: "Refused",
  passes: ({ kind }) => kind === "refused" || kind === "skip",
};

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
