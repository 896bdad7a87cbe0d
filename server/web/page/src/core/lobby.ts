// The seats of a lobby.

import type { LobbyEvent } from "./feed.ts";

export interface LobbySeat {
  /** The number of the seat in the game, from 1: special players come first. */
  color: number;
  special: boolean;
  /** The client that has the seat; undefined while it is free. */
  who?: LobbyEvent["present"][number];
}

/** Returns all seats of a match that gathers, taken ones and free ones. */
export function lobbySeats(lobby: LobbyEvent): LobbySeat[] {
  const specials = lobby.present.filter((p) => p.role.startsWith("special"));
  const players = lobby.present.filter((p) => p.role === "player");
  const seats: LobbySeat[] = [];
  for (let i = 0; i < lobby.seats.specials; i++)
    seats.push({ color: i + 1, special: true, who: specials[i] });
  for (let i = 0; i < lobby.seats.players; i++) {
    seats.push({ color: lobby.seats.specials + i + 1, special: false, who: players[i] });
  }
  return seats;
}
