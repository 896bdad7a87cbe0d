// What the page asks of a game that it shows: a board, the parts around the
// board, and texts. The code outside of games/ knows matches, turns and events,
// but no rules.

import type { ComponentType } from "preact";
import type { Tab } from "./address.ts";
import type { Board, Track } from "./board.ts";
import type { Action, LobbyEvent } from "./feed.ts";
import type { Starter } from "./starter.ts";
import type { Store } from "./store.ts";
import type { Theme } from "./theme.ts";

/** What the tooltip says about a cell or about something on it. */
export interface Facts {
  title: string;
  /** The slot whose shape stands before the title; null: no player's. */
  slot: number | null;
  pairs: [string, string][];
}

/** A position that a board beside the stage shows. */
export interface Shown {
  session: { store: Store; board: Board; theme: Theme; slot(player: number): number };
  turn: number;
}

/** What a piece could do in a turn instead. */
export interface Choice {
  player: number;
  /** The piece: "#3 of painter". */
  piece: string;
  /** What it did, in words: "move x+". */
  did: string;
  others: {
    name: string;
    /** The whole answer of the player with it; its other pieces do what they did. */
    actions: Action[];
  }[];
}

/** Draws on a shown board how it differs from another position. Returns the numbers of cells by player; empty: not known. */
export type DrawChanges = (
  c: CanvasRenderingContext2D,
  shown: Shown,
  other: Shown,
) => { won: number; lost: number }[];

/** A component that a game fills; it is bound to its session. */
export type Part<P = object> = ComponentType<P>;

/** A small board of a turn, in CSS pixels, with what a player lost and won in it. */
export interface SmallProps {
  turn: number;
  /** -1, the default: no player. */
  player?: number;
  width: number;
  height: number;
}

/** What a game lacks it leaves out. */
export interface GameView {
  /** The name of the game, as rules and lobbies give it. */
  readonly name: string;
  /** The name as people write it, if that differs. */
  readonly title?: string;
  /** The outlines of the players' symbols by slot, within ±0.5, if they are not the shapes of the slots. */
  readonly symbols?: readonly string[];
  readonly board: Board;
  /** What a turn is called: "turn" or "move". */
  readonly unit: string;
  readonly parts: {
    /** In the top bar: what is played. */
    Title: Part;
    /** The players on a phone. */
    Chips: Part;
    /** Beside the board. */
    Rail?: Part;
    Panel: Part;
    /** The report on the match, beside the board. */
    Report: Part;
    /** The panel on a projector. */
    ProjectorPanel: Part;
    Rules: Part;
    /** A table for screen readers. */
    Table: Part;
    /** Lies on the stage. */
    Above?: Part;
    /** A card about the player in session.about. */
    PlayerCard?: Part;
    Small?: Part<SmallProps>;
    /** What the signs on its board mean, for the help. */
    Signs?: Part;
    /** Offers to play in this page, whatever game is on the stage. */
    PlayHere?: Part;
  };
  /** What a bot of this game begins as, in the page's editor and from the server. */
  readonly starter?: Starter;
  /** A sentence about the start for the lobby. */
  readonly lobbyNote?: string;
  /** Tabs of its own that it can fill now. */
  readonly tabs?: readonly Tab[];

  /** Handles the fragment of the address when the page is loaded. */
  restore?(hash: string): void;
  /** A match begins. */
  open?(): void;
  /** Shows a lobby. */
  showLobby?(lobby: LobbyEvent): Promise<void>;
  /**
   * Shows a turn: animated from the one before it within interval milliseconds, or
   * settled at once if interval is null. Left out if the page cannot draw the game.
   */
  show?(turn: number, interval: number | null): void;
  /** The name of what bots show on the board; empty: they show nothing. */
  readonly overlayName?: string;
  /** Shows or hides what a bot marks on the board. */
  mark?(shown: boolean): void;

  /** Loads what draws the differences of two positions. */
  changes?(): Promise<DrawChanges>;

  /** Loads what each piece could have done in the turn after one. */
  choices?(turn: number): Promise<Choice[]>;

  /** The first turn in which a player could act; 0 by default. */
  readonly first?: number;
  /** The number of turns on the timeline. */
  readonly total: number;
  /** Returns the number of the board after a step as people count: "start" before TURN 0. */
  count(step: number): string;
  /** Draws the band of the timeline. */
  drawTrack(c: CanvasRenderingContext2D, x: (turn: number) => number, track: Track): void;

  /** The cell where the keyboard's cursor starts, or -1. */
  readonly center?: number;
  neighbour?(cell: number, direction: number): number;
  inspect?(cell: number): Facts[];
  /** Returns the cells that the tooltip of a cell should not cover; by default the cell. */
  around?(cell: number): readonly number[];
  /** Takes a seat of a match that gathers, for the viewer. The token may be empty. */
  join?(match: string, token: string): void;
  /** The id of the match in which the viewer has, or has asked for, a seat that is not given up; empty: none. */
  readonly joined?: string;
  /** The viewer follows another player, or none. */
  followed?(): void;
  /** The pieces of the followed player that the board can keep in its middle, by the numbers that they have. */
  readonly centrable?: readonly number[];
  /** The piece that the board keeps in its middle, or -1. */
  readonly centred?: number;
  /** Keeps a piece in the middle from now on; -1: none. */
  centre?(piece: number): void;
  /** The viewer points at another cell. */
  pointed?(): void;
  /** A player in this page is to choose cells now. */
  readonly playing?: boolean;
  /** Handles a click on a cell; reports whether it was a move of a player in this page. */
  press?(cell: number): boolean;
  /** Handles a key; reports whether it was meant for a player in this page. */
  key?(key: string): boolean;

  /** Returns how a player stands at the current turn; rank is null for players without one. */
  standing?(player: number): { rank: number | null; score: number } | undefined;
  /** Returns who leads or has won at the current turn, for the page's title: "painter leads". */
  headline(): string;
  /** Returns the accessible name of the board. */
  boardName(): string;
  /** Describes an action that a bot sent. */
  describeAction(action: Action): string;
}
