// The whole state of the page, as the code around the board sees it.

import type { Tab } from "./address.ts";
import type { Board } from "./board.ts";
import type { Game } from "./game.ts";
import type { GameView } from "./gameview.ts";
import type { Looks } from "./looks.ts";
import type { Dialog, Session } from "./session.ts";
import type { Workshop } from "./workshop.ts";

export interface Page extends Session {
  /** All games that the page knows. */
  readonly games: readonly Game[];
  /** Why there is nothing to show; empty: there is no problem. */
  readonly problem: string;
  /** A short message; may be empty. */
  readonly notice: string;
  /** The bot that is written in this page; null: the editor was not open yet. */
  workshop: Workshop | null;
  /** The id of the match in the page's address; empty: the page shows the current one. */
  readonly only: string;
  /** Returns how many players have joined the match on the stage that are not the server's. */
  guests(): number;
  /** Follows a player of a match, if that is on the stage, at its newest turn. Reports whether it is. */
  accompany(match: string, player: number): boolean;

  // The connection to the feed.

  /** The feed has been connected at least once. */
  readonly reached: boolean;
  /** The connection to a match that is still being played is lost. */
  readonly cutOff: boolean;
  /** When the next attempt to connect is, as performance.now() tells it; null: connected. */
  readonly retryAt: number | null;
  retry(): void;

  // The stage.

  /** The game on the stage. */
  readonly game: GameView;
  /** The room for the board has changed. */
  resize(...room: Parameters<Board["resize"]>): void;
  readonly projector: boolean;
  readonly looks: Looks;

  // What the viewer does.

  select(tab: Tab): void;
  readonly dialog: Dialog | null;
  point(cell: number, options?: { pinned?: boolean; cursor?: boolean }): void;
  /** The tooltip of the cell stays until it is closed. */
  readonly pinned: boolean;
  /** A link to the turn, with the player that is followed, by which other machines find it if that is known. */
  readonly link: URL;
  /** Makes the link the address of this page, without loading it. */
  takeAddress(): void;

  /** Calls listener when the panels have to be drawn. */
  onChange(listener: () => void): void;
}
