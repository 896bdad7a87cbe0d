// Opens the sheet from which a turn is shared, which is a chunk.

import type { Page } from "../core/page.ts";
import { lazy } from "./lazy.tsx";

const Share = lazy(() => import("./share.tsx").then((m) => m.Share));

export function share(page: Page): void {
  if (!page.store.start && !page.store.lobby) return;
  if (page.recording !== null) page.takeAddress(); // that of a live match keeps its own
  page.openDialog(() => <Share session={page} />);
}
