// The state as the game sends it to players and viewers.

import type { Coord } from "../../core/plane.ts";

/** A cell of the board. */
export interface Cell extends Coord {
  /** The number of the player who owns it, from 1; 0: free. */
  color: number;
}

/** A character; its color is the number of its player, from 1. */
export interface Character extends Coord {
  id: number;
  color: number;
  alive: boolean;
  /** Turns until it may revive. */
  revive_delay: number;
  bomb_count: number;
}

/** A bomb; its color is the number of its player, from 1. */
export interface Bomb extends Coord {
  color: number;
  range: number;
  /** Turns until it explodes. */
  delay: number;
}

/** A delta has the same keys, each optional. */
export interface State {
  cells: Cell[];
  characters: Character[];
  bombs: Bomb[];
  /** The cells that explosions covered in this turn, by their new colour. */
  explosions: Record<string, Coord[]>;
  /** By player id. */
  cell_count: Record<string, number>;
  score: Record<string, number>;
}

/** Reports whether a state, which may come from any program, has all that the board is drawn from. */
export function isState(state: unknown): state is State {
  if (state === null || typeof state !== "object") return false;
  const { cells, characters, bombs, explosions, cell_count, score } = state as Partial<Record<keyof State, unknown>>;
  return (
    isList(cells, ["q", "r", "color"]) && cells.length > 0 && isList(bombs, ["q", "r", "color", "range", "delay"]) &&
    isList(characters, ["id", "q", "r", "color", "bomb_count", "revive_delay"]) &&
    // Characters are kept in an array by their ids, so ids must have no gap.
    new Set(characters.map((c) => c.id)).size === characters.length && characters.every((c) => c.id >= 0 && c.id < characters.length) &&
    isTable(explosions, (list) => isList(list, ["q", "r"])) && isTable(cell_count, Number.isInteger) && isTable(score, Number.isInteger)
  );
}

function isList(list: unknown, integers: readonly string[]): list is Record<string, number>[] {
  return Array.isArray(list) && list.every((m) => m !== null && typeof m === "object" && integers.every((key) => Number.isInteger(m[key])));
}

function isTable(table: unknown, holds: (value: unknown) => boolean): boolean {
  return table !== null && typeof table === "object" && Object.values(table).every(holds);
}
