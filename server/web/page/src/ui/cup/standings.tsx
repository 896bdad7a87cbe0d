// The standings, and the comparisons of one bot with others.

import type { Standings as Table } from "../../core/cup.ts";
import { number, visible } from "../../core/text.ts";
import { around, Bar, BarHead, between, scaleOf } from "./bar.tsx";
import { Ranking } from "./ranking.tsx";
import { Scroll } from "./scroll.tsx";
import { forfeits, points, share } from "./words.ts";

// The share of turns from which on skipped ones are worth a look.
const MANY = 0.01;

export function Standings({ table }: { table: Table }) {
  const { bots, comparisons = [], compares } = table;
  const scale = scaleOf(table);
  const rated = bots.some((b) => b.elo);
  const swiss = bots.some((b) => b.points);
  const seated = bots.some((b) => b.seats !== b.matches);
  const skipped = bots.some((b) => b.skipped > 0);
  return (
    <section class="standings" aria-labelledby="standings">
      <h2 id="standings">Standings</h2>
      <p class="aside">{visible(compares)}</p>
      <Ranking
        label="Standings"
        bots={bots}
        rank={(b) => b.rank}
        heads={
          <>
            {rated && (
              <>
                <th scope="col">Elo</th>
                <th scope="col" class="wide">
                  95 %
                </th>
                <BarHead scale={scale} />
              </>
            )}
            {swiss && (
              <>
                <th scope="col">Points</th>
                <th scope="col" class="wide">
                  Rests
                </th>
                <th scope="col" class="wide">
                  Buchholz
                </th>
                <th scope="col" class="wide">
                  Direct
                </th>
              </>
            )}
            <th scope="col">Score</th>
            <th scope="col" class="wide">
              Matches
            </th>
            {seated && (
              <th scope="col" class="wide">
                Seats
              </th>
            )}
            <th scope="col" class="wide">
              Refused
            </th>
            {skipped && (
              <th scope="col" class="wide">
                Skipped turns
              </th>
            )}
            <th scope="col" class="wide name">
              Forfeits
            </th>
          </>
        }
        cells={(b) => (
          <>
            {rated && (
              <>
                <td>{b.elo && points(b.elo.value)}</td>
                <td class="wide">{b.elo && between(b.elo, b.bound)}</td>
                <Bar scale={scale} interval={b.elo} />
              </>
            )}
            {b.points && (
              <>
                <td>{b.points.points}</td>
                <td class="wide">{b.points.rests}</td>
                <td class="wide">{b.points.buchholz}</td>
                <td class="wide">{b.points.direct !== undefined && share(b.points.direct)}</td>
              </>
            )}
            <td>{b.matches > 0 && share(b.score)}</td>
            <td class="wide">{number(b.matches)}</td>
            {seated && <td class="wide">{number(b.seats)}</td>}
            <td class="wide">{number(b.refused_actions)}</td>
            {skipped && (
              <td class="wide">
                {number(b.skipped)}
                {b.skipped > MANY * b.turns && ` (${share(b.skipped / b.turns)})`}
              </td>
            )}
            <td class="wide name">{forfeits(b.forfeits)}</td>
          </>
        )}
      />
      {comparisons.length > 0 && (
        <Scroll label="Comparisons">
          <table>
            <caption>
              Normalised Elo is in deviations of a match. The last column is the probability that{" "}
              {visible(comparisons[0].bot)} is better.
            </caption>
            <thead>
              <tr>
                <th scope="col" class="name">
                  <bdi>{visible(comparisons[0].bot)}</bdi> against
                </th>
                <th scope="col">Elo</th>
                <th scope="col" class="wide">
                  95 %
                </th>
                <BarHead scale={scale} />
                <th scope="col" class="wide">
                  Normalised
                </th>
                <th scope="col" class="wide">
                  Score
                </th>
                <th scope="col" class="wide">
                  Blocks
                </th>
                <th scope="col">Better with</th>
              </tr>
            </thead>
            <tbody>
              {comparisons.map((c) => (
                <tr key={c.against}>
                  <th scope="row" class="name">
                    <bdi>{visible(c.against)}</bdi>
                  </th>
                  <td>{c.elo && points(c.elo.value)}</td>
                  <td class="wide">{between(around(c) ?? { value: 0 }, c.bound)}</td>
                  <Bar scale={scale} interval={around(c)} />
                  <td class="wide">
                    {c.normalised_elo &&
                      `${points(c.normalised_elo.value)} ± ${(c.normalised_elo.error ?? 0).toFixed(1)}`}
                  </td>
                  <td class="wide">{share(c.score)}</td>
                  <td class="wide">{number(c.blocks)}</td>
                  <td>{c.los !== undefined && share(c.los)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </section>
  );
}
