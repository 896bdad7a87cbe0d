// The state as the game sends it to players and viewers.

import type {
  Bomb,
  Cell,
  Character,
  State,
} from "../../../../../../bots/kits/javascript/hexarena.js";

// A delta has the same keys, each optional.
export type { Bomb, Cell, Character, State };

/** Reports whether a state, which may come from any program, has all that the board is drawn from. */
export function isState(state: unknown): state is State {
  if (state === null || typeof state !== "object") return false;
  const { cells, characters, bombs, explosions, cell_count, score } = state as Partial<
    Record<keyof State, unknown>
  >;
  return (
    isList(cells, ["q", "r", "color"]) &&
    cells.length > 0 &&
    isList(bombs, ["q", "r", "color", "range", "delay"]) &&
    isList(characters, ["id", "q", "r", "color", "revive_delay"]) &&
    characters.every((c) => c.bomb_count === undefined || Number.isInteger(c.bomb_count)) &&
    // Characters are kept in an array by their ids, so ids must have no gap.
    new Set(characters.map((c) => c.id)).size === characters.length &&
    characters.every((c) => c.id >= 0 && c.id < characters.length) &&
    (explosions === undefined || isTable(explosions, (list) => isList(list, ["q", "r"]))) &&
    isTable(cell_count, Number.isInteger) &&
    isTable(score, Number.isInteger)
  );
}

function isList(list: unknown, integers: readonly string[]): list is Record<string, number>[] {
  return (
    Array.isArray(list) &&
    list.every(
      (m) =>
        m !== null && typeof m === "object" && integers.every((key) => Number.isInteger(m[key])),
    )
  );
}

function isTable(table: unknown, holds: (value: unknown) => boolean): boolean {
  return table !== null && typeof table === "object" && Object.values(table).every(holds);
}
