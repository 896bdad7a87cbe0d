// Figures of a cup in words.

import type { Standings } from "../../core/cup.ts";
import { count, list, number, visible } from "../../core/text.ts";

const MINUS = "\u2212";
const THIN_SPACE = "\u2009";

/** Returns Elo points as "+12.3". */
export function points(elo: number): string {
  return (elo < 0 ? MINUS : "+") + Math.abs(elo).toFixed(1);
}

/** Returns a number as "−2.94". */
export function decimal(n: number): string {
  return (n < 0 ? MINUS : "") + Math.abs(n).toFixed(2);
}

/** Returns a share as "54.2 %". */
export function share(s: number): string {
  return `${(100 * s).toFixed(1)}${THIN_SPACE}%`;
}

/** Returns a time such as "40 s", "3 min" or "2 h 5 min". */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Returns what is played: "Gauntlet of 12 bots", or which version is compared with which. */
export function title({ format, bots, comparisons }: Standings): string {
  const compared = format === "sprt" && comparisons?.[0];
  if (compared) return `${visible(compared.bot)} against ${visible(compared.against)}`;
  const name = format === "sprt" ? "comparison" : format.replace("-", " ");
  return `${name[0].toUpperCase()}${name.slice(1)} of ${count(bots.length, "bot")}`;
}

/** Returns how often a bot forfeited, by kind: "3 (2 crash, 1 left)". */
export function forfeits(kinds: Record<string, number>): string {
  const all = Object.entries(kinds).sort();
  const total = all.reduce((sum, [, n]) => sum + n, 0);
  return total === 0
    ? "0"
    : `${number(total)} (${list(all.map(([kind, n]) => `${number(n)} ${kind}`))})`;
}

/** Returns a text whose negative figures have a true minus sign. */
export function minus(text: string): string {
  return text.replace(/(^|[ (])-(?=\d)/g, `$1${MINUS}`);
}
