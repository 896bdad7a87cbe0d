// Results of earlier matches on this server.

import type { Session } from "../core/session.ts";
import { count, ordinal, percent } from "../core/text.ts";
import { Icon } from "./icons.tsx";

/** The number of players that are listed. */
const LISTED = 5;

/** Returns the heading of the ranks in the last n matches. */
export function lastGames(n: number): string {
  return n === 1 ? "Place in the last game" : `Places in the last ${n} games`;
}

/** The ranks of a player in the last five matches, newest last. */
export function LastFive({ session, name }: { session: Session; name: string }) {
  const last = session.server.row(name)?.last ?? [];
  return (
    <span class="lastfive" role="img" aria-label={`${lastGames(last.length)}: ${last.map(ordinal).join(", ")}`}>
      {last.map((rank, i) => <b key={i} class={rank === 1 ? "won" : ""}>{ordinal(rank)}</b>)}
    </span>
  );
}

/** At the end of a match: the last results, and a button for the next match. */
export function MatchResults({ session }: { session: Session }) {
  const { server, store } = session;
  if (!store.end || session.recording !== null || session.embedded) return null;
  const names = store.seats.filter((s) => !s.special).map((s) => s.label || s.nickname).filter((n) => (server.row(n)?.matches ?? 0) > 1);
  if (names.length === 0 && !server.may("again")) return null;
  return (
    <section class="encore" aria-label="Results">
      {names.length > 0 && (
        <ul>
          <li>Last places, newest last</li>
          {names.slice(0, LISTED).map((name) => <li key={name}><span>{name}</span><LastFive session={session} name={name} /></li>)}
        </ul>
      )}
      {server.may("again") && (
        <button class="button first" onClick={() => void session.order("again")}><Icon name="play" size={18} /> Play again</button>
      )}
    </section>
  );
}

/** The table of the day, for the projector. */
export function DayTable({ session }: { session: Session }) {
  const { table } = session.server;
  if (table.length === 0) return null;
  return (
    <section class="day" aria-label="Table of the day">
      <header><span>Today, {count(table.length, "bot")}</span><span>opponents beaten</span></header>
      <ol>
        {table.slice(0, LISTED).map((row, i) => (
          <li key={row.name}>
            <i>{i + 1}</i>
            <b>{row.name}</b>
            <strong>{percent(row.share)}</strong>
            <small>{count(row.matches, "game")}</small>
          </li>
        ))}
      </ol>
    </section>
  );
}
