// The report on a match of a game that has no report itself: the figures at the end, and the weightiest events.

import type { EventKind } from "../core/events.ts";
import type { Session } from "../core/session.ts";
import { number } from "../core/text.ts";
import { MatchReport, type Point } from "./report.tsx";

const MOST_POINTS = 3;
/** The kinds of events that decide matches, the weightiest first. */
const WEIGHTY: EventKind[] = ["gone", "swing", "out", "lead", "skip"];

export function PlainReport({ session }: { session: Session }) {
  const { store } = session;
  const rows = store.seats.map(({ id }) => {
    const figures = Object.entries(store.end?.tally.find((t) => t.player === id) ?? {}).filter(
      ([name]) => name !== "player",
    );
    const score = store.event(store.last)?.scores?.[id] ?? figures[0]?.[1];
    return {
      player: id,
      rank: store.end?.report?.seats.find((s) => s.id === id)?.rank ?? null,
      score: score === undefined ? (store.end?.winner === id ? "won" : "") : number(score),
      facts: figures.slice(1).map(([name, value]): [string, string] => [name, number(value)]),
      summary: "",
      points: pointsOf(session, id),
    };
  });
  rows.sort(
    (a, b) =>
      (a.rank ?? Infinity) - (b.rank ?? Infinity) ||
      Number(b.player === store.end?.winner) - Number(a.player === store.end?.winner),
  );
  return <MatchReport session={session} rows={rows} />;
}

function pointsOf({ store }: Session, player: number): Point[] {
  const weight = (kind: EventKind) => WEIGHTY.indexOf(kind);
  return store.events
    .filter((e) => e.player === player && weight(e.kind) >= 0)
    .sort((a, b) => weight(a.kind) - weight(b.kind) || a.turn - b.turn)
    .slice(0, MOST_POINTS)
    .sort((a, b) => a.turn - b.turn)
    .map(({ turn, what, detail }) => ({ turn, what, played: detail ? [detail] : [] }));
}
