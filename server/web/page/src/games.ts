// The games that the page can show, by their names.

import type { GameView } from "./game.ts";
import { HexabombView } from "./hexabomb.tsx";
import { HextictactoeView } from "./hextictactoe/game.tsx";
import type { Session } from "./session.ts";
import type { GameName } from "./stories.ts";
import { UnknownView } from "./unknown/game.tsx";

export type Games = Record<GameName, GameView> & { hextictactoe: HextictactoeView };

export function makeGames(session: Session, element: HTMLElement): Games {
  return {
    hexabomb: new HexabombView(session, element),
    hextictactoe: new HextictactoeView(session, element),
    unknown: new UnknownView(session, element),
  };
}
