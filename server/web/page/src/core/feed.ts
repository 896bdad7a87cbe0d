// The events of the feed, as they come over the WebSocket or from a recording.
// A match is an append-only sequence of them.

/** A player of a match; its id is its index. */
export interface Seat {
  id: number;
  nickname: string;
  label: string;
  special: boolean;
  /** The server started a process for it. */
  started?: boolean;
  /** No deadline holds for it. */
  untimed?: boolean;
}

/** What a started bot printed. lost counts the lines before these that were left out. */
export interface Printed {
  player: number;
  lines: string[];
  lost?: number;
  /** How its process ended after these lines: "crashed: exit code 1". */
  ended?: string;
}

/** The first event of a match. */
export interface StartEvent {
  type: "start";
  id: string;
  rules: string;
  map: string;
  players: number;
  specials: number;
  turns: number;
  seed: string;
  interval_ms: number;
  /** The time for an answer; missing: there is none, clocks count, or it is not known. */
  limit_ms?: number;
  seats: Seat[];
  /** The name under which the match is recorded, if it is. */
  recording?: string;
  /** As the game sends it to players. */
  state: unknown;
  /** What the game logic of external rules said of them: their name, and how states are drawn. */
  logic?: { rules?: string; view?: unknown };
  /** The scores of such a game by player id, if it has any. */
  scores?: number[];
  printed?: Printed[];
}

/** How a player answered a turn. */
export interface Answer {
  player: number;
  /** The thinking time in milliseconds; a lapse has none. */
  ms?: number;
  actions?: unknown;
  /** The size in bytes of actions that are too large to be sent to viewers. */
  omitted?: number;
  /** What the bot shows besides its actions; any JSON. */
  debug?: unknown;
  /** Why there is no usable answer: "timed out", "malformed" or "gone". */
  lapse?: string;
}

/** An action that the game refused. */
export interface Refusal {
  player: number;
  /** Index into the turn's answers. */
  answer: number;
  /** Index into that answer's actions; -1 stands for the whole answer. */
  action: number;
  reason: string;
}

/** A turn: what changed, and how it came about. */
export interface TurnEvent {
  type: "turn";
  turn: number;
  at_ms: number;
  /** What changed. A viewer that fell behind gets a whole state instead, and misses the turns before it. */
  delta?: unknown;
  state?: unknown;
  winner: number;
  /** As in the start. */
  scores?: number[];
  answers?: Answer[];
  refused?: Refusal[];
  gone?: number[];
  printed?: Printed[];
}

/** The last event of a match. winner is -1 if no player won; error says why the match was aborted. */
export interface EndEvent {
  type: "end";
  turn: number;
  winner: number;
  reason: string;
  error: string;
  tally: { player: number; [name: string]: number }[];
  printed?: Printed[];
  report?: { seats: SeatReport[] };
  /** Of a recording: for the best player and each of the others, the second first. */
  decided?: Decided[];
}

/** The turns that decided between two players. */
export interface Decided {
  players: [number, number];
  turns: {
    /** The step that changed the board; the answers that it played are to the board before it. */
    step: number;
    /** Why it is one of them, a sentence each. */
    about: string[];
    /** What both did in it, and what they lost: a line each. */
    played: string[];
  }[];
}

/** What came of one seat, as the server counted. */
export interface SeatReport {
  id: number;
  /** Ties share one; special players and games without figures have none. */
  rank?: number;
  /** The figures of the game, such as its score; the first ranks. */
  counts: { [name: string]: number };
  /** Refused actions by reason. */
  refused: { [reason: string]: number };
  answers: number;
  skipped: number;
  time_ms: { p50: number; p99: number };
  /** No time limit held, and its time was not measured. */
  untimed?: boolean;
  /** "ok", "crashed", "left early" or "never logged in", and what was wrong. */
  status: string;
  error?: string;
}

/** A match that waits for clients. A newer one replaces it. */
export interface LobbyEvent {
  type: "lobby";
  id: string;
  phase: string;
  game: string;
  map: string;
  seats: { players: number; specials: number; visualizations: number };
  /** The match starts when every seat is taken, those of visualizations included. */
  autostart: boolean;
  /** label: of a bot that the server started. language: in which it is written, as it said. */
  present: { nickname: string; role: string; label?: string; language?: string }[];
  addresses: string[];
}

/** The number of viewers of the match. */
export interface ViewersEvent {
  type: "viewers";
  count: number;
}

/** The last event of a recording that has no end. */
export interface IncompleteEvent {
  type: "incomplete";
  /** The match is still being played, the server was stopped or the file cut, or the rest cannot be read. */
  reason: "running" | "truncated" | "damaged";
  /** The last turn that was read. */
  turn: number;
  /** The number of turns that the match was to have. */
  turns: number;
  /** What is damaged, as the end of a sentence. */
  error: string;
}

export type FeedEvent =
  StartEvent | TurnEvent | EndEvent | IncompleteEvent | LobbyEvent | ViewersEvent;

/** An action as a bot sends it: any field may be missing or of any type. */
export type Action = { readonly [field: string]: unknown };

/** Returns the actions of an answer. What is not an object becomes an empty action, so that indexes stay valid. */
export function actionsOf(answer: Answer | undefined): Action[] {
  const list = answer?.actions;
  if (!Array.isArray(list)) return [];
  return list.map((a) => (a !== null && typeof a === "object" ? (a as Action) : {}));
}
