// A table with a line for each bot.

import type { ComponentChildren } from "preact";
import { visible } from "../../core/text.ts";
import { Scroll } from "./scroll.tsx";

interface Props<B> {
  label: string;
  bots: B[];
  /** The rank of the bot on line i, from 0. */
  rank(bot: B, i: number): number;
  /** The heads of the columns after the bot's name, and the cells below them. */
  heads: ComponentChildren;
  cells(bot: B): ComponentChildren;
}

export function Ranking<B extends { bot: string }>({ label, bots, rank, heads, cells }: Props<B>) {
  return (
    <Scroll label={label}>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">Rank</span>
            </th>
            <th scope="col" class="name">
              Bot
            </th>
            {heads}
          </tr>
        </thead>
        <tbody>
          {bots.map((b, i) => (
            <tr key={b.bot}>
              <td>{rank(b, i)}</td>
              <th scope="row" class="name">
                <bdi>{visible(b.bot)}</bdi>
              </th>
              {cells(b)}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
