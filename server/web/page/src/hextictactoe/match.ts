// The match of hexagonal tic-tac-toe on the stage, as its panels see it.

import type { Games } from "../games.ts";
import type { Session } from "../session.ts";
import { list } from "../text.ts";
import { GameStory, SIDES, type Position } from "./story.ts";
import { sideName, verdict } from "./words.ts";

export function storyOf(session: Session): GameStory | null {
  return session.store.story instanceof GameStory ? session.store.story : null;
}

export function viewOf(session: Session): Games["hextictactoe"] {
  return session.games.hextictactoe;
}

export function nameOf(session: Session, player: number): string {
  const seat = viewOf(session).seat;
  if (seat && seat.player === player && seat.game === session.store.start?.id) return "you";
  return session.store.seats[player]?.nickname ?? "nobody";
}

/** How a game stands, in words. */
export function stateText(session: Session, p: Position): string {
  const name = (player: number) => `${nameOf(session, player)} (${sideName(SIDES[player])})`;
  switch (p.status) {
    case "in_progress":
      return list([`${name(SIDES.indexOf(p.toMove))} to move`, ...(p.evaluation ? [`evaluation ${verdict(p.evaluation)}`] : [])]);
    case "draw":
      return p.reason;
    default:
      return `${name(p.status === "x_wins" ? 0 : 1)} has won, ${p.reason}`;
  }
}
