// A position in which the viewer tries moves, for both sides. The server has no part in it.

import { type Coord, keyOf } from "../../core/plane.ts";
import { AXES, distance } from "./field.ts";
import type { Scene } from "./scene.ts";
import type { Evaluation, Piece, Side } from "./story.ts";
import { threats } from "./threats.ts";

/** The number of pieces in a move. */
const MOVE = 2;
/** More pieces than this are not read: no game of people is as long. */
const MOST = 2000;

/** Where trying begins. */
export interface Beginning {
  pieces: readonly Piece[];
  toMove: Side;
  view: number;
  win: number;
}

export class Trial {
  /** The pieces that were tried. */
  tried: Piece[] = [];

  /** The judge's evaluation of the positions for which there is one, by their games. */
  readonly evaluations = new Map<string, Evaluation | null>();

  /** Moves of the judge from the beginning, which the viewer goes through; empty: none. */
  line: readonly (readonly Coord[])[] = [];

  constructor(private from: Beginning) {}

  /** The side whose piece is next. */
  get side(): Side {
    return this.sideOf(Math.floor(this.tried.length / MOVE));
  }

  /** Returns the side that makes a move, from 0. */
  sideOf(move: number): Side {
    const { toMove } = this.from;
    return move % 2 === 0 ? toMove : toMove === "x" ? "o" : "x";
  }

  /** How many pieces the side still places in this move. */
  get left(): number {
    return MOVE - (this.tried.length % MOVE);
  }

  get pieces(): Piece[] {
    return [...this.from.pieces, ...this.tried];
  }

  /** The row that the last piece has completed; empty: none. */
  get row(): Coord[] {
    const last = this.tried.at(-1);
    return last ? rowThrough(last, this.pieces, this.from.win) : [];
  }

  /** Places a piece; returns why that is not possible, or "". */
  place({ q, r }: Coord): string {
    const { pieces, from, side } = this;
    if (this.row.length > 0) return "The game is over. Take a piece back first.";
    if (pieces.some((p) => p.q === q && p.r === r)) return "This cell is taken.";
    if (!pieces.some((p) => distance(p, { q, r }) <= from.view))
      return `A piece has to be at most ${from.view} cells from another one.`;
    this.tried.push({ q, r, p: side });
    return "";
  }

  /** How many moves of the line were tried; -1: the viewer has left it. */
  get followed(): number {
    const flat = this.line.flat();
    const same = this.tried.every(({ q, r }, i) => flat[i]?.q === q && flat[i].r === r);
    return same && this.tried.length % MOVE === 0
      ? this.tried.length / MOVE
      : same && this.tried.length === flat.length
        ? this.line.length
        : -1;
  }

  /** Shows the position after a number of moves of the line. */
  follow(moves: number): void {
    this.tried = [];
    for (const cell of this.line.slice(0, moves).flat()) this.place(cell);
  }

  back(): void {
    this.tried.pop();
  }

  /** Begins with a game in the notation; returns what is wrong with it, or "". */
  paste(text: string): string {
    const before = { from: this.from, tried: this.tried, line: this.line };
    this.line = [];
    this.from = { ...this.from, pieces: [{ q: 0, r: 0, p: "x" }], toMove: "o" };
    this.tried = [];
    const moves = [...text.matchAll(/\[\s*(-?\d{1,6})\s*,\s*(-?\d{1,6})\s*\]/g)].slice(0, MOST);
    let problem =
      moves.length === 0
        ? "There is no move in this text. A game looks like “1. [1,0][2,0];”."
        : "";
    for (const [cell, q, r] of moves) {
      problem ||= this.place({ q: Number(q), r: Number(r) });
      if (problem) problem = problem.startsWith("There") ? problem : `${cell}: ${problem}`;
      if (problem) break;
    }
    if (problem) Object.assign(this, before);
    return problem;
  }

  /** The moves that were tried in the notation. */
  get notation(): string {
    return notationOf(this.tried);
  }

  /** The game up to the last whole move in the notation, and its number of moves. */
  get game(): { text: string; moves: number } {
    const pieces = this.pieces.slice(1); // a cross in the middle is there from the start
    const moves = Math.floor(pieces.length / MOVE);
    return { text: `version[1];\n${notationOf(pieces.slice(0, moves * MOVE))}`, moves };
  }

  /** The judge's evaluation of the game up to the last whole move; undefined: not judged yet. */
  get evaluation(): Evaluation | null | undefined {
    return this.evaluations.get(this.game.text);
  }

  scene(): Scene {
    const { pieces, tried, from, row } = this;
    const lastMove = tried.length === 0 ? [] : tried.slice(-((tried.length - 1) % MOVE) - 1);
    return {
      pieces,
      numbers: pieces.map((_, i) =>
        i < from.pieces.length ? 0 : Math.floor((i - from.pieces.length) / MOVE) + 1,
      ),
      previous: lastMove.length > 0 ? [{ side: lastMove[0].p, pieces: lastMove }] : [],
      row,
      threats:
        row.length > 0
          ? []
          : (["x", "o"] as const).flatMap((side) => threats(pieces, side, from.win)),
      considered: [],
      side: this.side,
      view: from.view,
      win: from.win,
    };
  }
}

/** Returns the cells of a row of one side's pieces through a piece, if it is long enough to win. */
function rowThrough(piece: Piece, pieces: readonly Piece[], win: number): Coord[] {
  const own = new Set(pieces.filter((p) => p.p === piece.p).map(keyOf));
  for (const a of AXES) {
    const row: Coord[] = [{ q: piece.q, r: piece.r }];
    for (const sign of [1, -1]) {
      for (let n = sign; own.has(`${piece.q + n * a.q},${piece.r + n * a.r}`); n += sign)
        row.push({ q: piece.q + n * a.q, r: piece.r + n * a.r });
    }
    if (row.length >= win) return row;
  }
  return [];
}

/** Returns pieces, two for each move, in the notation. */
function notationOf(pieces: readonly Coord[]): string {
  const moves: string[] = [];
  pieces.forEach(
    ({ q, r }, i) =>
      (moves[Math.floor(i / MOVE)] =
        `${moves[Math.floor(i / MOVE)] ?? `${Math.floor(i / MOVE) + 1}. `}[${q},${r}]`),
  );
  return moves.map((move) => `${move};\n`).join("");
}
