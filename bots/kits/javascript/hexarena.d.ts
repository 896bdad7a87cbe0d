// SPDX-License-Identifier: Apache-2.0
//
// The types of hexarena.js. With this file beside it, editors know what match and state hold, and a bot can be
// written in TypeScript:
//
//     import { run, type Bot, type HexabombAction, type HexabombState } from "./hexarena.js";
//     class Mine implements Bot { turn(state: HexabombState): HexabombAction[] { return []; } }
//     run(Mine);

// types: generated from protocol/netorcai/model.json

/** A player, as visualizations are told. */
export interface PlayerInfo {
  player_id: number;
  nickname: string;
  remote_address: string;
  is_connected: boolean;
}

/** Output for spectators. */
export interface Debug {
  text: string;
  cells: DebugCell[];
  values: Record<string, number>;
}

export interface DebugCell {
  q: number;
  r: number;
  color?: string;
  label?: string;
}

/** The state of a match of hexabomb. */
export interface HexabombState {
  cells: { q: number; r: number; color: number }[];
  characters: { id: number; color: number; q: number; r: number; alive: boolean; revive_delay: number; bomb_count: number }[];
  bombs: { color: number; range: number; delay: number; q: number; r: number }[];
  explosions: Record<string, { q: number; r: number }[]>;
  cell_count: Record<string, number>;
  score: Record<string, number>;
}

export interface HexabombAction {
  id: number;
  movement: "move" | "bomb" | "revive";
  direction?: Direction;
  bomb_range?: number;
  bomb_delay?: number;
}

// end of types

/** A direction on the board. */
export type Direction = "x+" | "y+" | "z+" | "x-" | "y-" | "z-";

/** What a bot does. A new one is made for each match. S is the state of its game, A an action. */
export interface Bot<S = HexabombState, A = HexabombAction> {
  /** Returns the actions of a turn. What a visualization returns is ignored. */
  turn(state: S): readonly A[] | Promise<readonly A[]>;
  /** Is told the last state, and the player id of the winner; -1: there is none. */
  end?(state: S, winner: number): void | Promise<void>;
}

/** A match as a bot sees it. The names are those of the GAME_STARTS message. */
export interface Match<S = HexabombState> {
  /** The id of the bot's player; -1: the bot is a visualization. */
  readonly playerId: number;
  /** The number of players, without special ones. */
  readonly nbPlayers: number;
  readonly nbSpecialPlayers: number;
  /** The number of turns; turn is called once less, as the last state comes with end. */
  readonly nbTurnsMax: number;
  readonly millisecondsBeforeFirstTurn: number;
  /** How long a turn lasts; 0 at full speed. */
  readonly millisecondsBetweenTurns: number;
  /** The state before the first turn. */
  readonly initialGameState: S;
  /** The players, for visualizations; otherwise empty. It changes with each turn. */
  readonly playersInfo: readonly PlayerInfo[];
  /** The number of the match in its series, from 1; undefined: the server did not send it. */
  readonly number?: number;
  /** The seed of random; undefined: the server did not send it. */
  readonly seed?: number;
  /** The number of the turn, from 0; -1 before the first. It may skip some if the bot is slow. */
  readonly turnNumber: number;
  /** When the turn ends, in the time of performance.now(); Infinity at full speed. */
  readonly deadline: number;
  /** Shown to spectators with the answer to this turn, then empty again: at most 4096 bytes of JSON. */
  debug: Debug;
  /** Returns a number from 0 to less than 1, as Math.random does; a match with the same seed has the same numbers. */
  random(): number;
  /** Returns the milliseconds until the turn ends, from 0; Infinity at full speed. */
  timeLeft(): number;
}

/** What run needs to know. In Node, the command line and the environment come first. */
export interface Options {
  /** 127.0.0.1 by default, in a browser the page's host. */
  host?: string;
  /** 4242 by default, in a browser the page's port. */
  port?: number;
  /** At most 10 characters. */
  name?: string;
  /** Identifies the player to servers that require it. */
  token?: string;
  role?: "player" | "special player" | "visualization";
  /** Play match after match until there are no more. */
  stay?: boolean;
  /** Use standard input and output. Node only. */
  stdio?: boolean;
  /** Encrypt the connection. */
  tls?: boolean;
  /** Seeds Match.random if the server sends no seed. */
  seed?: number | string;
  /** A digest of the bot's code, for viewers and recordings. */
  version?: string;
}

/** The class of a bot. */
export type BotClass<S = any, A = any> = new (match: Match<S>) => Bot<S, A>;

/**
 * Plays until the server has no more matches. In Node, a problem is printed and makes the exit code 1; in a
 * browser it rejects the promise. So does what the bot throws, which ends a Node process with a traceback.
 */
export function run(Bot: BotClass, options?: Options): Promise<void>;

/** What a step in each direction adds to q and r. */
export const DIRECTIONS: Readonly<Record<Direction, readonly [dq: number, dr: number]>>;

/** The place of a cell, a character or a bomb. */
export interface Place {
  readonly q: number;
  readonly r: number;
}

/** Returns a cell as text, "q,r", for sets and maps. */
export function key(cell: Place): string;

/** Returns the next cell in a direction. It may not be on the board. */
export function neighbour(cell: Place, direction: Direction): Place;

/** Returns the number of steps between two cells on a board without holes. */
export function distance(a: Place, b: Place): number;

/** Returns at most length cells after a cell in a direction, up to the first whose key the board does not have. */
export function ray(cell: Place, direction: Direction, length: number, board: Keys): Place[];

/**
 * Returns the direction of the first step on a shortest way over free cells to a goal, or null if no goal is
 * within limit steps, by default any number. A goal has to be free, and the start is none.
 */
export function firstStep(start: Place, free: Keys, goals: Keys, limit?: number): Direction | null;

/** A set or a map by the keys of cells. */
export interface Keys {
  has(key: string): boolean;
}

/** A bot's part of a conversation after the login, for programs that carry the messages in their own way. */
export class Session {
  constructor(Bot: BotClass, options?: Pick<Options, "role" | "seed">);
  /** Whether a match has ended and no other has begun. */
  readonly finished: boolean;
  /** Handles a message that came at a time of performance.now(), by default now, and resolves to the answer, if any. */
  receive(message: object, received?: number): Promise<object | undefined>;
}

/** Where a page finds all of this: import "./hexarena.js" in a module script sets the global hexarena. */
export as namespace hexarena;
