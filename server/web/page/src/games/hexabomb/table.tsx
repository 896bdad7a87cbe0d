// The ranking for screen readers: the name of the board, and a table.

import type { Session } from "../../core/session.ts";
import { useRarely } from "../../ui/rarely.ts";
import { standings } from "./standing.ts";
import { storyOf } from "./story.ts";
import { turnName } from "../../core/turns.ts";

/** Screen readers would repeat a table that changes in every turn. In milliseconds. */
const TABLE_EVERY = 1000;

/** Returns the accessible name of the board. */
export function boardName(session: Session): string {
  const { store, player } = session;
  const story = storyOf(session);
  if (!story) return "Board";
  const parts = standings(story, player.turn).map(
    (r) => `${store.seats[r.player].nickname} ${r.cells} cells`,
  );
  return `Board at ${turnName(player.turn)}: ${parts.join(", ")}`;
}

/** Returns who leads, and at the end who has won. */
export function headline(session: Session): string {
  const { store, player } = session;
  const story = storyOf(session);
  if (!story || player.turn === 0) return "start";
  if (store.end && player.turn >= store.last)
    return store.end.winner >= 0
      ? `${store.seats[store.end.winner].nickname} has won`
      : "no winner";
  const leaders = standings(story, player.turn)
    .filter((r) => r.rank === 1)
    .map((r) => store.seats[r.player].nickname);
  return leaders.length === 1 ? `${leaders[0]} leads` : `${leaders.length} lead`;
}

/** The ranking as an invisible table. */
export function HiddenTable({ session }: { session: Session }) {
  const { store, player } = session;
  const story = storyOf(session);
  const { turn, rows } = useRarely(TABLE_EVERY, `${store.start?.id} ${player.turn}`, () => ({
    turn: player.turn,
    rows: story ? standings(story, player.turn) : [],
  }));
  return (
    <table class="unseen">
      <caption>Ranking at {turnName(turn)}</caption>
      <thead>
        <tr>
          <th>Rank</th>
          <th>Player</th>
          <th>Score</th>
          <th>Cells</th>
          <th>Alive</th>
          <th>Thinking time</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((r) => (
          <tr key={r.player}>
            <td>{r.rank ?? "special"}</td>
            <td>
              <bdi>{store.seats[r.player]?.nickname}</bdi>
            </td>
            <td>{r.score}</td>
            <td>{r.cells}</td>
            <td>
              {r.alive} of {r.characters}
            </td>
            <td>{r.thinking}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
