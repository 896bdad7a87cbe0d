// The position in the lobby: the map with the players on their starting places, and
// hollow shapes for free seats.

import type { LobbyEvent } from "../../core/feed.ts";
import { Grid } from "../../core/grid.ts";
import { lobbySeats } from "../../core/lobby.ts";
import type { Coord } from "../../core/plane.ts";
import type { Frame } from "./frame.ts";
import type { Character } from "./state.ts";

/** A map as the server sends it. */
export interface MapFile {
  cells: Coord[];
  initial_positions: Record<string, Coord[]>;
  special_initial_positions?: Coord[];
}

/** The revive_delay of characters of a free seat. */
const VACANT = -1;

/** Returns the board of a lobby and the position on it. */
export function lobbyPosition(map: MapFile, lobby: LobbyEvent): { grid: Grid; frame: Frame } {
  const grid = new Grid(map.cells);
  const colors = new Uint16Array(grid.size);
  const characters: Character[] = [];
  lobbySeats(lobby).forEach((seat, i) => {
    const starts = seat.special
      ? (map.special_initial_positions ?? [])
      : (map.initial_positions[String(i - lobby.seats.specials)] ?? []);
    for (const at of starts) {
      const alive = seat.who !== undefined;
      characters.push({
        ...at,
        id: characters.length,
        color: seat.color,
        alive,
        revive_delay: VACANT,
        bomb_count: 1,
      });
      if (alive) colors[grid.at(at.q, at.r)] = seat.color;
    }
  });
  const frame: Frame = {
    turn: 0,
    colors,
    characters,
    bombs: [],
    explosions: {},
    cellCount: [],
    score: [],
  };
  return { grid, frame };
}
