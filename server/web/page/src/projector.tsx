// The projector's panel: large rows and one line of news, readable from the back of a room.

import { useEffect } from "preact/hooks";
import { EventIcon, Glyph } from "./icons.tsx";
import { PlayAlong } from "./qr.tsx";
import { DayTable } from "./results.tsx";
import type { Session } from "./session.ts";
import { standings } from "./standing.ts";
import { count, number } from "./text.ts";
import { paintOf } from "./theme.ts";

/** News older than so many turns are on their way out. */
const NEWS = 5;
/** A pointer that rests for so long is hidden. */
const REST = 3000;

function hideRestingPointer(): () => void {
  const { classList } = document.documentElement;
  const rest = () => classList.add("resting");
  let timer = setTimeout(rest, REST);
  const move = () => {
    clearTimeout(timer);
    timer = setTimeout(rest, REST);
    classList.remove("resting");
  };
  window.addEventListener("pointermove", move);
  return () => {
    clearTimeout(timer);
    window.removeEventListener("pointermove", move);
    classList.remove("resting");
  };
}

export function ProjectorPanel({ session }: { session: Session }) {
  useEffect(hideRestingPointer, []);
  const { store, player, theme } = session;
  const rows = standings(store, player.turn);
  const most = Math.max(1, ...rows.map((r) => (store.suddenDeath ? r.alive : r.score)));
  const news = store.chronicle.events.filter((e) => e.turn <= player.turn && (e.kind === "lead" || e.kind === "chain" || e.kind === "out" || e.kind === "end"));
  const last = news[news.length - 1];
  return (
    <aside class="far" aria-label="Ranking">
      <ol>
        {rows.map((r) => {
          const slot = session.slot(r.player);
          const share = (store.suddenDeath ? r.alive : r.score) / most;
          return (
            <li key={r.player} style={{ "--line": paintOf(theme, slot).line }}>
              <Glyph theme={theme} slot={slot} size={68} />
              <div><b>{store.seats[r.player].nickname}</b><span class="bar"><i style={{ transform: `scaleX(${share})` }} /></span></div>
              <strong>{store.seats[r.player].special ? count(r.cells, "cell") : number(r.score)}</strong>
            </li>
          );
        })}
      </ol>
      {last && (
        <p class={player.turn - last.turn > NEWS ? "news old" : "news"}>
          <EventIcon kind={last.kind} theme={theme} slot={last.player >= 0 ? session.slot(last.player) : null} size={36} />
          <span><b>{store.seats[last.player]?.nickname}</b>{last.kind === "chain" && ":"} {last.what}{last.detail && `, ${last.detail}`}</span>
        </p>
      )}
      <DayTable session={session} />
      <PlayAlong session={session} />
    </aside>
  );
}
