// SPDX-License-Identifier: Apache-2.0
//
// The types of hexarena.js. With this file beside it, editors know what match and state hold, and a bot can be
// written in TypeScript:
//
//     import { run, type Bot, type Action, type State } from "./hexarena.js";
//     class Mine implements Bot { turn(state: State): Action[] { return []; } }
//     run(Mine);

// types: generated from protocol/netorcai/model.json

/** One of the six directions. */
export type Direction = "x+" | "y+" | "z+" | "x-" | "y-" | "z-";

/** A cell's axial position. */
export interface Coord {
  q: number;
  r: number;
}

/** A cell of the board. */
export interface Cell {
  q: number;
  r: number;
  /** 0 is neutral, otherwise player id plus one. */
  color: number;
}

/** A character of a player. */
export interface Character {
  id: number;
  /** Player id plus one. */
  color: number;
  q: number;
  r: number;
  alive: boolean;
  /** Turns until it can be revived; -1 while it is alive. */
  revive_delay: number;
  /** Bombs that it holds; absent by the draft rules. */
  bomb_count?: number;
}

/** A bomb that has not exploded yet. */
export interface Bomb {
  /** Its owner's player id plus one. */
  color: number;
  /** Reach in each direction, in cells. */
  range: number;
  /** Turns until it explodes; 1: in the next turn. */
  delay: number;
  q: number;
  r: number;
}

/** The board after a turn. */
export interface State {
  /** All cells, by q, then r. */
  cells: Cell[];
  /** All characters, by id. */
  characters: Character[];
  /** All bombs, in the order in which they were dropped. */
  bombs: Bomb[];
  /** Exploded cells by their new colour; absent by the draft rules. */
  explosions?: Record<string, Coord[]>;
  /** Number of cells of each player, by player id. */
  cell_count: Record<string, number>;
  /** Points of each player so far, by player id. */
  score: Record<string, number>;
}

/** A step of a character to the next cell. */
export interface Move {
  /** The character. */
  id: number;
  movement: "move";
  direction: Direction;
}

/** A bomb that a character drops on its cell. */
export interface DropBomb {
  /** The character. */
  id: number;
  movement: "bomb";
  /** 2 to 4; up to 100 for a special player. */
  bomb_range: number;
  /** 2 to 4; up to 100 for a special player. */
  bomb_delay: number;
}

/** The revival of a character where it died. */
export interface Revive {
  /** The character. */
  id: number;
  movement: "revive";
}

/** The revival of a character on a given cell, by the draft rules. */
export interface ReviveAt {
  /** The character. */
  id: number;
  movement: "revive";
  revive_q: number;
  revive_r: number;
}

/** What a character does in a turn. */
export type Action = Move | DropBomb | Revive | ReviveAt;

/** A side, player 0 or player 1. */
export type Side = "x" | "o";

/** How a game stands. */
export type Status = "in_progress" | "x_wins" | "o_wins" | "draw";

/** What a clock counts. */
export type ClockType = "none" | "turn" | "match" | "incremental";

/** A placed piece. */
export interface Piece {
  q: number;
  r: number;
  /** Its side. */
  p: Side;
}

/** The pieces on the board. */
export interface Board {
  /** In the order in which they were placed. */
  cells: Piece[];
}

/** A move that was made. */
export interface PastMove {
  /** That made it. */
  side: Side;
  /** Its cells. */
  pieces: Coord[];
}

/** The time left for each side. */
export interface Clocks {
  /** Milliseconds. */
  x: number;
  /** Milliseconds. */
  o: number;
}

/** The time that a side has. */
export interface Clock {
  type: ClockType;
  /** Milliseconds for each move or for all moves. */
  base_ms: number;
  /** Milliseconds added after each move. */
  increment_ms: number;
}

/** The board after a move. */
export interface TicTacToeState {
  board: Board;
  /** The side to move; after a win the side that lost, after a forfeit the side that forfeited. */
  to_move: Side;
  /** The last two moves, the newest last. */
  previous: PastMove[];
  /** Number of moves made. */
  move: number;
  /** Time left for both sides, null without a clock. */
  clocks: Clocks | null;
  status: Status;
  /** Why the game is over. */
  reason: string;
  /** The cells of the winning rows, each of which includes the last piece. */
  row: Coord[];
  /** How far from the nearest piece a new one may be placed. */
  view_distance: number;
  /** Pieces in a row that win. */
  win_distance: number;
  /** Moves until a draw. */
  turn_limit: number;
  clock: Clock;
}

/** A move: two pieces, or one that wins. */
export interface Placement {
  pieces: Coord[];
}

/** A player, as visualizations see it. */
export interface PlayerInfo {
  player_id: number;
  nickname: string;
  /** Host:port. */
  remote_address: string;
  is_connected: boolean;
}

/** A mark on a cell of the board, or from there to another cell. */
export interface DebugCell {
  q: number;
  r: number;
  /** As in CSS, #rgb or #rrggbb; without it, the viewer chooses. */
  color?: string;
  /** A few characters. */
  label?: string;
  /** Cell, line, arrow or text, which is the label alone; viewers show what they do not know as cell. */
  shape?: string;
  /** The cell where a line or an arrow ends. */
  to_q?: number;
  to_r?: number;
  /** Viewers can hide the marks of a layer. */
  layer?: string;
}

