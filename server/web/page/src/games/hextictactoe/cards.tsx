// A card for each side: its player and its clock.

import { useEffect, useState } from "preact/hooks";
import type { Session } from "../../core/session.ts";
import { count } from "../../core/text.ts";
import type { Theme } from "../../core/theme.ts";
import { Icon } from "../../ui/icons.tsx";
import { Named } from "../../ui/named.tsx";
import { storyOf } from "./match.ts";
import { nameOf, playsHere, stateText } from "./play.ts";
import { slotOfSide, SYMBOLS } from "./stones.ts";
import { type GameStory, type Side, SIDES } from "./story.ts";
import { threats } from "./threats.ts";
import { clockText, moveLimit, reasonText, seconds, sideName, timeText, verdict } from "./words.ts";

/** A clock with less than this, in milliseconds, warns. */
const SHORT = 10_000;
/** Circle stands above cross, as on the rail. */
const ORDER: readonly Side[] = ["o", "x"];

export function Symbol({ theme, side, size = 34 }: { theme: Theme; side: Side; size?: number }) {
  return (
    <svg class="glyph" width={size} height={size} viewBox="-.52 -.52 1.04 1.04" aria-hidden="true">
      <path
        d={SYMBOLS[side]}
        fill="none"
        stroke={theme.players[slotOfSide(side)].line}
        stroke-width="0.21"
        stroke-linecap="round"
      />
    </svg>
  );
}

export function Cards({ session }: { session: Session }) {
  const story = storyOf(session);
  if (!story) return null;
  return (
    <section class="cards" aria-label="Players">
      <ol>
        {ORDER.map((side) => (
          <Card key={side} session={session} story={story} side={side} />
        ))}
      </ol>
    </section>
  );
}

/** Returns what a card shows of a side at the current turn. */
function cardOf(session: Session, story: GameStory, side: Side) {
  const player = SIDES.indexOf(side);
  const p = story.at(session.player.turn);
  const won = p.status === (side === "x" ? "x_wins" : "o_wins");
  const over = p.status !== "in_progress";
  return {
    player,
    p,
    over,
    won,
    running: !over && p.toMove === side,
    name: nameOf(session, player),
    paint: session.theme.players[slotOfSide(side)],
  };
}

function Card({ session, story, side }: { session: Session; story: GameStory; side: Side }) {
  const { name, paint, running, won, over, p } = cardOf(session, story, side);
  return (
    <li class={running || won ? "raised" : ""} style={{ "--line": paint.line }}>
      <Symbol theme={session.theme} side={side} size={40} />
      <div>
        <div class="name">
          <b>{name}</b>
          {won && <span class="pill">won</span>}
          {over && p.status === "draw" && <span class="pill">draw</span>}
          {running && <span class="pill">to move</span>}
        </div>
        <div class="why">
          {sideName(side)}
          {why(session, story, side)}
        </div>
      </div>
      <Time session={session} story={story} side={side} />
    </li>
  );
}

/** Returns the first reason for a side's standing that holds. */
function why(session: Session, story: GameStory, side: Side): string {
  const { turn } = session.player;
  const p = story.at(turn);
  if (p.status !== "in_progress") {
    const lost = p.status === (side === "x" ? "o_wins" : "x_wins");
    if (lost && p.reason.startsWith("forfeit: ")) return `, lost by ${reasonText(p.reason)}`;
    return pace(story, turn, side);
  }
  const pieces = story.pieces.slice(0, p.pieces);
  const { win_distance: win } = story.rules;
  const own = threats(pieces, side, win).length;
  const other = threats(pieces, side === "x" ? "o" : "x", win).length;
  if (p.toMove === side && own > 0) return ", can win now";
  if (p.toMove === side && other > 0) return `, must stop ${count(other, "row")}`;
  if (p.toMove !== side && own > 0) return `, threatens ${count(own, "row")}`;
  const winIn = playsHere(session) ? 0 : (p.evaluation?.winIn ?? 0);
  if (winIn !== 0 && winIn > 0 === (side === "x")) return `, to win in ${Math.abs(winIn)}`;
  return pace(story, turn, side);
}

