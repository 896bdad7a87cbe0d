// A card about the turn under the pointer, on the timeline and the charts: what happened, and a small board.
// It is a chunk.

import { useLayoutEffect, useRef } from "preact/hooks";
import type { Session } from "../core/session.ts";
import type { Measure } from "../core/story.ts";
import { number } from "../core/text.ts";
import STYLES from "sheet:turncard.css";
import { EventIcon, Glyph } from "./icons.tsx";
import { adopt } from "./lazy.tsx";
import { Named } from "./named.tsx";

adopt(STYLES);

/** What the card has room for. */
const MOST_EVENTS = 4;
const MOST_VALUES = 6;
const WIDTH = 168;
const HEIGHT = 128;
/** Distance from what it belongs to, and from the edges of the window, in pixels. */
const GAP = 10;

/** Where the pointer is: a turn, its place on the screen, and what the card lies above. */
export interface Hover {
  turn: number;
  x: number;
  above: Element;
}

/** measure is what a chart shows. */
export function TurnCard({
  session,
  hover: { turn, x, above },
  measure,
}: {
  session: Session;
  hover: Hover;
  measure?: Measure;
}) {
  const box = useRef<HTMLDivElement>(null);
  const view = session.views.find((v) => v.board === session.board)!;
  const { Small } = view.parts;
  const events = session.shownEvents().filter((e) => e.turn === turn);
  useLayoutEffect(() => {
    const { offsetWidth: width, offsetHeight: height } = box.current!;
    const left = Math.max(GAP, Math.min(innerWidth - width - GAP, x - width / 2));
    const top = Math.max(GAP, above.getBoundingClientRect().top - height - GAP);
    box.current!.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  });
  return (
    <div class="turncard" ref={box} role="tooltip">
      {Small && view.show && (
        <div style={{ height: `${HEIGHT}px` }}>
          {" "}
          {/* also until it is loaded, so that the card stays above the pointer */}
          <Small turn={turn} player={session.followed} width={WIDTH} height={HEIGHT} />
        </div>
      )}
      <b>
        {view.unit === "move" ? "Move" : "Turn"} {view.count(turn)}
      </b>
      {measure && <Values session={session} measure={measure} turn={turn} />}
      {events.slice(0, MOST_EVENTS).map((e, i) => (
        <p key={i}>
          <EventIcon
            kind={e.kind}
            theme={session.theme}
            slot={e.player >= 0 ? session.slot(e.player) : null}
            size={16}
          />
          <span>
            {session.store.seats[e.player] && <bdi>{session.store.seats[e.player].nickname}</bdi>}{" "}
            <Named session={session} text={e.what} />
          </span>
        </p>
      ))}
      {events.length > MOST_EVENTS && <p class="aside">and {events.length - MOST_EVENTS} more</p>}
    </div>
  );
}

function Values({ session, measure, turn }: { session: Session; measure: Measure; turn: number }) {
  const values = session.store.seats
    .map(({ id, nickname }) => ({ id, nickname, value: measure.series[id]?.[turn] ?? null }))
    .filter((v) => v.value !== null);
  values.sort((a, b) => b.value! - a.value!);
  return (
    <ul aria-label={measure.name}>
      {values.slice(0, MOST_VALUES).map(({ id, nickname, value }) => (
        <li key={id}>
          <Glyph theme={session.theme} slot={session.slot(id)} size={16} />
          <bdi>{nickname}</bdi>
          <b>{number(value!)}</b>
        </li>
      ))}
    </ul>
  );
}
