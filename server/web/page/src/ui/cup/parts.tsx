// The scores on each map and in each seat.

import type { Standings } from "../../core/cup.ts";
import { visible } from "../../core/text.ts";
import { Scroll } from "./scroll.tsx";
import { share } from "./words.ts";

export function Parts({ table }: { table: Standings }) {
  return (
    <>
      <Part
        id="maps"
        title="By map"
        table={table}
        scores={table.by_map.map((s) => ({ ...s, part: visible(s.map) }))}
      />
      <Part
        id="seats"
        title="By seat"
        table={table}
        scores={table.by_seat.map((s) => ({ ...s, part: String(s.seat) }))}
      />
    </>
  );
}

interface Score {
  bot: string;
  part: string;
  score: number;
}

function Part({
  id,
  title,
  table,
  scores,
}: {
  id: string;
  title: string;
  table: Standings;
  scores: Score[];
}) {
  const parts = [...new Set(scores.map((s) => s.part))].sort((a, b) =>
    a.localeCompare(b, "en", { numeric: true }),
  );
  const found = new Map(scores.map((s) => [`${s.bot}\n${s.part}`, s.score]));
  return (
    <section class="part" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <Scroll label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col" class="name">
                Bot
              </th>
              {parts.map((p) => (
                <th key={p} scope="col">
                  {p}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.bots.map(({ bot }) => (
              <tr key={bot}>
                <th scope="row" class="name">
                  <bdi>{visible(bot)}</bdi>
                </th>
                {parts.map((p) => {
                  const score = found.get(`${bot}\n${p}`);
                  return <td key={p}>{score !== undefined && share(score)}</td>;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}