// end of types

/** What spectators are shown of a turn. */
export interface Debug {
  text: string;
  /** Cells to mark on the board. */
  cells: DebugCell[];
  /** Numbers, which are shown as curves over the turns. */
  values: Record<string, number>;
}

/** What a bot does. A new one is made for each match. S is the state of its game, A an action. */
export interface Bot<S = State, A = Action> {
  /** Returns the actions of a turn. What a visualization returns is ignored. */
  turn(state: S): readonly A[] | Promise<readonly A[]>;
  /** Receives the last state, and the player id of the winner, -1 for a match without a winner. */
  end?(state: S, winner: number): void | Promise<void>;
}

/** A match as a bot sees it. The names are those of the GAME_STARTS message. */
export interface Match<S = State> {
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
  /** Wait at [HOST:]PORT for servers of the HTTTX Bot API instead. Node only. */
  listen?: string;
  /** Play one game over the HTTTX Bot API at the server instead. Node only. */
  dialIn?: boolean;
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

/** Returns a cell as text, "q,r", for sets and maps. */
export function key(cell: Coord): string;

/** Returns the next cell in a direction. It may not be on the board. */
export function neighbour(cell: Coord, direction: Direction): Coord;

/** Returns the number of steps between two cells on a board without holes. */
export function distance(a: Coord, b: Coord): number;

/** Returns at most length cells after a cell in a direction, up to the first whose key the board does not have. */
export function ray(cell: Coord, direction: Direction, length: number, board: Keys): Coord[];

/** Returns the keys of the cells that a bomb covers: its own and, in six directions, up to range cells of the board. */
export function blast(bomb: Coord, range: number, board: Keys): Set<string>;

/** Returns the members of a set that another one does not have. */
export function minus(set: ReadonlySet<string>, other: Keys): Set<string>;

/** A shortest way to a goal. */
export interface Way {
  /** Its first step. */
  first: Direction;
  goal: Coord;
  steps: number;
}

/**
 * Returns a shortest way over free cells to a goal, or null if no goal is within limit steps, by default any
 * number. A goal has to be free; the start does not count as one.
 */
export function nearest(start: Coord, free: Keys, goals: Keys, limit?: number): Way | null;

/** Returns the direction of the first step on a shortest way to a goal, as nearest does, or null. */
export function firstStep(start: Coord, free: Keys, goals: Keys, limit?: number): Direction | null;

/** A row of hexagonal tic-tac-toe that one side can still complete. */
export interface Row {
  side: Side;
  /** How many the side has in it. */
  pieces: number;
  empty: Coord[];
}

/** Returns the rows of length cells in which only one side has pieces. board holds pieces by their keys. */
export function rows(board: ReadonlyMap<string, Piece>, length: number): Row[];

/** Returns the cells that board does not hold, within the given number of steps of one that it holds. */
export function near(board: ReadonlyMap<string, Coord>, steps: number): Coord[];

/** A set or a map by the keys of cells. */
export interface Keys {
  has(key: string): boolean;
}

/** A bot's part of a conversation after the login, for programs that carry the messages in their own way. */
export class Session {
  constructor(Bot: BotClass, options?: Pick<Options, "role" | "seed">);
  /** Whether a match has ended and no other has begun. */
  readonly finished: boolean;
  /**
   * Handles a message that came at a time of performance.now(), by default now, and resolves to the answer, if any.
   * duration is how many milliseconds a turn lasts, by default as GAME_STARTS says.
   */
  receive(message: object, received?: number, duration?: number): Promise<object | undefined>;
}

/**
 * A copy of the match in which the bot decides what all players do, played by `hexarena env`; not in a page. After
 * each method the fields are those of the position. A mistake rejects the promise and changes nothing.
 */
export class Simulator<S = State, A = Action> {
  /** Starts with the match before its first turn. game is "hexabomb" by default. */
  constructor(match: Match<S>, game?: string);
  /** The number of the TURN that the players are to answer. */
  readonly turn: number;
  readonly over: boolean;
  /** The id of the player who leads, -1: none does. */
  readonly winner: number;
  /** By player id. */
  readonly score: readonly number[];
  /** Goes to the newest turn of the match. */
  load(): Promise<void>;
  /** Plays a turn with the actions of each player, by id; null stands for no answer. */
  step(actions: readonly (readonly A[] | null)[]): Promise<void>;
  /** Keeps the position under a name. */
  save(name: string): Promise<void>;
  /** Returns to a position, as often as needed. */
  restore(name: string): Promise<void>;
  /** Resolves to the state, as turn() gets it. */
  state(): Promise<S>;
  /** Ends it. */
  close(): void;
}

/**
 * Returns a match of hexabomb for a test, and the state of its turn 0, which is drawn. A line of the drawing is a row
 * of cells with the same r, from 0, and a character in it a q: "." is neutral, a digit has the colour and a character
 * of the player with that id, a letter from "a" has the colour of player 0 and so on, and a blank is no cell.
 */
export function testMatch(
  drawing: string,
  options?: { bombs?: Bomb[]; playerId?: number; seed?: number },
): { match: Match; state: State };

/** Where a page finds all of this: import "./hexarena.js" in a module script sets the global hexarena. */
export as namespace hexarena;
