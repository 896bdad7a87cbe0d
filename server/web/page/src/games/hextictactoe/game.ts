// Hexagonal tic-tac-toe, for the list of games.

import type { Game } from "../../core/game.ts";
import { NAME } from "./play.ts";
import { GameStory } from "./story.ts";
import { TicTacToeView } from "./view.tsx";

export const hextictactoe: Game = {
  name: NAME,
  recognizes: () => false,
  story: (start) => new GameStory(start),
  view: (session, element) => new TicTacToeView(session, element),
};
