// The next match, after the end of one.

import type { Session } from "../core/session.ts";
import { Icon } from "./icons.tsx";

/** At the end of a match: a button for the next one. */
export function PlayAgain({ session }: { session: Session }) {
  const { server, store } = session;
  if (!store.end || session.recording !== null || session.embedded || !server.may("again"))
    return null;
  return (
    <section class="encore" aria-label="Next match">
      <button class="button first" onClick={() => void session.order("again")}>
        <Icon name="play" size={18} /> Play again
      </button>
    </section>
  );
}
