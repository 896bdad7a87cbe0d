// Numbers of turns. The page counts steps, from the initial board. People read the numbers of TURN
// messages, which bots get: step 1 is played before TURN 0 is sent.

import { number } from "./text.ts";

/** Returns the number of the TURN that shows the board after a step; -1 for the initial board. */
export function shownIn(step: number): number {
  return step - 1;
}

/** Returns the step after which a TURN shows the board. */
export function stepOf(turn: number): number {
  return turn + 1;
}

/** Returns the number of the board after a step: "41", or "start" for the initial one. */
export function turnNumber(step: number): string {
  return step <= 0 ? "start" : number(shownIn(step));
}

/** Returns the name of the board after a step: "turn 41", or "the start". */
export function turnName(step: number): string {
  return step <= 0 ? "the start" : `turn ${turnNumber(step)}`;
}

/** Returns the name of the turn whose answers a step played. */
export function answeredTurn(step: number): string {
  return turnName(step - 1);
}

/** Returns the number of turns, or of moves, on the timeline of a game. */
export function totalOf(game: {
  unit: string;
  total: number;
  count(step: number): string;
}): string {
  return game.unit === "move" ? game.count(game.total) : number(game.total);
}
