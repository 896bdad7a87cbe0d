// One line of why a player stands where it stands: the first of these that is
// true, at most 46 characters.

import { actionsOf, type Refusal, type TurnEvent } from "./feed.ts";
import { DIRECTION_NAMES } from "./grid.ts";
import { refusedAction } from "./refusal.ts";
import type { Store } from "./store.ts";
import { clip, count, list } from "./text.ts";

const LONGEST = 46;
const IDLE_TURNS = 5;
const LOST_CELLS = 3;
const GROWTH_TURNS = 10;

export function why(store: Store, player: number, turn: number): string {
  for (const reason of [absent, out, caught, blocked, refused, robbed, idle, reduced, growing]) {
    const text = reason(store, player, turn);
    if (text) return clip(text, LONGEST);
  }
  return "";
}

function absent(store: Store, player: number, turn: number): string {
  const { goneSince, skipped } = store.answers;
  const gone = goneSince[player];
  if (gone !== undefined && gone <= turn) return "connection closed; its cells stay";
  return skipped[player]?.includes(turn) ? "no answer in time this turn" : "";
}

function out(store: Store, player: number, turn: number): string {
  if (!store.suddenDeath || store.chronicle.alive[player][turn] > 0) return "";
  let since = turn;
  while (since > 0 && store.chronicle.alive[player][since - 1] === 0) since--;
  return `out since turn ${since}`;
}

function caught(store: Store, player: number, turn: number): string {
  const deaths = store.chronicle.deaths.get(turn)?.filter((d) => d.player === player) ?? [];
  const own = deaths.filter((d) => d.by.includes(player)).length;
  const of = store.chronicle.characters[player];
  if (own > 0) return `${own === of ? `all ${of}` : `${own} of ${of}`} caught by its own bombs`;
  if (deaths.length === 0) return "";
  const by = [...new Set(deaths.flatMap((d) => d.by))].map((p) => store.seats[p]?.nickname ?? "");
  return `${deaths.length} of ${of} caught by ${list(by)}`;
}

function refusalsOf(event: TurnEvent | undefined, player: number): Refusal[] {
  return event?.refused?.filter((r) => r.player === player) ?? [];
}

function blocked(store: Store, player: number, turn: number): string {
  const event = store.event(turn);
  const frame = store.frame(turn);
  if (!event || !frame) return "";
  const moves = refusalsOf(event, player).filter((r) => {
    const action = refusedAction(event, r);
    const who = frame.characters[action?.id ?? -1];
    const step = DIRECTION_NAMES[action?.direction ?? ""];
    if (r.reason !== "blocked" || action?.movement !== "move" || !who || !step) return false;
    return frame.bombs.some((b) => b.color === player + 1 && b.q === who.q + step.q && b.r === who.r + step.r);
  }).length;
  return moves > 0 ? `${count(moves, "move")} blocked by its own bomb` : "";
}

function refused(store: Store, player: number, turn: number): string {
  const event = store.event(turn);
  if (!event) return "";
  const bombs = refusalsOf(event, player).filter((r) => refusedAction(event, r)?.movement === "bomb");
  return bombs.length > 0 ? `${count(bombs.length, "bomb")} refused: ${bombs[0].reason}` : "";
}

function robbed(store: Store, player: number, turn: number): string {
  const before = store.frame(turn - 1);
  const after = store.frame(turn);
  if (turn === 0 || !before || !after) return "";
  const lost = new Map<number, number>();
  before.colors.forEach((color, cell) => {
    const now = after.colors[cell];
    if (color === player + 1 && now !== color && now > 0) lost.set(now, (lost.get(now) ?? 0) + 1);
  });
  const [thief, cells] = [...lost].sort((a, b) => b[1] - a[1])[0] ?? [0, 0];
  return cells >= LOST_CELLS ? `lost ${cells} cells to ${store.seats[thief - 1]?.nickname}` : "";
}

function idle(store: Store, player: number, turn: number): string {
  const turns = store.chronicle.idle[turn];
  const frame = store.frame(turn);
  if (!turns || !frame) return "";
  const idlers = frame.characters.filter((c) => c.color === player + 1 && turns[c.id] >= IDLE_TURNS);
  if (idlers.length === 0) return "";
  const since = Math.min(...idlers.map((c) => turns[c.id]));
  return `${count(idlers.length, "character")} idle for ${since} turns`;
}

function reduced(store: Store, player: number, turn: number): string {
  const alive = store.chronicle.alive[player][turn];
  const of = store.chronicle.characters[player];
  return alive < of ? (alive === 0 ? `all ${of} are down` : `${alive} left of ${of}`) : "";
}

function growing(store: Store, player: number, turn: number): string {
  if (turn < GROWTH_TURNS) return "";
  const growth = store.chronicle.cells.map((line) => line[turn] - line[turn - GROWTH_TURNS]);
  return growth[player] > 0 && growth.every((g, p) => p === player || g < growth[player]) ? "growing fastest" : "";
}

/** What a character did in a turn, as its bot asked for it, and whether that was refused. */
export function lastAction(store: Store, character: number, turn: number) {
  for (let k = turn; k > Math.max(0, turn - 50); k--) {
    const event = store.event(k);
    for (const [a, answer] of (event?.answers ?? []).entries()) {
      for (const [i, action] of actionsOf(answer).entries()) {
        if (action.id !== character) continue;
        const refusal = event?.refused?.find((r) => r.answer === a && r.action === i);
        return { turn: k, action, refusal: refusal?.reason };
      }
    }
  }
  return undefined;
}
