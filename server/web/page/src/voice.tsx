// For those who do not see the board: a table, and a region that is read out.

import { useEffect, useRef, useState } from "preact/hooks";
import { speak } from "./inspect.ts";
import type { Session } from "./session.ts";
import { standings } from "./standing.ts";
import { milliseconds } from "./text.ts";

const TABLE_EVERY = 1000;
const SPEAK_EVERY = 2000;

export function boardName(session: Session): string {
  const { store, player } = session;
  if (!store.start) return "Board";
  const parts = standings(store, player.turn).map((r) => `${store.seats[r.player].nickname} ${r.cells} cells`);
  return `Board at turn ${player.turn}: ${parts.join(", ")}`;
}

/** The ranking as a table out of sight, renewed once a second at most. */
export function HiddenTable({ session }: { session: Session }) {
  const { store, player } = session;
  const renewed = useRef({ at: 0, rows: standings(store, player.turn), turn: 0 });
  if (performance.now() - renewed.current.at > TABLE_EVERY) {
    renewed.current = { at: performance.now(), rows: standings(store, player.turn), turn: player.turn };
  }
  return (
    <table class="unseen">
      <caption>Ranking at turn {renewed.current.turn}</caption>
      <thead><tr><th>Rank</th><th>Player</th><th>Score</th><th>Cells</th><th>Alive</th><th>Thinking time</th></tr></thead>
      <tbody>
        {renewed.current.rows.map((r) => (
          <tr key={r.player}>
            <td>{r.rank ?? "special"}</td><td>{store.seats[r.player]?.nickname}</td><td>{r.score}</td><td>{r.cells}</td>
            <td>{r.alive} of {r.characters}</td><td>{milliseconds(r.thinking)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Speaks lead changes, players who are out, the end, and the cell under the cursor. */
export function Voice({ session }: { session: Session }) {
  const [said, setSaid] = useState("");
  const spoken = useRef({ at: -SPEAK_EVERY, turn: 0 });
  const { store, player } = session;
  const cursor = session.cursor ? speak(session, session.cell) : "";
  useEffect(() => {
    const now = performance.now();
    if (now - spoken.current.at < SPEAK_EVERY || player.turn <= spoken.current.turn) {
      spoken.current.turn = Math.min(spoken.current.turn, player.turn);
      return;
    }
    const news = store.chronicle.events.filter(
      (e) => e.turn > spoken.current.turn && e.turn <= player.turn && ["lead", "out", "end"].includes(e.kind),
    );
    spoken.current.turn = player.turn;
    if (news.length === 0) return;
    spoken.current.at = now;
    const last = news[news.length - 1];
    setSaid(`${store.seats[last.player]?.nickname ?? ""} ${last.what}`.trim());
  }, [player.turn]);
  return <p class="unseen" aria-live="polite">{cursor || session.notice || said}</p>;
}
