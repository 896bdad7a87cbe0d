// The ranking: a row for each player, with the reason for its standing.

import type { Session } from "../../core/session.ts";
import { clip, count, number, signed } from "../../core/text.ts";
import { paintOf } from "../../core/theme.ts";
import { Badge } from "../../ui/badge.tsx";
import { Glyph, Icon } from "../../ui/icons.tsx";
import { Named } from "../../ui/named.tsx";
import { PlayerChip } from "../../ui/playerchip.tsx";
import { useRarely } from "../../ui/rarely.ts";
import { useSliding } from "../../ui/sliding.ts";
import { cardHandlers } from "./playercard.tsx";
import { type Standing, standings } from "./standing.ts";
import { type BombStory, storyOf } from "./story.ts";
import { LONGEST_WHY, why } from "./why.ts";

/** Heights of a row and of the heading in pixels. */
const ROW = 85;
const HEADER = 40;
/** While turns follow each other, rows change places at most once in this time, in milliseconds. */
const REORDER_EVERY = 1000;
/** Rows are compact if they would take more than this share of the window. */
const MOST_OF_WINDOW = 0.48;

export function Ranking({ session }: { session: Session }) {
  const { player } = session;
  const story = storyOf(session);
  const rows = story ? standings(story, player.turn) : [];
  const now = rows.map((r) => r.player);
  const held = useRarely(player.playing ? REORDER_EVERY : 0, now.join(), () => now);
  const order = held.length === now.length ? held : now; // another match has begun
  const list = useSliding(order, !player.reducedMotion);
  if (!story) return null;
  const { allOut } = story.chronicle;
  const decided = allOut >= 0 && player.turn >= allOut;
  const most = Math.max(1, ...rows.map((r) => r.cells));
  const compact = rows.length * ROW > innerHeight * MOST_OF_WINDOW;
  return (
    <section
      class={`ranking ${compact ? "compact" : ""}`}
      aria-label="Ranking"
      style={{ minHeight: `${HEADER + Math.min(2, rows.length) * ROW}px` }}
    >
      <header class="section">
        <h2>Ranking</h2>
        <span class="aside">
          {decided
            ? "all players are out"
            : story.suddenDeath
              ? "score = last turn alive"
              : "score · this turn"}
        </span>
      </header>
      <ol ref={list} class="rows">
        {order.map((id) => (
          <Row
            key={id}
            session={session}
            story={story}
            row={rows.find((r) => r.player === id)!}
            most={most}
          />
        ))}
      </ol>
    </section>
  );
}

function Row({
  session,
  story,
  row,
  most,
}: {
  session: Session;
  story: BombStory;
  row: Standing;
  most: number;
}) {
  const { store, theme, player } = session;
  const seat = store.seats[row.player];
  const slot = session.slot(row.player);
  const paint = paintOf(theme, slot);
  const followed = session.followed === row.player;
  const reason = why(story, row.player, player.turn);
  const classes = [
    "row",
    row.rank === 1 && !seat.special ? "leader" : "",
    row.gone ? "gone" : "",
    followed ? "followed" : "",
  ];
  return (
    <li
      {...cardHandlers(session, row.player)}
      class={classes.filter(Boolean).join(" ")}
      style={{ "--line": paint.line, "--body": paint.body }}
    >
      <button
        class="whole"
        aria-pressed={followed}
        aria-label={`Follow ${seat.nickname}`}
        aria-describedby={session.about?.player === row.player ? "card" : undefined}
        onClick={() => session.follow(row.player)}
      />
      <span class="rank">{row.rank ?? ""}</span>
      <Glyph theme={theme} slot={slot} size={40} />
      <div class="who">
        <div class="name">
          <b>{seat.nickname}</b>
          <Badge session={session} row={row} />
        </div>
        <div class="why">
          <Named
            session={session}
            text={clip(reason, LONGEST_WHY) || (player.turn === 0 ? seat.label : "")}
          />
        </div>
      </div>
      <div class="points">
        <b class="score">{seat.special ? "–" : number(row.score)}</b>
        <span class="change">
          {seat.special
            ? "special"
            : story.suddenDeath
              ? row.alive > 0
                ? "alive"
                : "out"
              : signed(row.change)}
        </span>
      </div>
      <div class="line">
        <Pips session={session} slot={slot} row={row} />
        <span class="bombs" title="Bombs on the board">
          <Icon name="bomb" size={14} /> {row.bombs}
        </span>
        <span class="bar">
          <span style={{ transform: `scaleX(${row.cells / most})` }} />
        </span>
        <span class="cells">{count(row.cells, "cell")}</span>
        <span class="thinking" title="Thinking time of this turn">
          {row.gone ? "–" : row.thinking}
        </span>
      </div>
    </li>
  );
}

function Pips({ session, slot, row }: { session: Session; slot: number; row: Standing }) {
  const label = `${row.alive} of ${row.characters} alive`;
  if (row.characters > 9)
    return (
      <span class="pips" title={label}>
        {row.alive} of {row.characters}
      </span>
    );
  return (
    <span class="pips" role="img" aria-label={label} title={label}>
      {Array.from({ length: row.characters }, (_, i) => (
        <Glyph
          key={i}
          theme={session.theme}
          slot={slot}
          size={14}
          kind={i < row.alive ? "pip" : "hollow"}
        />
      ))}
    </span>
  );
}

/** The ranking on a phone: the leader first, in a row that scrolls. */
export function Chips({ session }: { session: Session }) {
  const { store, player } = session;
  const story = storyOf(session);
  if (!story) return null;
  return (
    <section class="chips" aria-label="Players">
      {standings(story, player.turn).map((row) => {
        const { nickname, special } = store.seats[row.player];
        return (
          <PlayerChip
            key={row.player}
            session={session}
            player={row.player}
            text={special ? "–" : number(row.score)}
            detail={nickname}
            onOpen={(beside) =>
              session.showCard(
                session.about?.player === row.player
                  ? null
                  : { player: row.player, beside, tapped: true },
              )
            }
          />
        );
      })}
    </section>
  );
}
