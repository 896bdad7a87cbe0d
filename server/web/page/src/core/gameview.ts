// What the page asks of a game that it shows: a board, the parts around the
// board, and texts. The code outside of games/ knows matches, turns and events,
// but no rules.

import type { ComponentType } from "preact";
import type { Tab } from "./address.ts";
import type { Board, Track } from "./board.ts";
import type { Action, LobbyEvent } from "./feed.ts";

/** What the tooltip says about a cell or about something on it. */
export interface Facts {
  title: string;
  /** The slot whose shape stands before the title; null: no player's. */
  slot: number | null;
  pairs: [string, string][];
}

/** A component that a game fills; it is bound to its session. */
export type Part = ComponentType;

export interface GameView {
  /** The name of the game, as rules and lobbies give it. */
  readonly name: string;
  readonly board: Board;
  /** False if the page cannot draw the board of this game. */
  readonly drawn: boolean;
  /** What a turn is called: "turn" or "move". */
  readonly unit: string;
  /** The starter that the server hands out is a bot of this game. */
  readonly hasStarter: boolean;
  /** A sentence about the start that the lobby shows; may be empty. */
  readonly lobbyNote: string;
  readonly parts: {
    /** In the top bar: what is played. */
    Title: Part;
    /** The players on a phone. */
    Chips: Part;
    /** Beside the board. */
    Rail: Part;
    Panel: Part;
    /** The panel on a projector. */
    ProjectorPanel: Part;
    Rules: Part;
    /** A table for screen readers. */
    Table: Part;
    /** Lies on the stage. */
    Above?: Part;
    /** A card about the player in session.about. */
    PlayerCard?: Part;
    /** Offers to play in this page, whatever game is on the stage. */
    PlayHere?: Part;
  };
  /** Tabs of its own that it can fill now. */
  readonly tabs: readonly Tab[];
  /** Handles the end of the page's address when the page is loaded. */
  restore?(hash: string): void;
  /** A match begins. */
  open(): void;
  /** Shows a lobby. */
  gather(lobby: LobbyEvent): Promise<void>;
  /** Shows a turn: animated from the one before it within interval milliseconds, or settled at once if interval is null. */
  show(turn: number, interval: number | null): void;
  /** The name of what bots show on the board; empty: they show nothing. */
  readonly overlayName: string;
  /** Shows or hides what a bot marks on the board. */
  mark(shown: boolean): void;
  /** The first turn in which a player could act. */
  readonly first: number;
  /** The number of turns on the timeline. */
  readonly total: number;
  /** Returns the number of a turn as people count. */
  count(turn: number): number;
  /** The cell where the keyboard's cursor starts. */
  readonly center: number;
  neighbour(cell: number, direction: number): number;
  inspect(cell: number): Facts[];
  /** Returns the cells that the tooltip of a cell should not cover. */
  around(cell: number): readonly number[];
  /** Handles a click on a cell; reports whether it was a move of a player in this page. */
  press(cell: number): boolean;
  /** A player in this page is to choose cells now. */
  readonly playing: boolean;
  /** Handles a key; reports whether it was meant for a player in this page. */
  key(key: string): boolean;
  /** The viewer points at another cell. */
  pointed(): void;
  /** Returns the accessible name of the board. */
  boardName(): string;
  /** Describes an action that a bot sent. */
  describeAction(action: Action): string;
  drawTrack(c: CanvasRenderingContext2D, x: (turn: number) => number, track: Track): void;
}
