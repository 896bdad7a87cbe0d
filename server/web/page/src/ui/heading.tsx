// What the page shows in words: its heading for screen readers, and the title of the
// browser's tab.

import { useEffect } from "preact/hooks";
import type { Page } from "../core/page.ts";
import { number } from "../core/text.ts";
import { Named } from "./named.tsx";
import { useRarely } from "./rarely.ts";

/** The least time between two titles in milliseconds: a title that changes in every turn distracts. */
const TITLE_EVERY = 1000;
const PROGRAM = "hexarena";

/** Returns what the stage shows: "turn 43", "painter leads" and "lagoon", or what is known of it. */
function situation({ store, player, game }: Page): string[] {
  const { start, lobby } = store;
  // A game without maps has its own name there.
  if (start)
    return [
      game.count(player.turn),
      game.headline(),
      start.rules.startsWith(start.map) ? "" : start.map,
    ];
  if (!lobby) return [PROGRAM];
  const there = lobby.present.filter((p) => p.role === "player").length;
  return ["Lobby", `${there} of ${number(lobby.seats.players)}`, lobby.map];
}

/** Returns the title of the tab, such as "43 · painter leads · lagoon". */
export function title(page: Page): string {
  if (page.tab === "recordings") return `Recordings · ${PROGRAM}`;
  if (page.tab === "rules") return `Rules · ${PROGRAM}`;
  return situation(page).filter(Boolean).join(" · ");
}

/** Gives the page its title, and the stage an invisible heading. */
export function Heading({ session }: { session: Page }) {
  const { store, player, game, tab } = session;
  const { start, lobby } = store;
  const key = `${start?.id} ${lobby?.id} ${lobby?.present.length} ${player.turn} ${store.over} ${tab}`;
  const text = useRarely(TITLE_EVERY, key, () => title(session));
  useEffect(() => {
    document.title = text;
  }, [text]);
  const [turn, ...rest] = situation(session);
  const heading = start
    ? [start.rules.split("/")[0], `${game.unit} ${turn}`, ...rest]
    : [turn, ...rest];
  return (
    <h1 class="unseen">
      <Named session={session} text={heading.filter(Boolean).join(", ")} />
    </h1>
  );
}
