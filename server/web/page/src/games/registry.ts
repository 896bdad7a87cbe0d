// The games that the page can show: one line for each. The first is on the stage
// until a match begins; the last recognizes any match.

import type { Game } from "../core/game.ts";
import { hexabomb } from "./hexabomb/game.ts";
import { hextictactoe } from "./hextictactoe/game.ts";
import { unknown } from "./unknown/game.ts";

export const GAMES: readonly Game[] = [hexabomb, hextictactoe, unknown];
