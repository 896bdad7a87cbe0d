// The report on a match: how the players stand, what they did, and for the one that is followed the turns
// that decided it. It is a chunk.

import type { Decided, EndEvent } from "../core/feed.ts";
import type { Session } from "../core/session.ts";
import { loadDecided } from "../core/source.ts";
import { count, milliseconds, number } from "../core/text.ts";
import { paintOf } from "../core/theme.ts";
import { useEffect, useState } from "preact/hooks";
import STYLES from "sheet:report.css";
import { type Figures, figuresOf, type Refused } from "./figures.ts";
import { Glyph, Icon } from "./icons.tsx";
import { adopt } from "./lazy.tsx";
import { Named } from "./named.tsx";
import { useRarely } from "./rarely.ts";
import { answeredTurn, turnName, turnNumber } from "../core/turns.ts";

adopt(STYLES);

/** A turn that decided how a player stands. */
export interface Point {
  turn: number;
  /** "from here ada gains 12 more a turn against bob" */
  what: string;
  /** What the players did and lost, a line each. */
  played: string[];
}

/** What a game knows about a player. */
export interface ReportRow {
  player: number;
  rank: number | null;
  score: string;
  facts: [string, string][];
  /** How far it is behind; may be empty. */
  summary: string;
  /** The turns that decided by what the page alone knows of the game. */
  points?: Point[];
}

/** While a match is played, the report is made again at most once in this time, in milliseconds. */
const EVERY = 1000;
/** The size of the small boards. */
const WIDTH = 116;
const HEIGHT = 96;

/** rows are those of the players, best first. */
export function MatchReport({ session, rows }: { session: Session; rows: ReportRow[] }) {
  const { store } = session;
  const now = `${store.start?.id} ${store.last} ${store.over} ${store.received}`;
  const decided = useDecided(session);
  const figures = useRarely(store.over ? 0 : EVERY, now, () => figuresOf(store));
  if (figures.length !== store.seats.length) return null; // another match has begun
  return (
    <section class="matchreport" aria-label="Match report">
      <header class="section">
        <h2>Match report</h2>
        <span class="aside">
          {store.end ? `after ${count(store.last, "turn")}` : `so far, ${turnName(store.last)}`}
        </span>
      </header>
      {store.end?.error && <p class="aside wrong">The match was aborted: {store.end.error}</p>}
      <ol>
        {rows.map((row) => (
          <Player
            key={row.player}
            session={session}
            row={row}
            figures={figures[row.player]}
            decided={decided}
          />
        ))}
      </ol>
    </section>
  );
}

interface PlayerProps {
  session: Session;
  row: ReportRow;
  figures: Figures;
  decided: Decided[] | Unknown;
}

/** Why the turns that decided are not known. */
type Unknown = "playing" | "loading" | "unknown";

/** Returns the turns that decided; those of a live match are loaded once it is over. */
function useDecided({ store, recording }: Session): Decided[] | Unknown {
  const { end, start } = store;
  const [asked, setAsked] = useState<EndEvent | null>(null); // the end that has its answer
  const file = recording === null ? start?.recording : undefined;
  useEffect(() => {
    if (!end || end.decided || !file) return;
    void loadDecided(file).then((decided) => {
      end.decided = decided;
      setAsked(end);
    });
  }, [end]);
  if (end?.decided) return end.decided;
  if (!store.over) return "playing";
  return end && file && asked !== end ? "loading" : "unknown";
}

/** Returns the turns that decided between a player and the best one, of that one and the second. */
function decidedFor(decided: Decided[], player: number): Point[] {
  const turns = decided.find(({ players }) => players.includes(player))?.turns ?? [];
  return turns.map(({ step, about, played }) => ({
    turn: Math.max(0, step - 1),
    what: about.join("; "),
    played,
  }));
}

