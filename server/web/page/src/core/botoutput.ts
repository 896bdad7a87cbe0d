// What a bot says about itself: what it printed, and the debug that it sent along
// with its answers. All of it comes from bots, so that nothing of it is trusted.

import { type Action, actionsOf, type Answer, type Printed } from "./feed.ts";
import type { Store } from "./store.ts";

export interface DebugCell {
  q: number;
  r: number;
  color: string;
  label: string;
}

export interface Debug {
  text: string;
  cells: DebugCell[];
  values: [name: string, value: number][];
}

const QUIET: Debug = { text: "", cells: [], values: [] };
const LONGEST_LABEL = 4;

/** What an answer shows beside its actions, whatever the bot sent. */
export function debugOf(answer: Answer | undefined): Debug {
  if (!isObject(answer?.debug)) return QUIET;
  const { text, cells, values } = answer.debug;
  return {
    text: word(text),
    cells: Array.isArray(cells)
      ? cells.filter(isObject).map((c) => ({
          q: Number(c.q),
          r: Number(c.r),
          color: word(c.color),
          label: [...word(c.label)].slice(0, LONGEST_LABEL).join(""),
        }))
      : [],
    values: isObject(values)
      ? Object.entries(values).filter((v): v is [string, number] => typeof v[1] === "number" && Number.isFinite(v[1]))
      : [],
  };
}

function isObject(v: unknown): v is Record<string, unknown> {
  return v !== null && typeof v === "object" && !Array.isArray(v);
}

function word(v: unknown): string {
  return typeof v === "string" ? v : "";
}

/** The answer of a player that was applied last in a turn. */
export function answerOf(store: Store, player: number, turn: number): { answer: Answer; index: number } | null {
  const answers = store.event(turn)?.answers ?? [];
  const index = answers.map((a) => a.player).lastIndexOf(player);
  return index < 0 ? null : { answer: answers[index], index };
}

export interface Deed {
  action: Action;
  /** Why it had no effect; empty if it had one. */
  refused: string;
}

/** What a player wanted in a turn, and what came of it. */
export function deeds(store: Store, player: number, turn: number): Deed[] {
  const found = answerOf(store, player, turn);
  if (!found) return [];
  const refusals = (store.event(turn)?.refused ?? []).filter((r) => r.answer === found.index);
  const all = refusals.find((r) => r.action < 0)?.reason ?? "";
  return actionsOf(found.answer).map((action, i) => ({
    action,
    refused: refusals.find((r) => r.action === i)?.reason ?? all,
  }));
}

/** What a player printed in a turn, and after the last one what came then. */
export function printedBy(store: Store, player: number, turn: number): Printed | null {
  const lists = [turn === 0 ? store.start?.printed : store.event(turn)?.printed];
  if (store.end && turn === store.last) lists.push(store.end.printed);
  const found = lists.flatMap((list) => list ?? []).filter((p) => p.player === player);
  if (found.length === 0) return null;
  return {
    player,
    lines: found.flatMap((p) => p.lines ?? []),
    lost: found.reduce((n, p) => n + (p.lost ?? 0), 0),
  };
}

/** How far back the last words of a bot are looked for that printed nothing lately. */
const FAR_BACK = 500;

/** The newest of what a player had printed by a turn, and in which turn that was. */
export function lastWords(store: Store, player: number, turn: number): { turn: number; printed: Printed } | null {
  for (let k = turn; k >= Math.max(0, turn - FAR_BACK); k--) {
    const printed = printedBy(store, player, k);
    if (printed) return { turn: k, printed };
  }
  return null;
}

/** Which lines tell of a crash: from a traceback's head to the first line after it that is not indented. */
export function crashLines(lines: readonly string[]): boolean[] {
  let inside = false;
  return lines.map((line) => {
    if (/^(Traceback\b|panic:|fatal error:|Exception in thread|Uncaught\b|thread '.*' panicked)/.test(line)) {
      inside = true;
      return true;
    }
    if (!inside) return /^(\w+\.)*\w*(Error|Exception)\b(:|$)/.test(line);
    inside = line === "" || /^\s/.test(line);
    return true;
  });
}

/** Lines that only point at what stands above them, as Python's do. */
export function isPointer(line: string): boolean {
  return /^\s*[~^]+\s*$/.test(line);
}

/** The player whose bot is meant when nobody is followed: the first that was started, else the first that says anything. */
export function firstBot(store: Store): number {
  const started = store.seats.find((s) => s.started && !s.special) ?? store.seats.find((s) => s.started);
  return started?.id ?? store.talker;
}
