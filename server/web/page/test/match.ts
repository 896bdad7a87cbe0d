// A small match for the tests: a hexagon of 37 cells, two players with two
// characters each, and turns with only what a test needs.

import type { StartEvent, TurnEvent } from "../src/core/feed.ts";
import { gameOf } from "../src/core/game.ts";
import type { Coord } from "../src/core/plane.ts";
import { Store } from "../src/core/store.ts";
import type { Bomb, Cell, Character, State } from "../src/games/hexabomb/state.ts";
import { BombStory } from "../src/games/hexabomb/story.ts";
import { GAMES } from "../src/games/registry.ts";

export function hexagon(radius: number): Cell[] {
  const cells: Cell[] = [];
  for (let q = -radius; q <= radius; q++) {
    for (let r = -radius; r <= radius; r++)
      if (Math.abs(q + r) <= radius) cells.push({ q, r, color: 0 });
  }
  return cells;
}

export function character(
  id: number,
  color: number,
  at: Coord,
  more: Partial<Character> = {},
): Character {
  return { id, color, q: at.q, r: at.r, alive: true, revive_delay: -1, bomb_count: 1, ...more };
}

export function bomb(color: number, at: Coord, delay: number, range = 2): Bomb {
  return { color, range, delay, q: at.q, r: at.r };
}

export const HOMES: Coord[] = [
  { q: -3, r: 0 },
  { q: -3, r: 1 },
  { q: 3, r: 0 },
  { q: 3, r: -1 },
];

export function start(more: Partial<StartEvent> = {}): StartEvent {
  const state: State = {
    cells: hexagon(3),
    characters: HOMES.map((at, id) => character(id, id < 2 ? 1 : 2, at)),
    bombs: [],
    explosions: {},
    cell_count: { 0: 0, 1: 0 },
    score: { 0: 0, 1: 0 },
  };
  return {
    type: "start",
    id: "m",
    rules: "hexabomb/1",
    map: "test",
    players: 2,
    specials: 0,
    turns: 200,
    seed: "1",
    interval_ms: 100,
    seats: [
      { id: 0, nickname: "ada", label: "", special: false },
      { id: 1, nickname: "bob", label: "", special: false },
    ],
    state,
    ...more,
  };
}

export function turn(k: number, delta: object = {}, more: Partial<TurnEvent> = {}): TurnEvent {
  return { type: "turn", turn: k, at_ms: 100 * k, delta, winner: -1, ...more };
}

/** Returns a store without a match. */
export function emptyStore(): Store {
  return new Store((start, answers) =>
    gameOf(GAMES, start.rules, start.state).story(start, answers),
  );
}

/** Returns the match in a store, which is one of hexabomb. */
export function storyOf({ story }: Store): BombStory {
  if (!(story instanceof BombStory)) throw new Error("no match of hexabomb");
  return story;
}

export function play(...turns: TurnEvent[]): Store {
  const store = emptyStore();
  store.append(start());
  for (const t of turns) store.append(t);
  return store;
}

export function told(store: Store): string[] {
  return store.events.map(
    (e) =>
      `${e.turn} ${store.seats[e.player]?.nickname ?? "-"} ${e.what}${e.detail ? `, ${e.detail}` : ""}`,
  );
}
