// What the board shows of a state, by the view that the game logic sent: where cells, pieces and
// their colours are (docs/add-a-game.md). Files may hold anything, so that nothing is trusted.

import type { StartEvent } from "../../core/feed.ts";
import type { Coord } from "../../core/plane.ts";
import { clip } from "../../core/text.ts";
import { isObject, type Json, type State } from "./state.ts";

/** The fields that a cell or a piece is drawn by. */
interface Marks {
  q: string;
  r: string;
  color: string;
  label: string;
}

interface Pieces extends Marks {
  list: string;
  shownIf: string;
}

export interface View extends Marks {
  cells: string;
  pieces: Pieces[];
  flat: boolean;
}

/** A cell or a piece. Its colour is that of a player, or one as in CSS, or it has none. */
export interface Item extends Coord {
  player: number;
  css: string;
  label: string;
  /** The object in the state. */
  source: State;
}

export interface Scene {
  cells: Item[];
  pieces: Item[];
}

/** Boards of more cells are shown as a tree of values, since their pictures would take seconds. */
const MOST_CELLS = 100_000;
/** Grids number cells by their coordinates, which must not be larger. */
const FARTHEST = 0xffff;
const LONGEST_LABEL = 4;
const CSS_COLOR = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i;

/** Returns the view of a match: the one that its game logic sent, or else a guess; null if there is nothing to draw. */
export function viewOf(start: StartEvent): View | null {
  const view = start.logic?.view as Json | undefined;
  if (!isObject(view) || typeof view.cells !== "string") return guessed(start.state);
  const pieces = Array.isArray(view.pieces) ? view.pieces.filter(isObject) : [];
  return {
    ...marksOf(view),
    cells: view.cells,
    pieces: pieces.map((p) => ({
      ...marksOf(p),
      list: textOr(p.list, ""),
      shownIf: textOr(p.shown_if, ""),
    })),
    flat: view.layout === "flat",
  };
}

/** The names that games give to the player that a cell or a piece belongs to. */
const OWNERS = ["player", "player_id", "owner", "color", "team"];
/** Boards of fewer cells may be anything. */
const LEAST_CELLS = 7;

/** Guesses how a state is drawn: its longest list of objects with a q and an r, each place once, is the board, and other such lists are pieces. */
function guessed(state: unknown): View | null {
  if (!isObject(state)) return null;
  const lists = listsIn(state, "", 0).sort((a, b) => b.members.length - a.members.length);
  const board = lists.find(
    ({ members }) => new Set(members.map((m) => `${m.q},${m.r}`)).size === members.length,
  );
  if (!board || board.members.length < LEAST_CELLS) return null;
  const marks = (members: State[]) => ({
    q: "q",
    r: "r",
    color: OWNERS.find((name) => name in members[0]) ?? "",
    label: "id",
  });
  return {
    ...marks(board.members),
    label: "",
    cells: board.pointer,
    flat: false,
    pieces: lists
      .filter((l) => l !== board)
      .map(({ pointer, members }) => ({
        ...marks(members),
        list: pointer,
        shownIf: "alive" in members[0] ? "alive" : "",
      })),
  };
}

/** Returns the lists of objects with coordinates in the first two levels of a state, with their JSON pointers. */
function listsIn(
  state: State,
  pointer: string,
  depth: number,
): { pointer: string; members: State[] }[] {
  return Object.entries(state).flatMap(([name, value]) => {
    const at = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (isObject(value)) return depth === 0 ? listsIn(value, at, 1) : [];
    if (!Array.isArray(value) || value.length === 0) return [];
    const members = value
      .filter(isObject)
      .filter((m) => isCoordinate(m.q ?? null) && isCoordinate(m.r ?? null));
    return members.length === value.length ? [{ pointer: at, members }] : [];
  });
}

function marksOf(view: State): Marks {
  return {
    q: textOr(view.q, "q"),
    r: textOr(view.r, "r"),
    color: textOr(view.color, "color"),
    label: textOr(view.label, ""),
  };
}

function textOr(value: Json | undefined, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}

/** Returns what a state looks like, or null if it has no cells where the view says. */
export function sceneOf(view: View, state: State): Scene | null {
  const cells = items(at(state, view.cells), view);
  if (cells.length === 0 || cells.length > MOST_CELLS) return null;
  return {
    cells,
    pieces: view.pieces.flatMap((p) =>
      items(at(state, p.list), p).filter(
        (one) => p.shownIf === "" || field(one.source, p.shownIf) === true,
      ),
    ),
  };
}

/** Returns the value that a JSON pointer names, or null. */
function at(state: State, pointer: string): Json {
  let value: Json = state;
  for (const token of pointer.split("/").slice(1)) {
    value = isObject(value)
      ? field(value, token.replaceAll("~1", "/").replaceAll("~0", "~"))
      : Array.isArray(value)
        ? (value[Number(token)] ?? null)
        : null;
  }
  return value;
}

function field(of: State, name: string): Json {
  return Object.prototype.hasOwnProperty.call(of, name) ? of[name] : null;
}

/** Returns the members of a list that have coordinates. */
function items(list: Json, marks: Marks): Item[] {
  if (!Array.isArray(list)) return [];
  const found: Item[] = [];
  for (const source of list) {
    if (!isObject(source)) continue;
    const [q, r, color, label] = [marks.q, marks.r, marks.color, marks.label].map((name) =>
      name === "" ? null : field(source, name),
    );
    if (!isCoordinate(q) || !isCoordinate(r)) continue;
    found.push({
      q,
      r,
      source,
      player: Number.isInteger(color) ? (color as number) : -1,
      css: typeof color === "string" && CSS_COLOR.test(color) ? color : "",
      label:
        typeof label === "string" || typeof label === "number"
          ? clip(String(label), LONGEST_LABEL)
          : "",
    });
  }
  return found;
}

function isCoordinate(value: Json): value is number {
  return Number.isInteger(value) && Math.abs(value as number) <= FARTHEST;
}
