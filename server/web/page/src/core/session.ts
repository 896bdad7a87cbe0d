// What the page's parts and the games see of the page's state. PageSession
// implements it.

import type { ComponentType } from "preact";
import type { Tab } from "./address.ts";
import type { Board } from "./board.ts";
import type { Embedded } from "./embedded.ts";
import type { Filter, GameEvent } from "./events.ts";
import type { GameView } from "./gameview.ts";
import type { Player } from "./player.ts";
import type { Server } from "./server.ts";
import type { Store } from "./store.ts";
import type { Theme } from "./theme.ts";
import type { Workshop } from "./workshop.ts";

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
  /** Why there is nothing to show; empty: there is no problem. */
  readonly problem: string;
  /** Returns the player's slot: its place in the list of colours and shapes. */
  slot(player: number): number;

  // The server.

  readonly server: Server;
  /** The feed has been connected at least once. */
  readonly reached: boolean;
  /** The connection to a match that is still being played is lost. */
  readonly cutOff: boolean;
  /** When the next attempt to connect is, as performance.now() tells it; null: connected. */
  readonly retryAt: number | null;
  retry(): void;
  /** Shows one live match from now on. */
  watch(match: string): void;
  /** Has the server do something that its operator may do. */
  order(what: "start" | "fill" | "again"): Promise<void>;

  // The stage.

  /** The views of all games, those that are not on the stage included. */
  readonly views: readonly GameView[];
  /** The game on the stage. */
  readonly game: GameView;
  readonly board: Board;
  /** Puts a game on the stage. */
  present(view: GameView): void;
  /** The room for the board has changed. */
  resize(...room: Parameters<Board["resize"]>): void;

  // What the viewer has chosen.

  readonly tab: Tab;
  readonly theme: Theme;
  readonly projector: boolean;
  readonly dialog: Dialog | null;
  /** The filter of the event list and the timeline. */
  filter: Filter;
  /** The name of the measure on the chart; empty: the first. */
  measure: string;
  /** The player that is followed, or -1. */
  readonly followed: number;
  /** The player whose bot the tab My bot is about, or -1. */
  readonly mine: number;
  /** What bots mark on the board is shown. */
  readonly overlaid: boolean;
  /** The cell under the pointer or the cursor, or -1. */
  readonly cell: number;
  /** The tooltip of the cell stays until it is closed. */
  readonly pinned: boolean;
  /** The cell was chosen with the keyboard's cursor. */
  readonly cursor: boolean;
  /** The player whose card is shown, and the element beside which it belongs. */
  readonly about: { player: number; beside: Element } | null;
  /** A short message; empty: there is none. */
  readonly notice: string;

  select(tab: Tab): void;
  goTo(turn: number): void;
  /** Goes to the next turn with an event that the filter lets through, or with -1 to the previous one. */
  jump(direction: 1 | -1): void;
  shownEvents(): GameEvent[];
  follow(player: number): void;
  point(cell: number, options?: { pinned?: boolean; cursor?: boolean }): void;
  /** Shows the card of a player after dwell milliseconds; null hides it. */
  showCard(about: Session["about"], dwell?: number): void;
  toggleTheme(): void;
  toggleCoordinates(): void;
  cycleMarks(): void;
  toggleProjector(): void;
  toggleOverlay(): void;
  openDialog(dialog: Dialog | null): void;
  fullScreen(): void;
  copyLink(): Promise<void>;
  /** Shows a short message, which screen readers speak. */
  say(text: string): void;

  // The bot that is written in this page.

  readonly workshop: Workshop;

  // Drawing.

  onChange(listener: () => void): void;
  /** The panels have to be drawn: within 100 ms, or at once if the viewer waits for it. */
  changed(now?: boolean): void;
}
