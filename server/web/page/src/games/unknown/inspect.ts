// The facts about a cell and what stands on it, for the tooltip: the fields that the game sends.

import type { Facts } from "../../core/gameview.ts";
import type { Grid } from "../../core/grid.ts";
import type { Session } from "../../core/session.ts";
import { clip, coordinate } from "../../core/text.ts";
import { storyOf } from "./match.ts";
import type { Item } from "./scene.ts";

/** What the tooltip has room for. */
const MOST_PIECES = 3;
const MOST_FIELDS = 8;
const LONGEST_VALUE = 40;

/** Returns the facts about a cell at the current turn, the pieces on it first. */
export function inspect(session: Session, grid: Grid, cell: number): Facts[] {
  const scene = cell < 0 ? null : (storyOf(session)?.scene(session.player.turn) ?? null);
  const tile = scene?.cells[cell];
  if (!scene || !tile) return [];
  const pieces = scene.pieces.filter((p) => grid.at(p.q, p.r) === cell).slice(-MOST_PIECES);
  return [...pieces.reverse(), tile].map((item) => factsOf(session, item));
}

function factsOf(session: Session, item: Item): Facts {
  const owner = session.store.seats[item.player];
  const fields = Object.entries(item.source).filter(
    ([, value]) => value === null || typeof value !== "object",
  );
  return {
    title: `q ${coordinate(item.q)}, r ${coordinate(item.r)}${owner ? ` · ${owner.nickname}` : ""}`,
    slot: owner ? session.slot(item.player) : null,
    pairs: fields
      .slice(0, MOST_FIELDS)
      .map(([name, value]) => [clip(name, LONGEST_VALUE), clip(String(value), LONGEST_VALUE)]),
  };
}