function pace(story: GameStory, turn: number, side: Side): string {
  const made = story.positions
    .slice(1, turn + 1)
    .filter((p) => p.previous.at(-1)?.side === side && p.thinking > 0);
  if (made.length === 0) return "";
  const mean = made.reduce((sum, p) => sum + p.thinking, 0) / made.length;
  return `, ${mean < 50 ? "under 0.1 s" : seconds(mean)} a move`;
}

/** Returns how long a side thought about its last move up to a turn, in milliseconds; -1: it has not moved. */
function lastThinking({ positions }: GameStory, turn: number, side: Side): number {
  for (let t = Math.min(turn, positions.length - 1); t > 0; t--) {
    const { move, previous, thinking } = positions[t];
    if (move > positions[t - 1].move && previous.at(-1)?.side === side) return thinking;
  }
  return -1;
}

/** The clock of a side. It runs if the side is to move in a live game. */
function Time({ session, story, side }: { session: Session; story: GameStory; side: Side }) {
  const { store, player } = session;
  const p = story.at(player.turn);
  const ticking =
    p.status === "in_progress" &&
    p.toMove === side &&
    session.recording === null &&
    !store.end &&
    player.turn === store.last;
  const [, tick] = useState(0);
  useEffect(() => {
    if (!ticking) return;
    const timer = setInterval(() => tick((n) => n + 1), 100);
    return () => clearInterval(timer);
  }, [ticking]);
  const spent = ticking ? performance.now() - p.at : 0;
  const limit = p.clocks ? p.clocks[side] : ticking ? moveLimit(session, side) : 0;
  if (limit === 0 && !p.clocks) {
    const own = ticking ? spent : lastThinking(story, player.turn, side);
    if (own < 0) return null;
    return (
      <div class="time">
        <b>{seconds(Math.floor(own / 100) * 100)}</b>
        <small>{ticking ? "so far" : "last move"}</small>
      </div>
    );
  }
  const left = Math.max(0, limit - spent);
  const short = left < SHORT;
  return (
    <div
      class={`time ${short ? "short" : ""}`}
      role="timer"
      aria-label={`Clock of ${sideName(side)}`}
    >
      <b>
        {short && <Icon name="clock" size={22} />}
        {clockText(left)}
      </b>
      <small>{timeText(session, story.rules.clock)}</small>
    </div>
  );
}

/** The cards on a phone. */
export function Chips({ session }: { session: Session }) {
  const story = storyOf(session);
  if (!story) return null;
  return (
    <section class="chips duel" aria-label="Players">
      {ORDER.map((side) => {
        const { name, paint, running, won } = cardOf(session, story, side);
        return (
          <div
            key={side}
            class={`chip ${running || won ? "raised" : ""}`}
            style={{ "--line": paint.line }}
          >
            <Symbol theme={session.theme} side={side} size={30} />
            <span>
              <b>{name}</b>
              <small>{won ? "won" : running ? "to move" : sideName(side)}</small>
            </span>
            <Time session={session} story={story} side={side} />
          </div>
        );
      })}
    </section>
  );
}

/** The panel on a projector. */
export function ProjectorPanel({ session }: { session: Session }) {
  const story = storyOf(session);
  if (!story) return null;
  const p = story.at(session.player.turn);
  return (
    <aside class="far" aria-label="Players">
      <Cards session={session} />
      <p class="news">
        <span>
          <Named session={session} text={stateText(session, p)} />
        </span>
      </p>
    </aside>
  );
}

export function Table({ session }: { session: Session }) {
  const story = storyOf(session);
  if (!story) return null;
  const p = story.at(session.player.turn);
  return (
    <table class="unseen">
      <caption>Players at move {p.move}</caption>
      <thead>
        <tr>
          <th>Side</th>
          <th>Player</th>
          <th>Clock</th>
          <th>Evaluation</th>
        </tr>
      </thead>
      <tbody>
        {SIDES.map((side, i) => (
          <tr key={side}>
            <td>{sideName(side)}</td>
            <td>
              <bdi>{nameOf(session, i)}</bdi>
            </td>
            <td>{p.clocks ? clockText(p.clocks[side]) : "none"}</td>
            <td>{(!playsHere(session) && verdict(p.evaluation)) || "none"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
