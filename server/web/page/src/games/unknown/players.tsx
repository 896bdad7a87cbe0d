// The players of an unknown game, with what is known in every game: who leads, who has
// left, who skips turns.

import { type Conduct, conductOf } from "../../core/conduct.ts";
import type { Session } from "../../core/session.ts";
import { list, number } from "../../core/text.ts";
import { paintOf } from "../../core/theme.ts";
import { Badge } from "../../ui/badge.tsx";
import { Glyph } from "../../ui/icons.tsx";
import { PlayerChip } from "../../ui/playerchip.tsx";
import { PlayAlong } from "../../ui/qr.tsx";
import { storyOf } from "./match.ts";
import { turnName } from "../../core/turns.ts";

interface Row extends Conduct {
  leads: boolean;
  /** The final figures of the player, if the game has any; the first one ranks. */
  figures: [name: string, value: number][];
}

/** Returns the players by their first figure, the leader before those that have the same. */
function rowsOf(session: Session): Row[] {
  const { store, player } = session;
  const story = storyOf(session);
  const winner = story?.winner(player.turn) ?? -1;
  const tally = story?.end && player.turn >= store.last ? story.end.tally : [];
  const scores = story?.scores(player.turn) ?? [];
  return store.seats
    .map(({ id }): Row => ({
      ...conductOf(store.answers, id, player.turn),
      leads: id === winner,
      figures:
        scores.length > 0
          ? [["score", scores[id] ?? 0]]
          : Object.entries(tally.find((t) => t.player === id) ?? {}).filter(
              ([name]) => name !== "player",
            ),
    }))
    .sort(
      (a, b) =>
        (b.figures[0]?.[1] ?? 0) - (a.figures[0]?.[1] ?? 0) ||
        Number(b.leads) - Number(a.leads) ||
        a.player - b.player,
    );
}

function standing(session: Session, row: Row): string {
  if (row.leads)
    return session.store.end && session.player.turn >= session.store.last ? "won" : "leads";
  return session.store.seats[row.player].special ? "special" : "";
}

export function Players({ session }: { session: Session }) {
  const { store, theme } = session;
  return (
    <section class="ranking players" aria-label="Ranking">
      <header class="section">
        <h2>Players</h2>
        <span class="aside">thinking time of this turn</span>
      </header>
      <ol>
        {rowsOf(session).map((row) => {
          const seat = store.seats[row.player];
          const slot = session.slot(row.player);
          const figures = list(row.figures.map(([name, value]) => `${name} ${number(value)}`));
          const followed = session.followed === row.player;
          return (
            <li
              key={row.player}
              class={`${row.leads ? "leader" : ""} ${row.gone ? "gone" : ""} ${followed ? "followed" : ""}`}
              style={{ "--line": paintOf(theme, slot).line }}
            >
              <button
                class="whole"
                aria-pressed={followed}
                aria-label={`Follow ${seat.nickname}`}
                onClick={() => session.follow(row.player)}
              />
              <Glyph theme={theme} slot={slot} size={40} />
              <div class="who">
                <div class="name">
                  <b>{seat.nickname}</b>
                  <Badge session={session} row={row} />
                </div>
                <div class="why">{figures || (seat.label !== seat.nickname ? seat.label : "")}</div>
              </div>
              <div class="points">
                <b>{standing(session, row)}</b>
                <span>{row.gone ? "–" : row.thinking}</span>
              </div>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** The players on a phone. */
export function Chips({ session }: { session: Session }) {
  return (
    <section class="chips" aria-label="Players">
      {rowsOf(session).map((row) => {
        const { nickname } = session.store.seats[row.player];
        const [score, detail] =
          row.figures.length > 0
            ? [number(row.figures[0][1]), nickname]
            : [nickname, row.gone ? "gone" : standing(session, row)];
        return (
          <PlayerChip
            key={row.player}
            session={session}
            player={row.player}
            text={score}
            detail={detail}
          />
        );
      })}
    </section>
  );
}

/** More rows than this are smaller on a projector. */
const FEW = 4;

/** The panel on a projector. */
export function ProjectorPanel({ session }: { session: Session }) {
  const { store, theme } = session;
  const rows = rowsOf(session);
  const most = Math.max(1, rows[0]?.figures[0]?.[1] ?? 0);
  return (
    <aside class="far" aria-label="Ranking">
      <ol class={rows.length <= FEW ? "few" : ""}>
        {rows.map((row) => {
          const slot = session.slot(row.player);
          const [figure] = row.figures;
          return (
            <li
              key={row.player}
              class={row.gone ? "gone" : ""}
              style={{ "--line": paintOf(theme, slot).line }}
            >
              <Glyph theme={theme} slot={slot} size={68} />
              <div>
                <b>{store.seats[row.player].nickname}</b>
                {figure && (
                  <span class="bar">
                    <i style={{ transform: `scaleX(${Math.max(0, figure[1] / most)})` }} />
                  </span>
                )}
              </div>
              <strong>
                {figure ? number(figure[1]) : row.gone ? "gone" : standing(session, row)}
              </strong>
            </li>
          );
        })}
      </ol>
      <PlayAlong session={session} />
    </aside>
  );
}

export function Table({ session }: { session: Session }) {
  const { store, player } = session;
  return (
    <table class="unseen">
      <caption>Players at {turnName(player.turn)}</caption>
      <thead>
        <tr>
          <th>Player</th>
          <th>Standing</th>
          <th>Connection</th>
          <th>Thinking time</th>
        </tr>
      </thead>
      <tbody>
        {rowsOf(session).map((row) => (
          <tr key={row.player}>
            <td>
              <bdi>{store.seats[row.player].nickname}</bdi>
            </td>
            <td>{standing(session, row)}</td>
            <td>{row.gone ? "gone" : "connected"}</td>
            <td>{row.thinking}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
