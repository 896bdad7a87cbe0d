// For those who do not see the board: a table, and a region that is read out.

import { useEffect, useRef, useState } from "preact/hooks";
import type { EventKind } from "./chronicle.ts";
import { speak } from "./inspect.ts";
import type { Session } from "./session.ts";
import { standings } from "./standing.ts";

const TABLE_EVERY = 1000;
const SPEAK_EVERY = 2000;

export function boardName(session: Session): string {
  const { store, player } = session;
  if (!store.start) return "Board";
  const parts = standings(store, player.turn).map((r) => `${store.seats[r.player].nickname} ${r.cells} cells`);
  return `Board at turn ${player.turn}: ${parts.join(", ")}`;
}

/** A value that is renewed with the key, but not before that many milliseconds have passed since the last time. */
function useRarely<T>(every: number, key: unknown, make: () => T): T {
  const held = useRef<{ at: number; key: unknown; value: T } | null>(null);
  const [, wake] = useState(0);
  const wait = held.current ? held.current.at + every - performance.now() : 0;
  if (!held.current || (key !== held.current.key && wait <= 0)) {
    held.current = { at: performance.now(), key, value: make() };
  }
  const late = key !== held.current.key;
  useEffect(() => {
    if (!late) return;
    const timer = setTimeout(() => wake((n) => n + 1), wait + 1);
    return () => clearTimeout(timer);
  });
  return held.current.value;
}

/** The ranking as a table out of sight, renewed once a second at most. */
export function HiddenTable({ session }: { session: Session }) {
  const { store, player } = session;
  const { turn, rows } = useRarely(TABLE_EVERY, `${store.start?.id} ${player.turn}`, () => ({
    turn: player.turn,
    rows: standings(store, player.turn),
  }));
  return (
    <table class="unseen">
      <caption>Ranking at turn {turn}</caption>
      <thead><tr><th>Rank</th><th>Player</th><th>Score</th><th>Cells</th><th>Alive</th><th>Thinking time</th></tr></thead>
      <tbody>
        {rows.map((r) => (
          <tr key={r.player}>
            <td>{r.rank ?? "special"}</td><td>{store.seats[r.player]?.nickname}</td><td>{r.score}</td><td>{r.cells}</td>
            <td>{r.alive} of {r.characters}</td><td>{r.thinking}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const SPOKEN: readonly EventKind[] = ["lead", "out", "end"];

/** Speaks lead changes, players who are out, the end, and the cell under the cursor. */
export function Voice({ session }: { session: Session }) {
  const heard = useRef({ match: "", turn: 0, events: 0, said: "" });
  const { store, player } = session;
  const match = store.start?.id ?? "";
  const events = store.events;
  // Who goes back hears again what follows from there.
  heard.current.turn = Math.min(heard.current.turn, player.turn);
  const said = useRarely(SPEAK_EVERY, `${match} ${player.turn} ${store.end !== null}`, () => {
    const h = heard.current;
    if (h.match !== match) Object.assign(h, { match, turn: 0, events: 0, said: "" });
    const news = events.filter(
      (e, i) => SPOKEN.includes(e.kind) && e.turn <= player.turn && (e.turn > h.turn || (e.turn === h.turn && i >= h.events)),
    );
    h.turn = player.turn;
    h.events = events.length;
    const last = news[news.length - 1];
    if (last) h.said = `${store.seats[last.player]?.nickname ?? ""} ${last.what}`.trim();
    return h.said;
  });
  const cursor = session.cursor ? speak(session, session.cell) : "";
  return <p class="unseen" aria-live="polite">{cursor || session.notice || said}</p>;
}
