// What games and the parts that they use see of the page's state. Page has the rest,
// and PageSession implements both.

import type { ComponentType } from "preact";
import type { Tab } from "./address.ts";
import type { Board } from "./board.ts";
import type { Embedded } from "./embedded.ts";
import type { Filter, GameEvent } from "./events.ts";
import type { GameView } from "./gameview.ts";
import type { MarkLayers } from "./marklayers.ts";
import type { Player } from "./player.ts";
import type { Server } from "./server.ts";
import type { Store } from "./store.ts";
import type { Theme } from "./theme.ts";

/** A dialog in front of the page. */
export type Dialog = ComponentType<{ session: Session }>;

export interface Session {
  // The match.

  readonly store: Store;
  readonly player: Player;
  /** The name of the recording that is shown; null: a live match. */
  readonly recording: string | null;
  /** The recording inside this page, which then has no server. */
  readonly embedded: Embedded | null;
  /** Returns the player's slot: its place in the list of colours and shapes. */
  slot(player: number): number;
  goTo(turn: number): void;

  // The server.

  readonly server: Server;
  /** Shows one live match from now on. */
  watch(match: string): void;
  /** Has the server do something that its operator may do. */
  order(what: "start" | "fill" | "again"): Promise<void>;

  // The stage.

  /** The views of all games, those that are not on the stage included. */
  readonly views: readonly GameView[];
  readonly board: Board;
  /** Puts a game on the stage. */
  present(view: GameView): void;

  // What the viewer has chosen.

  readonly tab: Tab;
  readonly theme: Theme;
  /** The filter of the event list and the timeline. */
  filter: Filter;
  /** Returns the events that the filter lets through, of the followed player only. */
  shownEvents(): GameEvent[];
  /** The name of the measure on the chart; empty: the first. */
  measure: string;
  /** The player that is followed, or -1. */
  readonly followed: number;
  follow(player: number): void;
  /** The player whose bot the tab My bot is about, or -1. */
  readonly mine: number;
  /** What bots mark on the board is shown. */
  readonly overlaid: boolean;
  toggleOverlay(): void;
  /** Which marks of bots are shown while they are overlaid. */
  readonly layers: MarkLayers;
  /** The cell under the pointer or the cursor, or -1. */
  readonly cell: number;
  /** The cell was chosen with the keyboard's cursor. */
  readonly cursor: boolean;
  /** The player whose card is shown, the element beside which it belongs, and whether a tap opened it as a sheet. */
  readonly about: { player: number; beside: Element; tapped?: boolean } | null;
  /** Shows the card of a player after dwell milliseconds; null hides it. */
  showCard(about: Session["about"], dwell?: number): void;
  openDialog(dialog: Dialog | null): void;
  /** Shows a short message, which screen readers speak. */
  say(text: string): void;

  /** The panels have to be drawn: within 100 ms, or at once if the viewer waits for it. */
  changed(now?: boolean): void;
}
