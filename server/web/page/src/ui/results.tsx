// Results of earlier matches on this server.

import type { Seat } from "../core/feed.ts";
import type { Session } from "../core/session.ts";
import { count, ordinal, percent } from "../core/text.ts";
import { Icon } from "./icons.tsx";

/** The number of players that are listed. */
const LISTED = 5;

/** Returns the heading of the ranks in the last n matches. */
export function lastGames(n: number): string {
  return n === 1 ? "Place in the last game" : `Places in the last ${n} games`;
}

/** Returns the name under which the server keeps the results of a player. */
export function rowName({ label, nickname }: Seat): string {
  return label || nickname;
}

/** The ranks of a player in the last five matches, newest last. */
export function LastFive({ session, seat }: { session: Session; seat: Seat }) {
  const last = session.server.row(rowName(seat))?.last ?? [];
  return (
    <span class="lastfive" role="img" aria-label={`${lastGames(last.length)}: ${last.map(ordinal).join(", ")}`}>
      {last.map((rank, i) => <b key={i} class={rank === 1 ? "won" : ""}>{ordinal(rank)}</b>)}
    </span>
  );
}

/** At the end of a match: the last results and a button for the next match. */
export function MatchResults({ session }: { session: Session }) {
  const { server, store } = session;
  if (!store.end) return null;
  const live = session.recording === null && !session.embedded;
  const again = live && server.may("again");
  const seats = store.seats.filter((s) => live && !s.special && (server.row(rowName(s))?.matches ?? 0) > 1);
  if (!again && seats.length === 0) return null;
  return (
    <section class="encore" aria-label="Results">
      {seats.length > 0 && (
        <ul>
          <li>Last places, newest last</li>
          {seats.slice(0, LISTED).map((s) => <li key={s.id}><span>{s.nickname}</span><LastFive session={session} seat={s} /></li>)}
        </ul>
      )}
      {again && (
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
            <b>{session.store.seats.find((s) => rowName(s) === row.name)?.nickname ?? row.name}</b>
            <strong>{percent(row.share)}</strong>
            <small>{count(row.matches, "game")}</small>
          </li>
        ))}
      </ol>
    </section>
  );
}
