// The first three on the screen of an event, with more beside them.

import type { ComponentChildren } from "preact";

export interface Place {
  name: string;
  rank: number | string;
  colour: string;
  /** What ranks: a rating or points. */
  figure: string;
}

/** headline says that the title is shown, not only read. label says for screen readers what the places are, the best of which is the first; null: one that is not shown yet. */
export function Podium({
  title,
  headline,
  label,
  places,
  children,
}: {
  title: string;
  headline?: boolean;
  label: string;
  places: (Place | null)[];
  children: ComponentChildren;
}) {
  const [first, second, third] = places;
  return (
    <main class="pause">
      <h1 class={headline ? "headline" : "unseen"}>{title}</h1>
      <ol class="podium" aria-label={label}>
        {[second, first, third].map(
          (p, i) =>
            p && (
              <li
                key={p.name}
                class={["second", "first", "third"][i]}
                style={{ "--colour": p.colour }}
              >
                <bdi>{p.name}</bdi>
                <b>{p.figure}</b>
                <strong>{p.rank}</strong>
              </li>
            ),
        )}
      </ol>
      <section class="beside">{children}</section>
    </main>
  );
}
