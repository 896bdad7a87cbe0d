// hexabomb, for the list of games.

import type { Game } from "../../core/game.ts";
import { isState } from "./state.ts";
import { BombStory } from "./story.ts";
import { BombView, NAME } from "./view.tsx";

export const hexabomb: Game = {
  name: NAME,
  // A game logic of any name may play hexabomb, and the program of that name does.
  recognizes: isState,
  story: (start, answers) => new BombStory(start, answers),
  view: (session, element) => new BombView(session, element),
};
