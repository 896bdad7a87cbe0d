// The cells that have another owner than in another position of the board. It is a chunk.

import type { DrawChanges } from "../../core/gameview.ts";
import { hatch } from "../../core/hatching.ts";
import { GridBoard } from "./board.ts";
import { BombStory } from "./story.ts";

export const drawChanges: DrawChanges = (c, { session, turn }, other) => {
  const [now, then] = [session.store.story, other.session.store.story];
  const { board } = session;
  if (!(now instanceof BombStory) || !(then instanceof BombStory) || !(board instanceof GridBoard))
    return [];
  const [owners, before] = [now.frame(turn), then.frame(other.turn)].map(({ colors }) =>
    Int32Array.from(colors, (color) => color - 1),
  );
  if (owners.length !== before.length) return [];
  return hatch(
    c,
    { theme: session.theme, store: session.store, slot: (player) => session.slot(player) },
    board.view,
    owners,
    before,
  );
};
