// The panel on a projector: large rows and one line of news.

import { useEffect } from "preact/hooks";
import type { Session } from "../../core/session.ts";
import { count, number } from "../../core/text.ts";
import { paintOf } from "../../core/theme.ts";
import { EventIcon, Glyph } from "../../ui/icons.tsx";
import { Named } from "../../ui/named.tsx";
import { PlayAlong } from "../../ui/qr.tsx";
import { standings } from "./standing.ts";
import { storyOf } from "./story.ts";

/** News fade out after this number of turns. */
const NEWS = 5;
/** So few rows are larger. */
const FEW = 4;
/** More rows take the whole height. */
const MANY = 8;
/** A pointer that does not move is hidden after this time, in milliseconds. */
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
  const story = storyOf(session);
  if (!story) return null;
  const rows = standings(story, player.turn);
  const most = Math.max(1, ...rows.map((r) => (story.suddenDeath ? r.alive : r.score)));
  const news = story.chronicle.events.filter(
    (e) =>
      e.turn <= player.turn &&
      (e.kind === "lead" || e.kind === "chain" || e.kind === "out" || e.kind === "end"),
  );
  const last = news.at(-1);
  const many = rows.length > MANY;
  const { allOut } = story.chronicle;
  const decided = allOut >= 0 && player.turn >= allOut;
  return (
    <aside class="far" aria-label="Ranking">
      <ol
        class={many ? "dense" : rows.length <= FEW ? "few" : ""}
        style={{ "--rows": rows.length }}
      >
        {rows.map((r) => {
          const slot = session.slot(r.player);
          const special = store.seats[r.player].special;
          const out = story.suddenDeath && !special && r.alive === 0;
          const share = (story.suddenDeath ? r.alive : r.score) / most;
          return (
            <li
              key={r.player}
              class={r.gone || (out && !decided) ? "gone" : ""}
              style={{ "--line": paintOf(theme, slot).line }}
            >
              <Glyph theme={theme} slot={slot} size={68} />
              <div>
                <b>{store.seats[r.player].nickname}</b>
                <span class="bar">
                  <i style={{ transform: `scaleX(${share})` }} />
                </span>
              </div>
              {special ? (
                <span>{count(r.cells, "cell")}</span>
              ) : (
                <strong>
                  {number(r.score)}
                  {out && <small>out</small>}
                </strong>
              )}
            </li>
          );
        })}
      </ol>
      {last && (
        <p class={player.turn - last.turn > NEWS && !decided ? "news old" : "news"}>
          <EventIcon
            kind={last.kind}
            theme={theme}
            slot={last.player >= 0 ? session.slot(last.player) : null}
            size={36}
          />
          <span>
            <b>{store.seats[last.player]?.nickname}</b>
            {last.kind === "chain" && ":"}{" "}
            <Named session={session} text={last.what + (last.detail && `, ${last.detail}`)} />
          </span>
        </p>
      )}
      {!many && <PlayAlong session={session} />}
    </aside>
  );
}
