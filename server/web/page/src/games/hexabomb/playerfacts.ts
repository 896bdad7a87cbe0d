// The facts about a player at a turn, for its card.

import { count, list, milliseconds, number, percent, signed } from "../../core/text.ts";
import type { Standing } from "./standing.ts";
import type { BombStory } from "./story.ts";
import { answeredTurn, turnNumber } from "../../core/turns.ts";

/** Returns the facts as pairs of a name and a text. */
export function playerFacts(story: BombStory, row: Standing, turn: number): [string, string][] {
  const seat = story.seats[row.player];
  const ranked = story.seats.filter((s) => !s.special).length;
  const pairs: [string, string][] = [];
  if (row.rank !== null) {
    pairs.push(["rank", `${row.rank} of ${ranked}`]);
    pairs.push([
      "score",
      story.suddenDeath
        ? number(row.score)
        : `${number(row.score)}, ${signed(row.change)} this turn`,
    ]);
  }
  pairs.push(
    [
      "cells",
      `${number(row.cells)}, ${percent(row.cells / Math.max(1, story.grid.size))} of the board`,
    ],
    ["alive", `${row.alive} of ${row.characters}`],
    [
      "bombs",
      seat.special || story.draft
        ? `${row.bombs} on the board`
        : `${row.bombs} on the board, ${inHand(story, row.player, turn)} in hand`,
    ],
    ["deaths", deaths(story, row.player, turn)],
    ["thinking", thinking(story, row.player, turn)],
    ["skipped", skipped(story, row.player, turn)],
    ["refused", refused(story, row.player, turn)],
    ["connection", row.gone ? goneSince(story, row.player, turn) : "connected"],
  );
  return pairs;
}

function goneSince({ answers }: BombStory, player: number, turn: number): string {
  const how = answers.ending(player, turn);
  return `gone since ${answeredTurn(answers.goneSince[player]!)}${how && `, ${how}`}`;
}

function inHand(story: BombStory, player: number, turn: number): number {
  const characters = story.frame(turn).characters;
  return characters.reduce(
    (sum, c) => sum + (c && c.alive && c.color === player + 1 ? (c.bomb_count ?? 0) : 0),
    0,
  );
}

function deaths(story: BombStory, player: number, turn: number): string {
  let all = 0;
  let own = 0;
  for (const [when, list] of story.chronicle.deaths) {
    if (when > turn) continue;
    for (const d of list) {
      if (d.player !== player) continue;
      all++;
      if (d.by.includes(player)) own++;
    }
  }
  return own > 0 ? `${all}, ${own === all ? "" : `${own} `}by its own bombs` : String(all);
}

function thinking(story: BombStory, player: number, turn: number): string {
  const mean = story.answers.mean(player, turn);
  const now = story.answers.thought(player, turn);
  return mean === null ? now : `${now}, ${milliseconds(mean)} on average`;
}

function skipped(story: BombStory, player: number, turn: number): string {
  const turns = story.answers.skipped[player].filter((t) => t <= turn);
  if (turns.length === 0) return "no turn";
  const last = turns.slice(-2).map((t) => turnNumber(t - 1));
  return `${count(turns.length, "turn")}, ${turns.length > 2 ? "the last ones" : "at"} ${list(last)}`;
}

function refused(story: BombStory, player: number, turn: number): string {
  const { refusals } = story.answers;
  const at = refusals[player].filter((r) => r.turn <= turn);
  const all = at.reduce((sum, r) => sum + r.actions, 0);
  return all === 0
    ? "no action"
    : `${count(all, "action")}, the last to ${answeredTurn(at.at(-1)!.turn)}`;
}
