// The view as its parts see it: the player in this page, the analysis, and texts that
// depend on them.

import type { Action } from "../../core/feed.ts";
import type { GameView } from "../../core/gameview.ts";
import type { Session } from "../../core/session.ts";
import { list } from "../../core/text.ts";
import type { Analysis } from "./analysis.ts";
import type { EndlessBoard } from "./board.ts";
import type { Seat, Ticket } from "./seat.ts";
import type { Trial } from "./trial.ts";
import { isCell, type Position, SIDES } from "./story.ts";
import { place, reasonText, sideName, verdict } from "./words.ts";

export const NAME = "hextictactoe";

/** What the parts of this game use of its view. */
export interface PlayView extends GameView {
  readonly board: EndlessBoard;
  /** The seat of the player in this page. */
  readonly seat: Seat | null;
  /** The analysis of the recording; null: there is no server to ask, or the game is live. */
  readonly analysis: Analysis | null;
  /** The same while the viewer looks at it. */
  readonly analysed: Analysis | null;
  /** The position in which the viewer tries moves; null: none. */
  readonly trial: Trial | null;
  /** Shows such a position, also when it has changed; null ends trying. */
  explore(trial: Trial | null): void;
  /** Takes a seat in a game that is about to begin. */
  sit(ticket: Ticket): void;
}

function isPlayView(view: GameView): view is PlayView {
  return view.name === NAME;
}

/** Returns the view of this game. */
export function viewOf(session: Session): PlayView {
  return session.views.find(isPlayView)!;
}

/**
 * Reports whether the player in this page is in the game on the stage, and the game goes on.
 * What the other side considers is not shown then.
 */
export function playsHere(session: Session): boolean {
  const { seat } = viewOf(session);
  return (
    seat !== null &&
    !seat.refused &&
    seat.game === session.store.start?.id &&
    session.store.end === null
  );
}

/** Returns the name of a player; "you" for the one in this page. */
export function nameOf(session: Session, player: number): string {
  const { seat } = viewOf(session);
  if (seat && !seat.refused && seat.player === player && seat.game === session.store.start?.id)
    return "you";
  return session.store.seats[player]?.nickname ?? "unknown";
}

/** Returns the state of a game in words. */
export function stateText(session: Session, p: Position): string {
  const name = (player: number) => `${nameOf(session, player)} (${sideName(SIDES[player])})`;
  switch (p.status) {
    case "in_progress":
      return list([
        `${name(SIDES.indexOf(p.toMove))} to move`,
        ...(p.evaluation && !playsHere(session) ? [`evaluation ${verdict(p.evaluation)}`] : []),
      ]);
    case "draw":
      return p.reason;
    default:
      return `${name(p.status === "x_wins" ? 0 : 1)} has won, ${reasonText(p.reason.replace(/^win: /, ""))}`;
  }
}

/** Returns a move as a bot sent it: the places of its pieces. */
export function describeMove({ pieces }: Action): string {
  const cells = Array.isArray(pieces) ? pieces.filter(isCell) : [];
  return cells.length > 0 ? cells.map(place).join("  ") : "unknown action";
}
