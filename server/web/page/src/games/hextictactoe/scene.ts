// What the board shows.

import type { Coord } from "../../core/plane.ts";
import type { Considered, Move, Piece, Side } from "./story.ts";
import type { Threat } from "./threats.ts";

/** The position and the marks on it. */
export interface Scene {
  pieces: readonly Piece[];
  /** The moves in which the pieces were placed; 0: there from the start. */
  numbers: readonly number[];
  /** The last moves. */
  previous: readonly Move[];
  /** The row that won. */
  row: readonly Coord[];
  /** The rows that one more move would complete. */
  threats: readonly Threat[];
  considered: readonly Considered[];
  /** The side whose considered moves are shown. */
  side: Side;
  /** The view distance and the win distance of the rules. */
  view: number;
  win: number;
}

/** What the player in this page is about to play. */
export interface Choice {
  side: Side;
  pieces: readonly Coord[];
  /** A piece may be placed on the cell under the pointer. */
  ghost: boolean;
}
