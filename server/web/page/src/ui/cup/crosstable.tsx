// The cross-table, and the matches of two bots that are chosen in it.

import type { Meeting, Pair, Played, Scoreboard } from "../../core/cup.ts";
import { addressOf, type CupSession } from "../../core/cupsession.ts";
import { count, number, percent, visible } from "../../core/text.ts";
import { Ranking } from "./ranking.tsx";

/** The number of bots in the cross-table, the first ones: more do not fit, and their squares add up. */
const SHOWN = 40;

export function CrossTable({ session, board }: { session: CupSession; board: Scoreboard }) {
  const { standings, recorded } = board;
  const bots = standings.bots.slice(0, SHOWN);
  const meetings = new Map(standings.meetings.map((m) => [`${m.bot}\n${m.against}`, m]));
  return (
    <section class="cross" aria-labelledby="cross">
      <h2 id="cross">Against each other</h2>
      <p class="aside">
        The share of meetings that the bot of the line won, ties half.
        {recorded > 0
          ? " A figure leads to the matches that can be seen."
          : " No match was recorded; hexarena cup --keep all records them."}
        {standings.bots.length > SHOWN &&
          ` These are the first ${SHOWN} bots; standings.json has all.`}
      </p>
      <Ranking
        label="Cross-table"
        bots={bots}
        rank={(_, i) => i + 1}
        heads={bots.map((b, i) => (
          <th key={b.bot} scope="col" title={visible(b.bot)}>
            {i + 1}
            <span class="unseen"> {visible(b.bot)}</span>
          </th>
        ))}
        cells={({ bot }) =>
          bots.map(({ bot: against }) => {
            const m = meetings.get(`${bot}\n${against}`);
            return m ? (
              <Cell
                key={against}
                meeting={m}
                linked={recorded > 0}
                chosen={same(session.pair, m)}
              />
            ) : (
              <td key={against} />
            );
          })
        }
      />
      {session.pair && (
        <Matches
          pair={session.pair}
          matches={session.matches}
          meeting={meetings.get(`${session.pair.bot}\n${session.pair.against}`)}
        />
      )}
    </section>
  );
}

function same(pair: Pair | null, { bot, against }: Pair): boolean {
  return pair?.bot === bot && pair.against === against;
}

function Cell({ meeting, linked, chosen }: { meeting: Meeting; linked: boolean; chosen: boolean }) {
  const { bot, against, score } = meeting;
  const text = percent(score);
  return (
    <td class="cell" style={{ "--share": score }}>
      {linked ? (
        <a
          href={chosen ? "#" : addressOf(meeting)}
          aria-current={chosen || undefined}
          title={`${visible(bot)} against ${visible(against)}: ${course(meeting)}`}
        >
          {text}
        </a>
      ) : (
        text
      )}
    </td>
  );
}

function course({ wins, ties, losses }: Meeting): string {
  return `${count(wins, "win")}, ${count(ties, "tie")}, ${number(losses)} ${losses === 1 ? "loss" : "losses"}`;
}

function Matches({
  pair,
  matches,
  meeting,
}: {
  pair: Pair;
  matches: Played[] | null;
  meeting: Meeting | undefined;
}) {
  return (
    <div class="matches">
      <h3>
        <bdi>{visible(pair.bot)}</bdi> against <bdi>{visible(pair.against)}</bdi>
      </h3>
      {meeting && <p class="aside">{course(meeting)}</p>}
      {matches?.length === 0 && <p>No recording of a match of both was kept.</p>}
      <ul>
        {matches?.map((m) => (
          <li key={m.k}>
            <a href={m.replay}>match {number(m.k)}</a>
            <span>
              {" "}
              on {visible(m.map)}:{" "}
              {order(m).map((seat, i) => (
                <>
                  {i > 0 && ", "}
                  {m.ranks[seat]}.{" "}
                  <bdi key={seat} class={m.bots[seat] === pair.bot ? "own" : ""}>
                    {visible(m.bots[seat])}
                  </bdi>{" "}
                  {number(m.scores[seat])}
                  {m.forfeits[seat] && ` (${m.forfeits[seat]})`}
                </>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Returns the seats of a match by rank. */
function order({ ranks }: Played): number[] {
  return ranks.map((_, seat) => seat).sort((a, b) => ranks[a] - ranks[b]);
}
