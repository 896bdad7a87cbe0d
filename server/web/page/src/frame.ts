// A frame is the whole position after one turn. Frames are never changed once
// they are made: what a turn leaves alone is shared with the frame before it.

import type { Bomb, Character, Coord, State } from "./feed.ts";
import type { Grid } from "./grid.ts";

/** A bomb on the board, with the delay that was asked for: its ring has that many segments. */
export interface LaidBomb extends Bomb {
  cell: number;
  fuse: number;
}

export interface Frame {
  turn: number;
  /** Colour of each cell, in the grid's order. */
  colors: Uint16Array;
  characters: Character[];
  bombs: LaidBomb[];
  explosions: Record<string, Coord[]>;
  /** By player id. */
  cellCount: number[];
  score: number[];
}

/** Whether a state, whoever sent it, has all that a board of hexabomb is drawn from. */
export function isBoard(state: unknown): state is State {
  if (state === null || typeof state !== "object") return false;
  const { cells, characters, bombs, explosions, cell_count, score } = state as Partial<Record<keyof State, unknown>>;
  return (
    isList(cells, ["q", "r", "color"]) && cells.length > 0 && isList(bombs, ["q", "r", "color", "range", "delay"]) &&
    isList(characters, ["id", "q", "r", "color", "bomb_count", "revive_delay"]) &&
    // Characters are numbered without a gap: they are kept by their numbers.
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

export function firstFrame(grid: Grid, state: State, players: number): Frame {
  const frame: Frame = {
    turn: 0,
    colors: new Uint16Array(grid.size),
    characters: [],
    bombs: [],
    explosions: {},
    cellCount: new Array(players).fill(0),
    score: new Array(players).fill(0),
  };
  return nextFrame(grid, frame, 0, state);
}

/** The frame that a turn's changes lead to. */
export function nextFrame(grid: Grid, before: Frame, turn: number, delta: Partial<State>): Frame {
  return {
    turn,
    colors: paint(grid, before.colors, delta.cells),
    characters: moveCharacters(before.characters, delta.characters),
    bombs: delta.bombs ? layBombs(grid, before.bombs, delta.bombs) : before.bombs,
    explosions: delta.explosions ?? {},
    cellCount: counts(before.cellCount, delta.cell_count),
    score: counts(before.score, delta.score),
  };
}

function paint(grid: Grid, colors: Uint16Array, cells: State["cells"] | undefined): Uint16Array {
  if (!cells?.length) return colors;
  const painted = colors.slice();
  for (const c of cells) {
    const i = grid.at(c.q, c.r);
    if (i >= 0) painted[i] = c.color;
  }
  return painted;
}

function moveCharacters(before: Character[], changed: Character[] | undefined): Character[] {
  if (!changed?.length) return before;
  const after = before.slice();
  for (const c of changed) after[c.id] = c;
  return after;
}

function layBombs(grid: Grid, before: LaidBomb[], now: Bomb[]): LaidBomb[] {
  return now.map((b) => {
    const old = before.find((o) => o.q === b.q && o.r === b.r && o.delay === b.delay + 1);
    return { ...b, cell: grid.at(b.q, b.r), fuse: old ? old.fuse : b.delay };
  });
}

function counts(before: number[], now: Record<string, number> | undefined): number[] {
  if (!now) return before;
  const after = before.slice();
  for (const id in now) after[Number(id)] = now[id];
  return after;
}
