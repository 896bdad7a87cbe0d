// What the page asks of a game: a board to draw it on, and what is told of it.
// Everything above knows matches, turns and events, and no rules.

import type { ComponentType } from "preact";
import type { GameEvent } from "./chronicle.ts";
import type { EndEvent, LobbyEvent, TurnEvent } from "./feed.ts";
import type { Pointing } from "./overlay.ts";
import type { Session, Tab } from "./session.ts";
import type { Marks } from "./sprites.ts";
import type { Theme } from "./theme.ts";

/** Where the board lies on the screen, in CSS pixels. A cell is a number, -1 is none. */
export interface Sight {
  readonly width: number;
  readonly height: number;
  readonly leftInset: number;
  readonly radius: number;
  /** The viewer has zoomed or dragged: part of the board may be out of sight. */
  readonly moved: boolean;
  fit(): void;
  zoomAt(x: number, y: number, factor: number): void;
  pan(dx: number, dy: number): void;
  x(cell: number): number;
  y(cell: number): number;
  cellAt(x: number, y: number): number;
}

/** A board on the stage. */
export interface Drawing {
  readonly element: HTMLElement;
  readonly view: Sight;
  theme: Theme;
  marks: Marks;
  coordinates: boolean;
  strong: boolean;
  resize(width: number, height: number, leftInset: number, padding?: number): void;
  /** The view has changed. */
  moved(): void;
  /** What it draws with has changed. */
  restyle(): void;
  draw(now: number): boolean;
  /** Ends the motion under way. */
  settle(): void;
  point(pointing: Pointing): void;
  /** Another game is on the stage, or this one. */
  hide(hidden: boolean): void;
}

/** What a match of a game was, filled event by event. */
export interface Story {
  readonly events: readonly GameEvent[];
  /** Takes in a turn; lapses are what is told of the players' answers. */
  add(event: TurnEvent, lapses: readonly GameEvent[]): void;
  close(event: EndEvent): void;
}

/** What is told of a cell. */
export interface Facts {
  title: string;
  /** The slot whose shape stands before the title; null for nobody's. */
  slot: number | null;
  pairs: [string, string][];
}

export type Part = ComponentType<{ session: Session }>;

export interface Track {
  top: number;
  height: number;
  width: number;
}

export interface GameView {
  readonly board: Drawing;
  /** What a turn is called, "turn" or "move". */
  readonly unit: string;
  /** What stands beside the board. */
  readonly parts: {
    Title: Part;
    Chips: Part;
    Rail: Part;
    Panel: Part;
    /** The panel of a projector. */
    Far: Part;
    Rules: Part;
    /** For those who do not see the board. */
    Table: Part;
    /** Lies on the stage. */
    Above: Part;
  };
  /** The tabs of its own that it fills now. */
  readonly tabs: readonly Tab[];
  /** A match begins. */
  open(): void;
  /** A lobby is shown. */
  gather(lobby: LobbyEvent): Promise<void>;
  /** Shows a turn: played from the one before it in that many milliseconds, or settled at once. */
  show(turn: number, interval: number | null): void;
  /** What the bots show on the board, by name; empty: nothing. */
  readonly overlayName: string;
  /** Shows what a bot thinks on the board, or no more. */
  mark(shown: boolean): void;
  /** The first turn in which anything could happen. */
  readonly first: number;
  /** How many turns the timeline has. */
  readonly total: number;
  /** How people count a turn. */
  count(turn: number): number;
  /** The cell where a cursor begins. */
  readonly center: number;
  neighbour(cell: number, direction: number): number;
  inspect(cell: number): Facts[];
  /** The cells that a tooltip should not hide. */
  around(cell: number): readonly number[];
  /** Whoever plays chooses a cell; false: nobody does. */
  press(cell: number): boolean;
  /** Whoever plays here is to choose cells. */
  readonly playing: boolean;
  /** Whether a key meant something to whoever plays. */
  key(key: string): boolean;
  /** Another cell is pointed at. */
  pointed(): void;
  boardName(): string;
  drawTrack(c: CanvasRenderingContext2D, x: (turn: number) => number, track: Track): void;
}
