// A frame is the whole position after one turn. Frames are immutable: what a turn
// does not change is shared with the frame before it.

import type { Grid } from "../../core/grid.ts";
import type { Coord } from "../../core/plane.ts";
import type { Bomb, Character, State } from "./state.ts";

/** A bomb on the board. fuse is the delay that its bot asked for: its ring has as many segments. */
export interface LaidBomb extends Bomb {
  cell: number;
  fuse: number;
}

/** The position after a turn. */
export interface Frame {
  turn: number;
  /** The owner of each cell, in the order of the grid; 0: free. */
  colors: Uint16Array;
  characters: Character[];
  bombs: LaidBomb[];
  /** undefined: by the draft rules, states have none. */
  explosions: Record<string, Coord[]> | undefined;
  /** By player id. */
  cellCount: number[];
  score: number[];
}

/** Returns the frame of the first state. */
export function firstFrame(grid: Grid, state: State, players: number): Frame {
  const frame: Frame = {
    turn: 0,
    colors: new Uint16Array(grid.size),
    characters: [],
    bombs: [],
    explosions: state.explosions && {},
    cellCount: new Array(players).fill(0),
    score: new Array(players).fill(0),
  };
  return nextFrame(grid, frame, 0, state);
}

/** Returns the frame after a turn's changes. */
export function nextFrame(grid: Grid, before: Frame, turn: number, delta: Partial<State>): Frame {
  return {
    turn,
    colors: paint(grid, before.colors, delta.cells),
    characters: moveCharacters(before.characters, delta.characters),
    bombs: delta.bombs ? layBombs(grid, before.bombs, delta.bombs) : before.bombs,
    explosions: before.explosions && (delta.explosions ?? {}),
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
