// Which game a match is of, and who tells its story.

import type { StartEvent } from "./feed.ts";
import type { Story } from "./game.ts";
import { GameStory } from "./hextictactoe/story.ts";

export type GameName = "hexabomb" | "hextictactoe";

/** The game that rules such as "hextictactoe/1" belong to. */
export function gameOf(rules: string): GameName {
  return rules.split("/")[0] === "hextictactoe" ? "hextictactoe" : "hexabomb";
}

/** The story of a match, null if frames and the chronicle tell it. */
export function storyFor(start: StartEvent): Story | null {
  return gameOf(start.rules) === "hextictactoe" ? new GameStory(start) : null;
}