function Player({ session, row, figures, decided }: PlayerProps) {
  const seat = session.store.seats[row.player];
  const slot = session.slot(row.player);
  const open = session.followed === row.player;
  return (
    <li class={open ? "open" : ""} style={{ "--line": paintOf(session.theme, slot).line }}>
      <button class="head" aria-expanded={open} onClick={() => session.follow(row.player)}>
        <span class="rank">{row.rank ?? ""}</span>
        <Glyph theme={session.theme} slot={slot} size={32} />
        <b>{seat.nickname}</b>
        <strong>{row.score}</strong>
        <span class="ask">{open ? "Close" : "Why?"}</span>
      </button>
      {figures.ended && (
        <p class="wrong">
          <Icon name="warning" size={16} /> {figures.ended}
          {figures.lastLine && <code>{figures.lastLine}</code>}
        </p>
      )}
      <dl>
        {[...row.facts, ...factsOf(figures)].map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {open && <Why session={session} row={row} figures={figures} decided={decided} />}
    </li>
  );
}

function factsOf({ p50, p99, skipped, refused }: Figures): [string, string][] {
  const time = (ms: number | null) => (ms === null ? "–" : milliseconds(ms));
  return [
    ["p50", time(p50)],
    ["p99", time(p99)],
    ["skipped", number(skipped)],
    ["refused", number(refused.reduce((n, r) => n + r.actions, 0))],
  ];
}

function Why({ session, row, figures, decided }: PlayerProps) {
  const found = typeof decided === "string" ? [] : decidedFor(decided, row.player);
  const known = new Set(found.map(({ turn }) => turn));
  const points = [...found, ...(row.points ?? []).filter(({ turn }) => !known.has(turn))];
  points.sort((a, b) => a.turn - b.turn);
  return (
    <div class="because">
      {row.summary && (
        <p>
          <Named session={session} text={row.summary} />
        </p>
      )}
      {points.length > 0 && (
        <h3>{points.length === 1 ? "The turn that decided it" : "The turns that decided it"}</h3>
      )}
      {points.map((point) => (
        <TurningPoint key={point.turn} session={session} player={row.player} point={point} />
      ))}
      {points.length === 0 && (
        <p>{typeof decided === "string" ? REASONS[decided] : "No single turn stands out."}</p>
      )}
      {figures.refused.length > 0 && <h3>Refused actions, by reason</h3>}
      {figures.refused.map((r) => (
        <Reason key={r.reason} session={session} refused={r} />
      ))}
    </div>
  );
}

/** Shown in place of the turns that decided. */
const REASONS: Record<Unknown, string> = {
  playing: "The turns that decided are known when the match is over.",
  loading: "Looking for the turns that decided…",
  unknown:
    "The turns that decided are not known: there is no complete recording, or the match is too long.",
};

function TurningPoint({
  session,
  player,
  point,
}: {
  session: Session;
  player: number;
  point: Point;
}) {
  const { Small } = session.views.find((v) => v.board === session.board)!.parts;
  return (
    <button
      class={`point ${session.player.turn === point.turn ? "now" : ""}`}
      aria-current={session.player.turn === point.turn ? "true" : undefined}
      onClick={() => session.goTo(point.turn)}
    >
      {Small && <Small turn={point.turn} player={player} width={WIDTH} height={HEIGHT} />}
      <span>
        <b>Turn {turnNumber(point.turn)}</b>
        <Named session={session} text={point.what} />
        {point.played.map((line, i) => (
          <small key={i}>
            <Named session={session} text={line} />
          </small>
        ))}
      </span>
    </button>
  );
}

function Reason({
  session,
  refused: { reason, actions, first },
}: {
  session: Session;
  refused: Refused;
}) {
  return (
    <p class="reason">
      <span>
        <b>{number(actions)}</b> {reason}
      </span>
      {first > 0 && (
        <button class="button" onClick={() => session.goTo(first)}>
          first in {answeredTurn(first)}
        </button>
      )}
    </p>
  );
}
