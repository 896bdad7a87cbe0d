// The games that the page knows: which match is of which, what tells its story and
// which curves it has. A match of any other game is shown as far as every game goes.

import { isBoard } from "./frame.ts";
import type { StartEvent } from "./feed.ts";
import type { Story } from "./game.ts";
import { GameStory } from "./hextictactoe/story.ts";
import type { Measure } from "./session.ts";
import { UnknownStory } from "./unknown/story.ts";

export type GameName = "hexabomb" | "hextictactoe" | "unknown";

interface Model {
  readonly name: GameName;
  /** Whether rules such as "hexabomb/1", or a match with this first state, are of the game. */
  matches(game: string, state: unknown): boolean;
  /** The story of a match, null if frames and the chronicle tell it. */
  story(start: StartEvent): Story | null;
  /** The curves over the turns that there are, the first of which is shown first. */
  measures(start: StartEvent): readonly Measure[];
}

const UNKNOWN: Model = {
  name: "unknown",
  matches: () => true,
  story: (start) => new UnknownStory(start),
  measures: () => ["thinking"],
};

const MODELS: readonly Model[] = [
  {
    name: "hextictactoe",
    matches: (game) => game === "hextictactoe",
    story: (start) => new GameStory(start),
    measures: () => [],
  },
  {
    name: "hexabomb",
    // A game logic that connects may well play hexabomb: the program of that name does.
    matches: (game, state) => game === "hexabomb" || isBoard(state),
    story: () => null,
    measures: ({ specials }) => (specials > 0 ? ["alive", "cells", "thinking"] : ["score", "cells", "thinking"]),
  },
];

function modelOf(rules: string, state: unknown): Model {
  const game = rules.split("/")[0];
  return MODELS.find((m) => m.matches(game, state)) ?? UNKNOWN;
}

/** The game that rules such as "hextictactoe/1" belong to, or a match that begins with a state. */
export function gameOf(rules: string, state?: unknown): GameName {
  return modelOf(rules, state).name;
}

/** The story of a match, null if frames and the chronicle tell it. */
export function storyFor(start: StartEvent): Story | null {
  return modelOf(start.rules, start.state).story(start);
}

/** The curves of a match. */
export function measuresOf(start: StartEvent): readonly Measure[] {
  return modelOf(start.rules, start.state).measures(start);
}
