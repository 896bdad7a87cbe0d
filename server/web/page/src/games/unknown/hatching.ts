// The cells that have another owner than in another position, if the game says whose they are. It is a chunk.

import type { DrawChanges } from "../../core/gameview.ts";
import { hatch } from "../../core/hatching.ts";
import { SceneBoard } from "./board.ts";
import { UnknownStory } from "./story.ts";

export const drawChanges: DrawChanges = (c, { session, turn }, other) => {
  const [now, then] = [session.store.story, other.session.store.story];
  const { board } = session;
  if (
    !(now instanceof UnknownStory) ||
    !(then instanceof UnknownStory) ||
    !(board instanceof SceneBoard)
  )
    return [];
  const [scene, past] = [now.scene(turn), then.scene(other.turn)];
  if (!scene || !past || !scene.cells.some(({ player }) => session.store.seats[player])) return [];
  // Cells may be in another order, and some only in one of the positions.
  const owners = new Map(past.cells.map(({ q, r, player }) => [`${q},${r}`, player]));
  const before = scene.cells.map(({ q, r, player }) => owners.get(`${q},${r}`) ?? player);
  return hatch(
    c,
    { theme: session.theme, store: session.store, slot: (player) => session.slot(player) },
    board.view,
    scene.cells.map(({ player }) => player),
    before,
    now.view?.flat,
  );
};
