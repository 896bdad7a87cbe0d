// Who the bot of this page is in the match on the stage, and how it stands.

import type { Page } from "../core/page.ts";
import { number, ordinal } from "../core/text.ts";
import type { Workshop } from "../core/workshop.ts";
import { SeatGlyph } from "./seatglyph.tsx";

export function Mine({ session, workshop }: { session: Page; workshop: Workshop }) {
  const { me, match } = workshop;
  const { store, followed, game } = session;
  if (me < 0 || store.start?.id !== match) return null;
  const standing = game.standing?.(me);
  const words = [
    standing?.rank ? ordinal(standing.rank) : "",
    standing?.score === undefined || standing.score === null ? "" : number(standing.score),
  ].filter(Boolean);
  return (
    <button
      class="mine"
      aria-pressed={followed === me}
      title="Follow your bot on the board"
      onClick={() => session.follow(me)}
    >
      <SeatGlyph session={session} slot={session.slot(me)} taken size={22} />
      <b>you</b>
      {words.map((word) => (
        <span key={word}>{word}</span>
      ))}
    </button>
  );
}
