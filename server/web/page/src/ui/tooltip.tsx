// The tooltip for the cell under the pointer, the finger or the cursor. It does not
// cover the cells that it is about.

import { useLayoutEffect, useRef } from "preact/hooks";
import type { Page } from "../core/page.ts";
import { Glyph, Icon } from "./icons.tsx";
import { Named } from "./named.tsx";
import { useSheet } from "./sheet.ts";

/** Distance from the cells in pixels. */
const GAP = 18;

export function Tooltip({ session }: { session: Page }) {
  const box = useRef<HTMLDivElement>(null);
  const facts = session.store.start ? (session.game.inspect?.(session.cell) ?? []) : [];
  useLayoutEffect(() => {
    if (box.current) put(box.current, session);
  });
  useSheet(box, facts.length > 0 && session.pinned, () => session.point(-1));
  if (facts.length === 0) return null;
  return (
    <div class={`tooltip ${session.pinned ? "pinned" : ""}`} ref={box} role="tooltip">
      {facts.map((f) => (
        <section key={f.title}>
          <h2>
            {f.slot !== null && <Glyph theme={session.theme} slot={f.slot} size={24} />}
            <span>
              <Named session={session} text={f.title} />
            </span>
          </h2>
          <dl>
            {f.pairs.map(([k, v]) => (
              <div key={k}>
                <dt>{k}</dt>
                <dd>
                  <Named session={session} text={v} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      {session.pinned ? (
        <button class="close" aria-label="Close" onClick={() => session.point(-1)}>
          <Icon name="close" size={16} />
        </button>
      ) : (
        <p class="hint">{session.cursor ? "arrows move, Esc closes" : "click to pin"}</p>
      )}
    </div>
  );
}

function put(box: HTMLElement, session: Page): void {
  const { view } = session.board;
  const cells = session.game.around?.(session.cell) ?? [session.cell];
  const left = Math.min(...cells.map((c) => view.x(c))) - view.radius;
  const right = Math.max(...cells.map((c) => view.x(c))) + view.radius;
  const fitsRight = right + GAP + box.offsetWidth < view.width;
  const x = fitsRight ? right + GAP : Math.max(8, left - GAP - box.offsetWidth);
  const y = Math.max(8, Math.min(view.height - box.offsetHeight - 8, view.y(session.cell) - 30));
  box.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
}
