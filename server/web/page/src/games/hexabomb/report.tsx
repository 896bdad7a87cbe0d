// The report on a match of hexabomb.

import type { Session } from "../../core/session.ts";
import { count, number } from "../../core/text.ts";
import { MatchReport } from "../../ui/report.tsx";
import { applied } from "./actions.ts";
import { standings } from "./standing.ts";
import { type BombStory, storyOf } from "./story.ts";

export function Report({ session }: { session: Session }) {
  const story = storyOf(session);
  if (!story) return null;
  const { last } = session.store;
  const rows = standings(story, last);
  const bombs = bombsOf(session);
  return (
    <MatchReport
      session={session}
      rows={rows.map((row) => ({
        player: row.player,
        rank: row.rank,
        score: session.store.seats[row.player].special ? "" : number(row.score),
        facts: factsOf(story, row.player, last, bombs[row.player]),
        summary: summary(story, row.player, rows[0].player, last),
      }))}
    />
  );
}

/** Returns how often each player laid a bomb. */
function bombsOf({ store }: Session): number[] {
  if (store.end)
    return store.seats.map(({ id }) => store.end!.tally.find((t) => t.player === id)?.bombs ?? 0);
  const laid = store.seats.map(() => 0);
  for (let turn = 1; turn <= store.last; turn++) {
    const event = store.event(turn);
    for (const { player, movement } of event ? applied(event) : [])
      if (movement === "bomb") laid[player]++;
  }
  return laid;
}

function factsOf(
  { chronicle }: BombStory,
  player: number,
  turn: number,
  bombs: number,
): [string, string][] {
  const deaths = [...chronicle.deaths.values()].flat().filter((d) => d.player === player);
  const own = deaths.filter((d) => d.by.includes(player)).length;
  return [
    ["cells", number(chronicle.cells[player][turn])],
    ["deaths", number(deaths.length)],
    ["own bombs", number(own)],
    ["bombs", number(bombs)],
  ];
}

/** Returns how far a player is behind the first: "1 205 behind painter, which held 41 cells more on average". */
function summary(
  { chronicle, seats, suddenDeath }: BombStory,
  player: number,
  first: number,
  turn: number,
): string {
  const behind = chronicle.score[first][turn] - chronicle.score[player][turn];
  if (seats[player].special || behind <= 0) return "";
  const name = seats[first].nickname;
  if (suddenDeath) return `out ${count(behind, "turn")} before ${name}`;
  const more = Math.round(behind / Math.max(1, turn));
  return `${number(behind)} behind ${name}${more > 0 ? `, which held ${count(more, "cell")} more on average` : ""}`;
}
