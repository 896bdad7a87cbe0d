// The card about a player, beside its row or chip. On a phone it is a sheet at the
// bottom.

import { useLayoutEffect, useRef } from "preact/hooks";
import type { Session } from "../../core/session.ts";
import { Glyph, Icon } from "../../ui/icons.tsx";
import { Named } from "../../ui/named.tsx";
import { useSheet } from "../../ui/sheet.ts";
import { playerFacts } from "./playerfacts.ts";
import { standings } from "./standing.ts";
import { storyOf } from "./story.ts";
import { LONGEST_WHY, why } from "./why.ts";

/** Distance from the row and from the edges in pixels. */
const GAP = 12;
/** How long the pointer rests on a row before the card opens, in milliseconds. */
const DWELL = 120;

export function PlayerCard({ session }: { session: Session }) {
  const box = useRef<HTMLDivElement>(null);
  const { store, player, about } = session;
  const story = storyOf(session);
  useLayoutEffect(() => {
    if (box.current && about) put(box.current, about.beside.getBoundingClientRect());
  });
  const row =
    story && about && standings(story, player.turn).find((r) => r.player === about.player);
  useSheet(box, about?.tapped === true, () => session.showCard(null));
  if (!row) return null;
  const seat = store.seats[row.player];
  const reason = why(story, row.player, player.turn);
  const followed = session.followed === row.player;
  return (
    <div class="tooltip card" ref={box} role="dialog" aria-label={seat.nickname} id="card">
      <section>
        <h2>
          <Glyph theme={session.theme} slot={session.slot(row.player)} size={24} />
          <bdi>{seat.nickname}</bdi>
        </h2>
        {seat.label && seat.label !== seat.nickname && <p class="aside">{seat.label}</p>}
        {reason.length > LONGEST_WHY && (
          <p class="aside">
            <Named session={session} text={reason} />
          </p>
        )}
        <dl>
          {playerFacts(story, row, player.turn).map(([k, v]) => (
            <div key={k}>
              <dt>{k}</dt>
              <dd>{v}</dd>
            </div>
          ))}
        </dl>
      </section>
      {about.tapped ? (
        <button class="button" aria-pressed={followed} onClick={() => session.follow(row.player)}>
          {followed ? "Stop following" : "Follow"}
        </button>
      ) : (
        <p class="hint">{followed ? "click to stop following" : "click to follow"}</p>
      )}
      <button class="close" tabIndex={-1} aria-label="Close" onClick={() => session.showCard(null)}>
        <Icon name="close" size={16} />
      </button>
    </div>
  );
}

/** Returns the event handlers of an element that opens the card of a player. */
export function cardHandlers(session: Session, player: number) {
  return {
    onPointerEnter: (e: PointerEvent) => {
      if (e.pointerType !== "mouse") return;
      const beside = e.currentTarget as Element;
      session.showCard({ player, beside }, DWELL);
    },
    onPointerLeave: (e: PointerEvent) => {
      if (e.pointerType === "mouse") session.showCard(null);
    },
    onFocusCapture: (e: FocusEvent) => {
      if ((e.target as Element).matches(":focus-visible"))
        session.showCard({ player, beside: e.currentTarget as Element });
    },
    onBlurCapture: () => session.showCard(null),
  };
}

/** Places the card left of the row if there is room, else below or above it. */
function put(box: HTMLElement, beside: DOMRect): void {
  const { offsetWidth: width, offsetHeight: height } = box;
  let x = beside.left - GAP - width;
  let y = beside.top;
  if (x < GAP) {
    x = beside.left;
    y =
      beside.bottom + GAP + height < innerHeight ? beside.bottom + GAP : beside.top - GAP - height;
  }
  y = Math.max(GAP, Math.min(innerHeight - height - GAP, y));
  box.style.transform = `translate(${Math.round(Math.min(x, innerWidth - width - GAP))}px, ${Math.round(y)}px)`;
}
