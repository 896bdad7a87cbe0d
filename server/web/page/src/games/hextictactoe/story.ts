// A game of hexagonal tic-tac-toe as it went: pieces only come, so that a
// position is how many of them lie there, and what else the state says.

import type { GameEvent } from "../../core/events.ts";
import type { Answer, EndEvent, StartEvent, TurnEvent } from "../../core/feed.ts";
import type { Coord } from "../../core/plane.ts";
import type { Story } from "../../core/story.ts";
import { signedDecimal } from "../../core/text.ts";

export type Side = "x" | "o";
export const SIDES: readonly Side[] = ["x", "o"];

export interface Piece extends Coord {
  p: Side;
}

export interface Move {
  side: Side;
  pieces: Coord[];
}

export interface Clock {
  type: "none" | "turn" | "match" | "incremental";
  base_ms: number;
  increment_ms: number;
}

/** A state as the server writes it; a delta leaves out what it may. */
export interface State {
  board: { cells: Piece[] };
  to_move: Side;
  previous: Move[];
  move: number;
  clocks: Record<Side, number> | null;
  status: "in_progress" | "x_wins" | "o_wins" | "draw";
  reason: string;
  row: Coord[];
  view_distance: number;
  win_distance: number;
  turn_limit: number;
  clock: Clock;
}

export interface Evaluation {
  /** From -1 to 1; above 0 is good for x. */
  value: number;
  /** Moves until x wins, below 0 until o does; 0: not known. */
  winIn: number;
}

export interface Considered {
  pieces: Coord[];
  evaluation: Evaluation | null;
  /** What stands beside it on the board; its rank unless it says otherwise. */
  label?: string;
}

export interface Position {
  /** How many of the pieces lie there. */
  pieces: number;
  move: number;
  toMove: Side;
  previous: Move[];
  clocks: Record<Side, number> | null;
  status: State["status"];
  reason: string;
  row: Coord[];
  /** What was said last about who is better. */
  evaluation: Evaluation | null;
  /** Of the move that led here. */
  considered: Considered[];
  thinking: number;
  /** When the turn was taken in, as performance.now() tells it. */
  at: number;
}

/** An evaluation that changes by so much is told. */
const SWING = 0.2;

export class GameStory implements Story {
  readonly pieces: Piece[] = [];
  readonly positions: Position[] = [];
  readonly events: GameEvent[] = [];
  /** The evaluation has a chart of its own. */
  readonly measures = [];
  readonly rules: Pick<State, "view_distance" | "win_distance" | "turn_limit" | "clock">;
  private readonly taken = new Set<string>();
  /** What each side said last: two bots may see a position differently all the time. */
  private readonly said: Record<Side, number> = { x: 0, o: 0 };

  constructor(start: StartEvent) {
    const state = start.state as State;
    this.rules = state;
    this.place(state.board.cells);
    this.positions.push(this.next(null, state, undefined));
  }

  /** The newest position. */
  get last(): Position {
    return this.positions[this.positions.length - 1];
  }

  at(turn: number): Position {
    return this.positions[Math.max(0, Math.min(turn, this.positions.length - 1))];
  }

  /** The first turn of a match asks nobody, and places nothing. */
  get first(): number {
    return this.positions.length > 1 && this.positions[1].move === this.positions[0].move ? 1 : 0;
  }

  /** The turn that a move was made in. */
  turnOf(move: number): number {
    return Math.max(0, this.positions.findIndex((p) => p.move === move));
  }

  add(event: TurnEvent): void {
    const before = this.last;
    const changed = ((event.delta ?? event.state) as Partial<State> | undefined) ?? {};
    if (changed.board) this.place(changed.board.cells);
    const answer = event.answers?.[event.answers.length - 1];
    const after = this.next(before, changed, answer);
    this.positions.push(after);
    this.noteSwing(event.turn, before, after);
    for (const p of event.gone ?? []) {
      this.events.push({ turn: event.turn, kind: "gone", player: p, what: "left", detail: "" });
    }
  }

  close(event: EndEvent): void {
    this.events.push({
      turn: event.turn, kind: "end", player: event.winner,
      what: event.winner >= 0 ? "wins" : event.error ? "The game was broken off" : "A draw",
      detail: event.error || event.reason,
    });
  }

  private place(cells: readonly Piece[]): void {
    for (const c of cells) {
      const key = `${c.q},${c.r}`;
      if (this.taken.has(key)) continue;
      this.taken.add(key);
      this.pieces.push(c);
    }
  }

  private next(before: Position | null, s: Partial<State>, answer: Answer | undefined): Position {
    return {
      pieces: this.pieces.length,
      move: s.move ?? before?.move ?? 0,
      toMove: s.to_move ?? before?.toMove ?? "o",
      previous: s.previous ?? before?.previous ?? [],
      clocks: s.clocks ?? before?.clocks ?? null,
      status: s.status ?? before?.status ?? "in_progress",
      reason: s.reason ?? before?.reason ?? "",
      row: s.row ?? before?.row ?? [],
      evaluation: evaluationOf(answer) ?? before?.evaluation ?? null,
      considered: consideredOf(answer),
      thinking: answer?.ms ?? 0,
      at: performance.now(),
    };
  }

  private noteSwing(turn: number, before: Position, after: Position): void {
    const side = after.previous[after.previous.length - 1]?.side;
    if (!side || after.evaluation === before.evaluation) return;
    const now = after.evaluation?.value ?? 0;
    const was = this.said[side];
    this.said[side] = now;
    if (Math.abs(now - was) < SWING) return;
    const winIn = after.evaluation?.winIn ?? 0;
    this.events.push({
      turn, kind: "swing", player: now > was ? 0 : 1, what: winIn !== 0 ? `is to win in ${Math.abs(winIn)}` : "gains",
      detail: `${signedDecimal(was)} to ${signedDecimal(now)}`,
    });
  }
}

/** What the side that moved thinks of it, whatever it sent. */
function evaluationOf(answer: Answer | undefined): Evaluation | null {
  const debug = field(answer?.debug, "values");
  const action = Array.isArray(answer?.actions) ? field(answer.actions[0], "evaluation") : undefined;
  return readEvaluation(debug) ?? readEvaluation(action);
}

const MOST_CONSIDERED = 8;

function consideredOf(answer: Answer | undefined): Considered[] {
  const list = field(answer?.debug, "considerations");
  if (!Array.isArray(list)) return [];
  return list.slice(0, MOST_CONSIDERED).map((c) => {
    const pieces = field(c, "pieces");
    return {
      pieces: Array.isArray(pieces) ? pieces.filter(isCell) : [],
      evaluation: readEvaluation(field(c, "evaluation")),
    };
  });
}

export function readEvaluation(v: unknown): Evaluation | null {
  const heuristic = field(v, "heuristic");
  const winIn = field(v, "win_in");
  if (typeof winIn === "number" && winIn !== 0) return { value: Math.sign(winIn), winIn };
  return typeof heuristic === "number" && Number.isFinite(heuristic)
    ? { value: Math.max(-1, Math.min(1, heuristic)), winIn: 0 }
    : null;
}

function field(v: unknown, name: string): unknown {
  return v !== null && typeof v === "object" ? (v as Record<string, unknown>)[name] : undefined;
}

/** Reports whether a value from a bot holds coordinates. */
export function isCell(v: unknown): v is Coord {
  return Number.isSafeInteger(field(v, "q")) && Number.isSafeInteger(field(v, "r"));
}
