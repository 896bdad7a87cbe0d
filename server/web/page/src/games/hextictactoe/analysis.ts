// What a bot thinks of the recorded game that is shown: asked of the server, which
// tells it move by move.

import type { Coord } from "../../core/plane.ts";
import { post } from "../../core/server.ts";
import { type Considered, type Evaluation, readEvaluation, type Side } from "./story.ts";

/** A capability of the judge, and what came of it, or of its absence. */
export interface Feature {
  name: string;
  declared: boolean;
  effect: string;
}

export interface Judge {
  name: string;
  address: string;
  stateless: boolean;
  features: Feature[];
}

/** A move and what the judge thinks of it. */
export interface Verdict {
  move: number;
  side: Side;
  pieces: Coord[];
  before: Evaluation | null;
  after: Evaluation | null;
  /** The judge would have played the same. */
  best: boolean;
  /** What it would have played otherwise, and what would have come of that. */
  preferred: Coord[];
  instead: Evaluation | null;
  /** What would have won at once. */
  missed: Coord[];
  blunder: boolean;
  note: string;
}

type Line = Record<string, unknown> & { judge?: Judge; error?: string; move?: number };

/** What the button to choose another bot than a built-in one is called by. */
export const ELSEWHERE = "";

export class Analysis {
  /** The built-in bots that judge; null: this server judges nothing for this viewer. */
  judges: readonly string[] | null = null;
  /** The built-in bot that is chosen, or ELSEWHERE. */
  chosen = ELSEWHERE;
  address = "http://localhost:8002";
  threats = false;

  running = false;
  /** Why it ended early; empty: it did not, or was stopped. */
  problem = "";
  judge: Judge | null = null;
  readonly verdicts = new Map<number, Verdict>();
  private cut: AbortController | null = null;

  constructor(private readonly recording: string, private readonly changed: () => void) {}

  /** Asks the server whether it judges recordings. */
  async offer(): Promise<void> {
    try {
      const response = await fetch("/api/health");
      this.judges = response.ok ? (((await response.json()) as { judges?: string[] }).judges ?? null) : null;
    } catch {
      this.judges = null; // without a server there is nobody to ask
    }
    this.chosen = this.judges?.[0] ?? ELSEWHERE;
    this.changed();
  }

  get blunders(): Verdict[] {
    return [...this.verdicts.values()].filter((v) => v.blunder);
  }

  async run(): Promise<void> {
    const cut = (this.cut = new AbortController());
    this.running = true;
    this.problem = "";
    this.judge = null;
    this.verdicts.clear();
    this.changed();
    try {
      const judge = this.chosen === ELSEWHERE ? this.address.trim() : this.chosen;
      const path = `/api/recordings/${encodeURIComponent(this.recording)}/analysis`;
      const response = await post(path, { judge, threats: this.threats }, cut.signal);
      if (!response.ok) throw new Error(await refusal(response));
      await this.hear(response.body!);
    } catch (e) {
      if (!cut.signal.aborted) this.problem = e instanceof TypeError ? "The server does not answer any more." : sentence((e as Error).message);
    }
    if (this.cut !== cut) return;
    this.running = false;
    this.changed();
  }

  /** What is judged so far stays. */
  stop(): void {
    this.cut?.abort();
  }

  private async hear(body: ReadableStream<Uint8Array>): Promise<void> {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = lines.pop()!;
      for (const line of lines) this.take(JSON.parse(line) as Line);
      this.changed();
    }
  }

  private take(line: Line): void {
    if (line.error !== undefined) throw new Error(line.error);
    if (line.judge) this.judge = line.judge;
    else if (line.move !== undefined) this.verdicts.set(line.move, verdictOf(line.move, line));
  }

  /** What is marked on the board after a move. */
  marks(move: number): Considered[] {
    const v = this.verdicts.get(move);
    if (!v) return [];
    const wins = { pieces: v.missed, evaluation: null, label: "!" };
    const best = { pieces: v.best ? v.pieces : v.preferred, evaluation: null, label: "★" };
    return [wins, best].filter((m) => m.pieces.length > 0);
  }

  /** What the judge thinks of the position after a move. */
  after(move: number): Evaluation | null {
    return this.verdicts.get(move)?.after ?? this.verdicts.get(move + 1)?.before ?? null;
  }
}

function verdictOf(move: number, line: Line): Verdict {
  const cells = (v: unknown) => (v ?? []) as Coord[];
  return {
    move, side: line.side as Side, pieces: cells(line.pieces),
    before: readEvaluation(line.before), after: readEvaluation(line.after),
    best: line.best === true, preferred: cells(line.preferred), instead: readEvaluation(line.instead),
    missed: cells(line.missed_win), blunder: line.blunder === true, note: String(line.note ?? ""),
  };
}

async function refusal(response: Response): Promise<string> {
  try {
    return ((await response.json()) as { error?: string }).error ?? "The server refuses.";
  } catch {
    return `The server answers with ${response.status}.`;
  }
}

/** An error of the server, which begins small and has no full stop. */
function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
}
