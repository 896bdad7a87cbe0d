// One line about why a player stands where it does: the first reason that holds.

import type { Refusal, TurnEvent } from "../../core/feed.ts";
import { refusedAction } from "../../core/refusal.ts";
import { count, list } from "../../core/text.ts";
import { type Action, actionsOf, DIRECTION_NAMES, REFUSALS } from "./actions.ts";
import type { BombStory } from "./story.ts";
import { turnName } from "../../core/turns.ts";

/** The most characters of a reason that a row of the ranking has room for; the player's card has all. */
export const LONGEST_WHY = 46;
/** The least numbers of idle turns and of lost cells that are worth a line. */
const IDLE_TURNS = 5;
const LOST_CELLS = 3;
/** The number of turns over which growth is measured. */
const GROWTH_TURNS = 10;
/** The number of turns that lastAction looks back. */
const LOOK_BACK = 50;

/** Returns the reason in words; may be empty. */
export function why(story: BombStory, player: number, turn: number): string {
  for (const reason of [absent, out, caught, blocked, refused, robbed, idle, reduced, growing]) {
    const text = reason(story, player, turn);
    if (text) return text;
  }
  return "";
}

function absent(story: BombStory, player: number, turn: number): string {
  const { goneSince, skipped } = story.answers;
  const gone = goneSince[player];
  if (gone !== undefined && gone <= turn)
    return `${story.answers.ending(player, turn) || "connection closed"}; its cells stay`;
  return skipped[player]?.includes(turn) ? "no answer in time this turn" : "";
}

function out(story: BombStory, player: number, turn: number): string {
  if (!story.suddenDeath || story.chronicle.alive[player][turn] > 0) return "";
  let since = turn;
  while (since > 0 && story.chronicle.alive[player][since - 1] === 0) since--;
  return `out since ${turnName(since)}`;
}

function caught(story: BombStory, player: number, turn: number): string {
  const deaths = story.chronicle.deaths.get(turn)?.filter((d) => d.player === player) ?? [];
  const own = deaths.filter((d) => d.by.includes(player)).length;
  const of = story.chronicle.characters[player];
  if (own > 0) return `${own === of ? `all ${of}` : `${own} of ${of}`} caught by its own bombs`;
  if (deaths.length === 0) return "";
  const by = [...new Set(deaths.flatMap((d) => d.by))].map((p) => story.seats[p]?.nickname ?? "");
  return `${deaths.length} of ${of} caught by ${list(by)}`;
}

function refusalsOf(event: TurnEvent | undefined, player: number): Refusal[] {
  return event?.refused?.filter((r) => r.player === player) ?? [];
}

function blocked(story: BombStory, player: number, turn: number): string {
  const event = story.event(turn);
  const frame = story.frame(turn);
  if (!event || !frame) return "";
  const moves = refusalsOf(event, player).filter((r) => {
    const action: Action | undefined = refusedAction(event, r);
    const who = frame.characters[action?.id ?? -1];
    const step = DIRECTION_NAMES[action?.direction ?? ""];
    if (r.reason !== "blocked" || action?.movement !== "move" || !who || !step) return false;
    return frame.bombs.some(
      (b) => b.color === player + 1 && b.q === who.q + step.q && b.r === who.r + step.r,
    );
  }).length;
  return moves > 0 ? `${count(moves, "move")} blocked by its own bomb` : "";
}

function refused(story: BombStory, player: number, turn: number): string {
  const event = story.event(turn);
  if (!event) return "";
  const bombs = refusalsOf(event, player).filter(
    (r) => refusedAction(event, r)?.movement === "bomb",
  );
  return bombs.length > 0
    ? `${count(bombs.length, "bomb")} refused: ${REFUSALS.explain(bombs[0].reason, refusedAction(event, bombs[0]))}`
    : "";
}

function robbed(story: BombStory, player: number, turn: number): string {
  const before = story.frame(turn - 1);
  const after = story.frame(turn);
  if (turn === 0 || !before || !after) return "";
  const lost = new Map<number, number>();
  before.colors.forEach((color, cell) => {
    const now = after.colors[cell];
    if (color === player + 1 && now !== color && now > 0) lost.set(now, (lost.get(now) ?? 0) + 1);
  });
  const [thief, cells] = [...lost].sort((a, b) => b[1] - a[1])[0] ?? [0, 0];
  return cells >= LOST_CELLS ? `lost ${cells} cells to ${story.seats[thief - 1]?.nickname}` : "";
}

function idle(story: BombStory, player: number, turn: number): string {
  const turns = story.chronicle.idle[turn];
  const frame = story.frame(turn);
  if (!turns || !frame) return "";
  const idlers = frame.characters.filter(
    (c) => c.color === player + 1 && turns[c.id] >= IDLE_TURNS,
  );
  if (idlers.length === 0) return "";
  const since = Math.min(...idlers.map((c) => turns[c.id]));
  return `${count(idlers.length, "character")} idle for ${since} turns`;
}

function reduced(story: BombStory, player: number, turn: number): string {
  const alive = story.chronicle.alive[player][turn];
  const of = story.chronicle.characters[player];
  return alive < of ? (alive === 0 ? `all ${of} are down` : `${alive} left of ${of}`) : "";
}

function growing(story: BombStory, player: number, turn: number): string {
  if (turn < GROWTH_TURNS || story.seats.length < 2) return "";
  const growth = story.chronicle.cells.map((line) => line[turn] - line[turn - GROWTH_TURNS]);
  return growth[player] > 0 && growth.every((g, p) => p === player || g < growth[player])
    ? "growing fastest"
    : "";
}

/** Returns the last action that a bot sent for a character up to a turn, and the reason if it was refused. */
export function lastAction(story: BombStory, character: number, turn: number) {
  for (let k = turn; k > Math.max(0, turn - LOOK_BACK); k--) {
    const event = story.event(k);
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
