// The analysis of a recorded game by a bot, the judge. The server runs it and sends
// its verdicts move by move.

import { post, problemOf, sentence } from "../../core/http.ts";
import type { Coord } from "../../core/plane.ts";
import { at, ROOT } from "../../core/root.ts";
import { type Considered, type Evaluation, readEvaluation, type Side } from "./story.ts";

/** A capability of the judge, and how it is used or what replaces it. */
export interface Feature {
  name: string;
  declared: boolean;
  effect: string;
}

/** The bot that analyses, as the server describes it. */
export interface Judge {
  name: string;
  address: string;
  stateless: boolean;
  features: Feature[];
}

/** A move and its evaluation by the judge. */
export interface Verdict {
  move: number;
  side: Side;
  pieces: Coord[];
  before: Evaluation | null;
  after: Evaluation | null;
  /** The judge would have played the same move. */
  best: boolean;
  /** The move that it would have played instead, and the evaluation after it. */
  preferred: Coord[];
  instead: Evaluation | null;
  /** A move that would have won at once. */
  missed: Coord[];
  /** What it is worth: a blunder, a mistake, an inaccuracy, or "". */
  mark: "" | "?!" | "?" | "??";
  note: string;
}

// A move that loses this much, on a scale of 2 from won to lost, is a mistake or an inaccuracy, as on lichess.org; the
// server calls a move that loses 0.3 a blunder.
const MISTAKE = 0.2;
const INACCURACY = 0.1;

/** The number of moves that the judge shows ahead. */
const LINE = 8;

/** Where sessionStorage keeps the recording whose analysis the viewer wants. */
const WANTED = "analyse";

/** Notes that the viewer wants the analysis of a recording, whose page opens next. */
export function wantAnalysis(recording: string): void {
  sessionStorage.setItem(WANTED, recording);
}

type Line = Record<string, unknown> & { judge?: Judge; error?: string; move?: number };

/** The value of chosen for a bot at an address. */
export const ELSEWHERE = "";

/** The analysis of one recording. */
export class Analysis {
  /** The built-in bots that can judge; null: the server does not analyse for this viewer. */
  judges: readonly string[] | null = null;
  /** The built-in bot that is chosen, or ELSEWHERE. */
  chosen = ELSEWHERE;
  address = "http://localhost:8002";
  threats = false;

