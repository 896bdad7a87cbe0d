// What a bot prints and the debug information that it sends with its answers. It
// comes from bots, so nothing of it is trusted.

import { type Action, actionsOf, type Answer, type Printed } from "./feed.ts";
import type { Coord } from "./plane.ts";
import type { Store } from "./store.ts";

const SHAPES = ["cell", "line", "arrow", "text"] as const;

/** A mark of a bot on a cell, or from there to another one. */
export interface DebugCell {
  q: number;
  r: number;
  color: string;
  label: string;
  shape: (typeof SHAPES)[number];
  /** Where a line or an arrow ends. */
  to: Coord;
  /** The viewer can hide the marks of a layer; empty: those without one. */
  layer: string;
}

/** The debug information of an answer. */
export interface Debug {
  text: string;
  cells: DebugCell[];
  values: [name: string, value: number][];
}

/** The debug information of an answer without any. */
const QUIET: Debug = { text: "", cells: [], values: [] };
/** The longest labels in a cell, and beside other shapes, and the longest names of layers. */
const LONGEST_LABEL = 4;
const LONGEST_TEXT = 24;

/** Returns the debug information of an answer. Whatever has the wrong type is left out. */
export function debugOf(answer: Answer | undefined): Debug {
  if (!isObject(answer?.debug)) return QUIET;
  const { text, cells, values } = answer.debug;
  return {
    text: word(text),
    cells: Array.isArray(cells) ? cells.filter(isObject).map(markOf) : [],
    values: isObject(values)
      ? Object.entries(values).filter(
          (v): v is [string, number] => typeof v[1] === "number" && Number.isFinite(v[1]),
        )
      : [],
  };
}

function markOf(c: Record<string, unknown>): DebugCell {
  const shape = SHAPES.find((known) => known === c.shape) ?? "cell";
  const first = (text: unknown, most: number) => [...word(text)].slice(0, most).join("");
  return {
    q: Number(c.q),
    r: Number(c.r),
    color: word(c.color),
    label: first(c.label, shape === "cell" ? LONGEST_LABEL : LONGEST_TEXT),
    shape,
    to: { q: Number(c.to_q ?? 0), r: Number(c.to_r ?? 0) },
    layer: first(c.layer, LONGEST_TEXT),
  };
}

function isObject(v: unknown): v is Record<string, unknown> {
  return v !== null && typeof v === "object" && !Array.isArray(v);
}

function word(v: unknown): string {
  return typeof v === "string" ? v : "";
}

/** Returns the last answer of a player that was applied in a turn, and its index. */
export function answerOf(
  store: Store,
  player: number,
  turn: number,
): { answer: Answer; index: number } | null {
  const answers = store.event(turn)?.answers ?? [];
  const index = answers.map((a) => a.player).lastIndexOf(player);
  return index < 0 ? null : { answer: answers[index], index };
}

/** An action and its outcome. */
export interface Outcome {
  action: Action;
  /** Why it was refused; empty: it was applied. */
  refused: string;
}

/** Returns the actions of a player in a turn. */
export function outcomes(store: Store, player: number, turn: number): Outcome[] {
  const found = answerOf(store, player, turn);
  if (!found) return [];
  const refusals = (store.event(turn)?.refused ?? []).filter((r) => r.answer === found.index);
  const all = refusals.find((r) => r.action < 0)?.reason ?? "";
  return actionsOf(found.answer).map((action, i) => ({
    action,
    refused: refusals.find((r) => r.action === i)?.reason ?? all,
  }));
}

/** Returns what a player printed in a turn; for the last turn, what it printed after it as well. */
export function printedBy(store: Store, player: number, turn: number): Printed | null {
  const lists = [turn === 0 ? store.start?.printed : store.event(turn)?.printed];
  if (store.end && turn === store.last) lists.push(store.end.printed);
  const found = lists.flatMap((list) => list ?? []).filter((p) => p.player === player);
  const lines = found.flatMap((p) => p.lines ?? []);
  const lost = found.reduce((n, p) => n + (p.lost ?? 0), 0);
  return lines.length + lost > 0 ? { player, lines, lost } : null;
}

/** How many turns lastPrinted looks back. */
const LOOK_BACK = 500;

/** Returns the newest output of a player up to a turn, and its turn. */
export function lastPrinted(
  store: Store,
  player: number,
  turn: number,
): { turn: number; printed: Printed } | null {
  for (let k = turn; k >= Math.max(0, turn - LOOK_BACK); k--) {
    const printed = printedBy(store, player, k);
    if (printed) return { turn: k, printed };
  }
  return null;
}

/** Reports for each line whether it belongs to a crash: from the head of a traceback to the first line that is not indented. */
export function crashLines(lines: readonly string[]): boolean[] {
  let inside = false;
  return lines.map((line) => {
    if (
      /^(Traceback\b|panic:|fatal error:|Exception in thread|Uncaught\b|thread '.*' panicked)/.test(
        line,
      )
    ) {
      inside = true;
      return true;
    }
    if (!inside) return /^(\w+\.)*\w*(Error|Exception)\b(:|$)/.test(line);
    inside = line === "" || /^\s/.test(line);
    return true;
  });
}

/** Reports whether a line only points at the one above it, as Python's "~~^~~" does. */
export function isPointer(line: string): boolean {
  return /^\s*[~^]+\s*$/.test(line);
}

/** Returns the player whose bot is shown while no player is followed: the first that the server started, or else the first that sent debug information. */
export function firstBot(store: Store): number {
  const started =
    store.seats.find((s) => s.started && !s.special) ?? store.seats.find((s) => s.started);
  return started?.id ?? store.talker;
}
