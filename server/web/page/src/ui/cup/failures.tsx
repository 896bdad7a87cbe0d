// The errors of bots, those that printed the same together.

import type { Scoreboard } from "../../core/cup.ts";
import { count, number, visible } from "../../core/text.ts";
import { Scroll } from "./scroll.tsx";

export function Failures({ board }: { board: Scoreboard }) {
  const { errors } = board.standings;
  if (errors.length === 0) return null;
  return (
    <section class="failures" aria-labelledby="failures">
      <h2 id="failures">Errors</h2>
      {errors.map((e) => {
        const replay = board.replays[e.first];
        return (
          <details key={`${e.bot}\n${e.kind}\n${e.first}`}>
            <summary>
              <b>
                <bdi>{visible(e.bot)}</bdi>
              </b>
              : {e.kind} in {e.count === 1 ? "1 match" : `${number(e.count)} matches`}, first in
              match {number(e.first)}
              {e.exit && ` (${e.exit})`}
            </summary>
            <Scroll label={`What ${visible(e.bot)} printed`}>
              <pre>
                {e.printed.length > 0 ? e.printed.map(visible).join("\n") : "It printed nothing."}
              </pre>
            </Scroll>
            {replay && (
              <p>
                <a href={`${replay}#turn=${e.turns}`}>See match {number(e.first)}</a> after the{" "}
                {count(e.turns, "turn")} that it answered.
              </p>
            )}
          </details>
        );
      })}
    </section>
  );
}
