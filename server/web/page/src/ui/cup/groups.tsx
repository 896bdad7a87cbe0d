// The groups of a cup that begins with a group stage.

import type { GroupBot } from "../../core/cup.ts";
import { number, visible } from "../../core/text.ts";
import { Scroll } from "./scroll.tsx";
import { share } from "./words.ts";

export function Groups({ groups = [] }: { groups?: { bots: GroupBot[] }[] }) {
  return groups.map(({ bots }, i) => (
    <section key={i} class="part" aria-labelledby={`group${i}`}>
      <h2 id={`group${i}`}>Group {i + 1}</h2>
      <Scroll label={`Group ${i + 1}`}>
        <table>
          <thead>
            <tr>
              <th scope="col" class="name">
                Bot
              </th>
              <th scope="col">Matches</th>
              <th scope="col">Score</th>
              <th scope="col" class="name">
                Knock-out
              </th>
            </tr>
          </thead>
          <tbody>
            {bots.map((b) => (
              <tr key={b.bot}>
                <th scope="row" class="name">
                  <bdi>{visible(b.bot)}</bdi>
                </th>
                <td>{number(b.matches)}</td>
                <td>{b.matches > 0 && share(b.score)}</td>
                <td class="name">{b.goes_on && "goes on"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  ));
}
