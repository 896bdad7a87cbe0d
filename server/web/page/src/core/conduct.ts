// How a player has answered lately, whatever the game.

import type { AnswerLog } from "./answers.ts";

/** What the badges of a player show. */
export interface Conduct {
  player: number;
  /** The player has left the match. */
  gone: boolean;
  /** How many of the last turns the player skipped. */
  skipped: number;
  slow: boolean;
  /** The thinking time of the turn, in words. */
  thinking: string;
}

/** A player is slow if its answers to the last SLOW_TURNS turns took more than this share of the time limit. */
const SLOW_SHARE = 0.5;
const SLOW_TURNS = 10;
/** The number of turns in which skipped turns are counted. */
const RECENT_TURNS = 10;

/** Returns how a player had answered up to a turn. */
export function conductOf(answers: AnswerLog, player: number, turn: number): Conduct {
  const gone = answers.goneSince[player];
  return {
    player,
    gone: gone !== undefined && gone <= turn,
    skipped: answers.skipped[player].filter((t) => t <= turn && t > turn - RECENT_TURNS).length,
    slow: answers.slow(player, turn, SLOW_TURNS, SLOW_SHARE),
    thinking: answers.thought(player, turn),
  };
}
