// The standings on the screen of an event, and when the next round begins.

import type { ScreenSession } from "../../core/screensession.ts";
import { number } from "../../core/text.ts";

/** When the next round begins. */
export function Next({ session }: { session: ScreenSession }) {
  const left = session.countdown;
  if (!session.screen) return null;
  if (left === null) return <>next round {session.screen.when}</>;
  const seconds = Math.ceil(left / 1000);
  return seconds > 0 ? <>next round in <b>{Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, "0")}</b></> : <>next round soon</>;
}

export function Standings({ session, places }: { session: ScreenSession; places: number }) {
  const teams = session.standings;
  const played = teams.filter((t) => t.matches > 0);
  return (
    <section class="standings" aria-label="Standings">
      <header><span>{number(teams.length)} teams</span><span><Next session={session} /></span></header>
      <ol>
        {(played.length > 0 ? played : teams).slice(0, places).map((t) => (
          <li key={t.number}>
            <span>{t.rank}</span>
            <i class="chip" style={{ background: session.colour(t.number) }} />
            <bdi>{t.name}</bdi>
            <b>{t.rating.toFixed(1)}</b>
          </li>
        ))}
      </ol>
    </section>
  );
}
