// The events of the feed, as they come over the WebSocket or in a recording.
// One match is one append-only sequence of them.

export interface Coord {
  q: number;
  r: number;
}

export interface Cell extends Coord {
  color: number;
}

export interface Character extends Coord {
  id: number;
  color: number;
  alive: boolean;
  revive_delay: number;
  bomb_count: number;
}

export interface Bomb extends Coord {
  color: number;
  range: number;
  delay: number;
}

/** A state as players receive it; a delta has the same keys, each optional. */
export interface State {
  cells: Cell[];
  characters: Character[];
  bombs: Bomb[];
  explosions: Record<string, Coord[]>;
  cell_count: Record<string, number>;
  score: Record<string, number>;
}

export interface Seat {
  id: number;
  nickname: string;
  label: string;
  special: boolean;
  /** A process was started for it. */
  started?: boolean;
}

/** What a started bot printed; lost counts the lines before these. */
export interface Printed {
  player: number;
  lines: string[];
  lost?: number;
}

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
  seats: Seat[];
  /** The name under which the match is recorded, if it is. */
  recording?: string;
  state: State;
  printed?: Printed[];
}

export interface Answer {
  player: number;
  /** How long it took; a lapse has none. */
  ms?: number;
  actions?: unknown;
  /** The bytes of actions that are too many to be shown. */
  omitted?: number;
  /** What the bot shows beside its actions; anything at all. */
  debug?: unknown;
  lapse?: string;
}

export interface Refusal {
  player: number;
  /** Index into the turn's answers. */
  answer: number;
  /** Index into that answer's actions; -1 is the answer as a whole. */
  action: number;
  reason: string;
}

export interface TurnEvent {
  type: "turn";
  turn: number;
  at_ms: number;
  /** What changed; a reader that fell behind gets a whole state instead, and misses the turns before it. */
  delta?: Partial<State>;
  state?: State;
  winner: number;
  answers?: Answer[];
  refused?: Refusal[];
  gone?: number[];
  printed?: Printed[];
}

export interface EndEvent {
  type: "end";
  turn: number;
  winner: number;
  reason: string;
  error: string;
  tally: { player: number; [name: string]: number }[];
  printed?: Printed[];
}

export interface LobbyEvent {
  type: "lobby";
  id: string;
  phase: string;
  game: string;
  map: string;
  seats: { players: number; specials: number; visualizations: number };
  /** It starts when every seat is taken, those of visualizations as well. */
  autostart: boolean;
  present: { nickname: string; role: string; address: string }[];
  addresses: string[];
}

export interface ViewersEvent {
  type: "viewers";
  count: number;
}

/** The last event of a recording without an end. */
export interface IncompleteEvent {
  type: "incomplete";
  /** Its match is still being played, its program was stopped or the file cut, or what follows cannot be read. */
  reason: "running" | "truncated" | "damaged";
  /** The last turn that is there. */
  turn: number;
  /** How many were to be played. */
  turns: number;
  /** What is damaged. */
  error: string;
}

export type FeedEvent = StartEvent | TurnEvent | EndEvent | IncompleteEvent | LobbyEvent | ViewersEvent;

/** An action as a bot sends it; every field may be missing or of another type. */
export interface Action {
  id?: number;
  movement?: string;
  direction?: string;
  bomb_range?: number;
  bomb_delay?: number;
}

/** The actions of an answer, whatever the bot sent. */
export function actionsOf(answer: Answer | undefined): Action[] {
  const list = answer?.actions;
  if (!Array.isArray(list)) return [];
  return list.map((a) => (a !== null && typeof a === "object" ? (a as Action) : {}));
}
