// The position that the lobby shows: the map, with everybody on their starting
// places, and hollow shapes where somebody is missing.

import type { Character, Coord, LobbyEvent } from "./feed.ts";
import type { Frame } from "./frame.ts";
import { Grid } from "./grid.ts";

export interface MapFile {
  cells: Coord[];
  initial_positions: Record<string, Coord[]>;
  special_initial_positions?: Coord[];
}

/** The revive_delay of somebody who is not there yet. */
const VACANT = -1;

export interface LobbySeat {
  color: number;
  special: boolean;
  who?: LobbyEvent["present"][number];
}

export function lobbySeats(lobby: LobbyEvent): LobbySeat[] {
  const specials = lobby.present.filter((p) => p.role.startsWith("special"));
  const players = lobby.present.filter((p) => p.role === "player");
  const seats: LobbySeat[] = [];
  for (let i = 0; i < lobby.seats.specials; i++) seats.push({ color: i + 1, special: true, who: specials[i] });
  for (let i = 0; i < lobby.seats.players; i++) {
    seats.push({ color: lobby.seats.specials + i + 1, special: false, who: players[i] });
  }
  return seats;
}

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
      characters.push({ ...at, id: characters.length, color: seat.color, alive, revive_delay: VACANT, bomb_count: 1 });
      if (alive) colors[grid.at(at.q, at.r)] = seat.color;
    }
  });
  const frame: Frame = { turn: 0, colors, characters, bombs: [], explosions: {}, cellCount: [], score: [] };
  return { grid, frame };
}