  running = false;
  /** Why the analysis failed; empty: it did not. */
  problem = "";
  judge: Judge | null = null;
  readonly verdicts = new Map<number, Verdict>();
  private abort: AbortController | null = null;
  /** The last question about one move: the server asks the judge one at a time. */
  private asked: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly recording: string,
    private readonly changed: () => void,
  ) {}

  /** Asks the server whether it analyses recordings. */
  async loadJudges(): Promise<void> {
    this.judges = await askForJudges();
    this.chosen = this.judges?.[0] ?? ELSEWHERE;
    this.changed();
  }

  /** Asks the server, and begins if the viewer has asked for it at the end of the game. */
  async begin(): Promise<void> {
    await this.loadJudges();
    if (sessionStorage.getItem(WANTED) !== this.recording) return;
    sessionStorage.removeItem(WANTED);
    if (this.judges) void this.run();
  }

  get blunders(): Verdict[] {
    return this.mistakes.filter((v) => v.mark === "??");
  }

  /** The moves with a mark, in order. */
  get mistakes(): Verdict[] {
    return [...this.verdicts.values()].filter((v) => v.mark !== "").sort((a, b) => a.move - b.move);
  }

  /** Returns the next move with a mark after a move, or with -1 the one before it. */
  next(move: number, direction: 1 | -1): Verdict | undefined {
    return direction > 0
      ? this.mistakes.find((v) => v.move > move)
      : this.mistakes.filter((v) => v.move < move).at(-1);
  }

  async run(): Promise<void> {
    const abort = (this.abort = new AbortController());
    this.running = true;
    this.problem = "";
    this.judge = null;
    this.verdicts.clear();
    this.changed();
    try {
      await this.asked;
      const response = await post(
        this.path,
        { judge: this.name, threats: this.threats },
        abort.signal,
      );
      if (!response.ok) throw new Error(await problemOf(response));
      await this.receive(response.body!);
    } catch (e) {
      if (!abort.signal.aborted)
        this.problem =
          e instanceof TypeError ? "The server stopped answering." : sentence((e as Error).message);
    }
    if (this.abort !== abort) return;
    this.running = false;
    this.changed();
  }

  /** Resolves to the judge's evaluation of the position after the last of some moves of a game in the notation. */
  async evaluate(game: string, moves: number): Promise<Evaluation | null> {
    const lines = await this.ask({ game, move: moves });
    return readEvaluation(lines.find((line) => line.move === moves)?.after);
  }

  /** Resolves to what the judge would play in place of a move, and then for both sides in turn. */
  async line(move: number): Promise<Coord[][]> {
    const lines = await this.ask({ move, line: LINE });
    return (lines.find((line) => line.move === move)?.line ?? []) as Coord[][];
  }

  /** Resolves to what the judge says of one move, once it has answered what it was asked before. */
  private ask(what: { move: number; game?: string; line?: number }): Promise<Line[]> {
    const answer = this.asked.then(() => this.askNow(what));
    this.asked = answer.catch(() => null);
    return answer;
  }

  private async askNow(what: { move: number; game?: string; line?: number }): Promise<Line[]> {
    const response = await post(this.path, { judge: this.name, ...what });
    if (!response.ok) throw new Error(await problemOf(response));
    const lines = (await response.text())
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line);
    const failed = lines.find((line) => line.error !== undefined);
    if (failed) throw new Error(failed.error);
    return lines;
  }

  private get path(): string {
    return `${ROOT}api/recordings/${encodeURIComponent(this.recording)}/analysis`;
  }

  private get name(): string {
    return this.chosen === ELSEWHERE ? this.address.trim() : this.chosen;
  }

  /** Stops the analysis; the verdicts so far are kept. */
  stop(): void {
    this.abort?.abort();
  }

  private async receive(body: ReadableStream<Uint8Array>): Promise<void> {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = lines.pop()!;
      for (const line of lines) this.addLine(JSON.parse(line) as Line);
      this.changed();
    }
  }

  private addLine(line: Line): void {
    if (line.error !== undefined) throw new Error(line.error);
    if (line.judge) this.judge = line.judge;
    else if (line.move !== undefined) this.verdicts.set(line.move, verdictOf(line.move, line));
  }

  /** Returns the marks on the board after a move. */
  marks(move: number): Considered[] {
    const v = this.verdicts.get(move);
    if (!v) return [];
    const wins = { pieces: v.missed, evaluation: null, label: "!" };
    const best = { pieces: v.best ? v.pieces : v.preferred, evaluation: null, label: "★" };
    return [wins, best].filter((m) => m.pieces.length > 0);
  }

  /** Returns the judge's evaluation of the position after a move. */
  after(move: number): Evaluation | null {
    return this.verdicts.get(move)?.after ?? this.verdicts.get(move + 1)?.before ?? null;
  }
}

/** Resolves to the built-in bots that can judge; null: the server does not analyse for this viewer. */
export async function askForJudges(): Promise<readonly string[] | null> {
  try {
    const response = await fetch(at("/api/health"));
    return response.ok ? (((await response.json()) as { judges?: string[] }).judges ?? null) : null;
  } catch {
    return null; // without a server there is no analysis
  }
}

/** Returns the mark of a move that loses so much. */
function markOf(loss: number, blunder: boolean): Verdict["mark"] {
  if (blunder) return "??";
  return loss >= MISTAKE ? "?" : loss >= INACCURACY ? "?!" : "";
}

function verdictOf(move: number, line: Line): Verdict {
  const cells = (v: unknown) => (v ?? []) as Coord[];
  return {
    move,
    side: line.side as Side,
    pieces: cells(line.pieces),
    before: readEvaluation(line.before),
    after: readEvaluation(line.after),
    best: line.best === true,
    preferred: cells(line.preferred),
    instead: readEvaluation(line.instead),
    missed: cells(line.missed_win),
    mark: markOf(Number(line.loss ?? 0), line.blunder === true),
    note: String(line.note ?? ""),
  };
}
