// The live region that screen readers speak.

import { useRef } from "preact/hooks";
import type { EventKind } from "../core/events.ts";
import type { Page } from "../core/page.ts";
import { list } from "../core/text.ts";
import { Named } from "./named.tsx";
import { useRarely } from "./rarely.ts";

/** The least time between two messages, in milliseconds. */
const SPEAK_EVERY = 2000;

/** The kinds of events that are spoken; others are too frequent. */
const SPOKEN: readonly EventKind[] = ["lead", "out", "end"];

/** Speaks lead changes, eliminated players, the end, and the cell under the cursor. */
export function Voice({ session }: { session: Page }) {
  const heard = useRef({ match: "", turn: 0, events: 0, said: "" });
  const { store, player } = session;
  const match = store.start?.id ?? "";
  const events = store.events;
  // After a step back, the events from there on are spoken again.
  heard.current.turn = Math.min(heard.current.turn, player.turn);
  const said = useRarely(SPEAK_EVERY, `${match} ${player.turn} ${store.end !== null}`, () => {
    const h = heard.current;
    if (h.match !== match) Object.assign(h, { match, turn: 0, events: 0, said: "" });
    const news = events.filter(
      (e, i) =>
        SPOKEN.includes(e.kind) &&
        e.turn <= player.turn &&
        (e.turn > h.turn || (e.turn === h.turn && i >= h.events)),
    );
    h.turn = player.turn;
    h.events = events.length;
    const last = news.at(-1);
    if (last) h.said = `${store.seats[last.player]?.nickname ?? ""} ${last.what}`.trim();
    return h.said;
  });
  const cursor = session.cursor ? speak(session, session.cell) : "";
  return (
    <p class="unseen" aria-live="polite">
      <Named session={session} text={cursor || session.notice || said} />
    </p>
  );
}

/** Returns the facts about a cell as one sentence. */
function speak(session: Page, cell: number): string {
  const facts = session.game.inspect?.(cell) ?? [];
  return list(facts.map((f) => `${f.title}: ${f.pairs.map(([k, v]) => `${k} ${v}`).join(", ")}`));
}
