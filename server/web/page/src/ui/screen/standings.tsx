// The standings on the screen of an event, and when the next round begins.

import type { ScreenTeam } from "../../core/screen.ts";
import type { ScreenSession } from "../../core/screensession.ts";
import { number } from "../../core/text.ts";

/** A time in minutes and seconds, and hours if there are some. */
export function clock(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  const two = (n: number) => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60);
  return `${hours > 0 ? `${hours}:${two(minutes % 60)}` : minutes}:${two(seconds % 60)}`;
}

/** A team's rank as text. */
export function rankOf({ rank }: ScreenTeam): string {
  return rank > 0 ? String(rank) : "–";
}

/** What the standings are. */
const titles = { rating: "", official: "Official standings · ", final: "With the final · " };

/** When the next round begins. */
export function Next({ session }: { session: ScreenSession }) {
  const left = session.countdown;
  if (!session.screen) return null;
  if (left === null) return <>next round {session.screen.when}</>;
  return left > 0 ? (
    <>
      next round in <b>{clock(left)}</b>
    </>
  ) : (
    <>next round soon</>
  );
}

export function Standings({ session, places }: { session: ScreenSession; places: number }) {
  const teams = session.standings;
  const played = teams.filter((t) => t.matches > 0);
  return (
    <section class="standings" aria-label="Standings">
      <header>
        <span>
          {titles[session.screen?.order ?? "rating"]}
          {number(teams.length)} teams
        </span>
        <span>
          <Next session={session} />
        </span>
      </header>
      <ol>
        {(played.length > 0 ? played : teams).slice(0, places).map((t) => (
          <li key={t.number}>
            <span>{rankOf(t)}</span>
            <i class="chip" style={{ background: session.colour(t.number) }} />
            <bdi>{t.name}</bdi>
            <b>{t.figure}</b>
          </li>
        ))}
      </ol>
    </section>
  );
}
