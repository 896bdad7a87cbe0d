// What the bot of this page prints.

import type { Level } from "./sandbox.ts";

/** A line that the bot printed, an error, or a note. */
export interface Line {
  level: Level | "note"; // a note comes from the page
  text: string;
  line: number; // of the code; 0: not known
  /** The turn in which it was printed; -1: in none. */
  turn: number;
  times: number; // in a row
}

/** The number of lines that are kept. */
const MOST_LINES = 500;

/** Adds a line, or counts it if it is the same as the last one of its turn. */
export function addLine(lines: Line[], line: Omit<Line, "times">): void {
  const last = lines.at(-1);
  if (
    last &&
    last.level === line.level &&
    last.text === line.text &&
    last.line === line.line &&
    last.turn === line.turn
  ) {
    lines[lines.length - 1] = { ...last, times: last.times + 1 };
    return;
  }
  lines.push({ ...line, times: 1 });
  if (lines.length > MOST_LINES) lines.splice(0, lines.length - MOST_LINES);
}
