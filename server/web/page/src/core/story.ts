// The course of a match as its game tells it.

import type { GameEvent } from "./events.ts";
import type { EndEvent, TurnEvent } from "./feed.ts";

/** Values of all players over the turns, for the chart. */
export interface Measure {
  /** The name that is shown, such as "Score". */
  readonly name: string;
  /** series[player][turn]; null: no value in that turn. */
  readonly series: readonly (readonly (number | null)[])[];
  /** The special player has no line. */
  readonly ordinaryOnly?: boolean;
}

/** Filled turn by turn. Each game has its own implementation, which also knows the positions. */
export interface Story {
  readonly events: readonly GameEvent[];
  /** What the chart shows besides thinking times. */
  readonly measures: readonly Measure[];
  /** Adds a turn; lapses are the events about how the players answered. */
  add(event: TurnEvent, lapses: readonly GameEvent[]): void;
  close(event: EndEvent): void;
}
