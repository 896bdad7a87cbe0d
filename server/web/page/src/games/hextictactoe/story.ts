// A game of hexagonal tic-tac-toe. Pieces are never removed, so a position is the
// number of pieces on the board and the rest of the state.

import type {
  Clock,
  PastMove,
  Piece,
  Side,
  TicTacToeState,
} from "../../../../../../bots/kits/javascript/hexarena.js";
import type { GameEvent } from "../../core/events.ts";
import type { Answer, EndEvent, StartEvent, TurnEvent } from "../../core/feed.ts";
import { type Coord, keyOf } from "../../core/plane.ts";
import type { Story } from "../../core/story.ts";
import { signedDecimal } from "../../core/text.ts";

export type { Clock, Piece, Side };
export const SIDES: readonly Side[] = ["x", "o"];

/** The state as the game sends it; a delta has any of its keys. */
export type State = TicTacToeState;

/** The pieces that a side placed in one move. */
export type Move = PastMove;

/** Which side a bot considers better. */
export interface Evaluation {
  /** From -1 to 1; above 0, cross is better. */
  value: number;
  /** The number of moves until cross wins; negative: until circle wins; 0: not known. */
  winIn: number;
}

/** A move that a bot considered. */
export interface Considered {
  pieces: Coord[];
  evaluation: Evaluation | null;
  /** The label on the board; its rank by default. */
  label?: string;
}

/** The position after a turn. */
export interface Position {
  /** The number of pieces on the board. */
  pieces: number;
  move: number;
  toMove: Side;
  previous: Move[];
  clocks: Record<Side, number> | null;
  status: State["status"];
  reason: string;
  row: Coord[];
  /** The newest evaluation that a bot sent. */
  evaluation: Evaluation | null;
  /** The newest evaluation of each side's bot, since two bots may always disagree. */
  said: Readonly<Record<Side, Evaluation | null>>;
  /** The alternatives to the move that led here. */
  considered: Considered[];
  thinking: number;
  /** When the turn arrived, as performance.now() tells it. */
  at: number;
}

/** A change of the evaluation by this much is an event. */
const SWING = 0.2;

/** Filled turn by turn. */
export class GameStory implements Story {
  readonly pieces: Piece[] = [];
  readonly positions: Position[] = [];
  readonly events: GameEvent[] = [];
  /** The evaluation has a chart of its own. */
  readonly measures = [];
  readonly rules: Pick<State, "view_distance" | "win_distance" | "turn_limit" | "clock">;
  private readonly taken = new Set<string>();
  /** The last evaluation of each side, since two bots may always disagree. */
  private readonly sent: Record<Side, number> = { x: 0, o: 0 };

  constructor(start: StartEvent) {
    const state = start.state as State;
    this.rules = state;
    this.place(state.board.cells);
    this.positions.push(this.next(null, state, undefined));
  }

  /** The newest position. */
  get last(): Position {
    return this.positions.at(-1)!;
  }

  at(turn: number): Position {
    return this.positions[Math.max(0, Math.min(turn, this.positions.length - 1))];
  }

  /** The first turn with a position to show: the first turn of a match may ask no player. */
  get first(): number {
    return this.positions.length > 1 && this.positions[1].move === this.positions[0].move ? 1 : 0;
  }

  /** Returns the turn in which a move was made. */
  turnOf(move: number): number {
    return Math.max(
      0,
      this.positions.findIndex((p) => p.move === move),
    );
  }

  /** Returns the move in which each piece was placed; 0: it was there from the start. */
  get numbers(): number[] {
    const numbers: number[] = [];
    for (const { pieces, move } of this.positions)
      while (numbers.length < pieces) numbers.push(move);
    return numbers;
  }

  /** Returns the turn in which the piece on a cell was placed, or -1. */
  placedIn({ q, r }: Coord): number {
    const index = this.pieces.findIndex((p) => p.q === q && p.r === r);
    return index < 0 ? -1 : this.positions.findIndex((p) => p.pieces > index);
  }

  add(event: TurnEvent): void {
    const before = this.last;
    const changed = ((event.delta ?? event.state) as Partial<State> | undefined) ?? {};
    if (changed.board) this.place(changed.board.cells);
    // A player that is not to move may answer as well, with nothing to say.
    const player = SIDES.indexOf(before.toMove);
    const answer = event.answers?.filter((a) => a.player === player).at(-1);
    const after = this.next(before, changed, answer);
    this.positions.push(after);
    this.noteSwing(event.turn, before, after);
    for (const p of event.gone ?? []) {
      this.events.push({ turn: event.turn, kind: "gone", player: p, what: "left", detail: "" });
    }
  }

  close(event: EndEvent): void {
    this.events.push({
      turn: event.turn,
      kind: "end",
      player: event.winner,
      what: event.winner >= 0 ? "wins" : event.error ? "The game was aborted" : "A draw",
      detail: event.error || event.reason,
    });
  }

  private place(cells: readonly Piece[]): void {
    for (const c of cells) {
      const key = keyOf(c);
      if (this.taken.has(key)) continue;
      this.taken.add(key);
      this.pieces.push(c);
    }
  }

  private next(before: Position | null, s: Partial<State>, answer: Answer | undefined): Position {
    const evaluation = evaluationOf(answer);
    const said = before?.said ?? { x: null, o: null };
    return {
      pieces: this.pieces.length,
      move: s.move ?? before?.move ?? 0,
      toMove: s.to_move ?? before?.toMove ?? "o",
      previous: s.previous ?? before?.previous ?? [],
      clocks: s.clocks ?? before?.clocks ?? null,
      status: s.status ?? before?.status ?? "in_progress",
      reason: s.reason ?? before?.reason ?? "",
      row: s.row ?? before?.row ?? [],
      evaluation: evaluation ?? before?.evaluation ?? null,
      said: evaluation && before ? { ...said, [before.toMove]: evaluation } : said,
      considered: consideredOf(answer),
      thinking: answer?.ms ?? 0,
      at: performance.now(),
    };
  }

  private noteSwing(turn: number, before: Position, after: Position): void {
    const side = after.previous.at(-1)?.side;
    if (!side || after.evaluation === before.evaluation) return;
    const now = after.evaluation?.value ?? 0;
    const was = this.sent[side];
    this.sent[side] = now;
    if (Math.abs(now - was) < SWING) return;
    const winIn = after.evaluation?.winIn ?? 0;
    this.events.push({
      turn,
      kind: "swing",
      player: now > was ? 0 : 1,
      what: winIn !== 0 ? `will win in ${Math.abs(winIn)}` : "gains",
      detail: `${signedDecimal(was)} to ${signedDecimal(now)}`,
    });
  }
}

/** Returns the evaluation in an answer; null if it holds no valid one. */
function evaluationOf(answer: Answer | undefined): Evaluation | null {
  const debug = field(answer?.debug, "values");
  const action = Array.isArray(answer?.actions)
    ? field(answer.actions[0], "evaluation")
    : undefined;
  return readEvaluation(debug) ?? readEvaluation(action);
}

/** The number of considered moves that are kept. */
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

/** Returns the evaluation in a value from a bot, or null. */
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
