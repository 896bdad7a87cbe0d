// What each player did in a match, whatever the game: from the report at its end, or as far as the page has
// seen a match that is still played.

import { crashLines, isPointer, lastPrinted } from "../core/botoutput.ts";
import type { Store } from "../core/store.ts";
import { visible } from "../core/text.ts";
import { turnName } from "../core/turns.ts";

/** Actions that were refused for one reason. */
export interface Refused {
  reason: string;
  actions: number;
  /** The first turn in which it happened; 0: not known. */
  first: number;
}

export interface Figures {
  /** Quantiles of its times in milliseconds; null: not known. */
  p50: number | null;
  p99: number | null;
  skipped: number;
  /** The most frequent reason first. */
  refused: Refused[];
  /** How it left: "crashed: exit code 1 in turn 53"; empty: it did not. */
  ended: string;
  /** The last line that it printed before it crashed; empty: it did not, or this viewer may not see it. */
  lastLine: string;
}

/** Returns the figures of each player. */
export function figuresOf(store: Store): Figures[] {
  const refused = refusalsOf(store);
  return store.seats.map(({ id }): Figures => {
    const seat = store.end?.report?.seats.find((s) => s.id === id);
    const times = store.answers.thinking[id]
      .filter((ms): ms is number => ms !== null)
      .sort((a, b) => a - b);
    const reasons = refused[id];
    for (const [reason, actions] of Object.entries(seat?.refused ?? {}))
      reasons.set(reason, { reason, actions, first: reasons.get(reason)?.first ?? 0 });
    const known = seat && !seat.untimed && seat.answers > 0;
    return {
      p50: known ? seat.time_ms.p50 : quantile(times, 0.5),
      p99: known ? seat.time_ms.p99 : quantile(times, 0.99),
      skipped: seat?.skipped ?? store.answers.late[id].size,
      refused: [...reasons.values()].sort((a, b) => b.actions - a.actions || a.first - b.first),
      ended: endedOf(store, id, seat?.status ?? "ok", visible(seat?.error ?? "")),
      lastLine: lastLineOf(store, id),
    };
  });
}

function quantile(sorted: number[], share: number): number | null {
  return sorted.length > 0
    ? sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
    : null;
}

/** Returns for each player the actions that were refused, by reason. */
function refusalsOf(store: Store): Map<string, Refused>[] {
  const all = store.seats.map(() => new Map<string, Refused>());
  for (let turn = 1; turn <= store.last; turn++) {
    for (const { player, reason } of store.event(turn)?.refused ?? []) {
      const found = all[player]?.get(reason);
      if (found) found.actions++;
      else all[player]?.set(reason, { reason, actions: 1, first: turn });
    }
  }
  return all;
}

function endedOf({ answers, last }: Store, player: number, status: string, error: string): string {
  if (status !== "ok") return status === "crashed" ? `crashed: ${error}` : error || status;
  const since = answers.goneSince[player];
  return since === undefined
    ? ""
    : `${answers.ending(player, last) || "left"} in ${turnName(since - 1)}`;
}

/** The output of a bot is sent only to viewers that may see it. */
function lastLineOf(store: Store, player: number): string {
  if (store.answers.goneSince[player] === undefined) return "";
  const lines =
    lastPrinted(store, player, store.last)
      ?.printed.lines.map(visible)
      .filter((line) => line.trim() !== "" && !isPointer(line)) ?? [];
  const crash = crashLines(lines).lastIndexOf(true);
  return crash < 0 ? (lines.at(-1) ?? "") : lines[crash];
}
