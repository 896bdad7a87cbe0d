// Opens what is done with a turn: the sheet from which it is shared, and the dialog from which the match is played on.
// Both are chunks.

import type { Page } from "../core/page.ts";
import { lazy } from "./lazy.tsx";

const Share = lazy(() => import("./share.tsx").then((m) => m.Share));

export function share(page: Page): void {
  if (!page.store.start && !page.store.lobby) return;
  if (page.recording !== null) page.takeAddress(); // that of a live match keeps its own
  page.openDialog(() => <Share session={page} />);
}

const PlayOn = lazy(() => import("./playon.tsx").then((m) => m.PlayOn));

/** Reports whether this viewer may play the match on from its turns. */
export function playsOn({ server, recording, embedded, store, player }: Page): boolean {
  return (
    server.playsOn &&
    recording !== null &&
    !embedded &&
    store.start !== null &&
    player.turn < store.total
  );
}

export function playOn(page: Page): void {
  if (playsOn(page)) page.openDialog(() => <PlayOn session={page} />);
}
