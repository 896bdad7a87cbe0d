// The card about a player, beside the row or the chip that is pointed at. On a
// phone it is a sheet from below.

import { useLayoutEffect, useRef } from "preact/hooks";
import { Glyph, Icon } from "./icons.tsx";
import { playerFacts } from "./playerfacts.ts";
import type { Session } from "./session.ts";
import { standings } from "./standing.ts";

const GAP = 12;
const DWELL = 120;

export function PlayerCard({ session }: { session: Session }) {
  const box = useRef<HTMLDivElement>(null);
  const { store, player, about } = session;
  useLayoutEffect(() => {
    if (box.current && about) put(box.current, about.beside.getBoundingClientRect());
  });
  const row = about && standings(store, player.turn).find((r) => r.player === about.player);
  if (!row) return null;
  const seat = store.seats[row.player];
  return (
    <div class="tooltip card" ref={box} role="tooltip" id="card">
      <section>
        <h3><Glyph theme={session.theme} slot={session.slot(row.player)} size={24} />{seat.nickname}</h3>
        {seat.label && seat.label !== seat.nickname && <p class="aside">{seat.label}</p>}
        <dl>{playerFacts(session, row, player.turn).map(([k, v]) => <div key={k}><dt>{k}</dt><dd>{v}</dd></div>)}</dl>
      </section>
      <p class="hint">{session.followed === row.player ? "followed; choose it again to let go" : "choose it to follow it"}</p>
      <button class="close" tabIndex={-1} aria-label="Close" onClick={() => session.tellOf(null)}><Icon name="close" size={16} /></button>
    </div>
  );
}

/** What an element does that stands for a player. */
export function tells(session: Session, player: number) {
  return {
    onPointerEnter: (e: PointerEvent) => {
      if (e.pointerType !== "mouse") return;
      const beside = e.currentTarget as Element;
      session.tellOf({ player, beside }, DWELL);
    },
    onPointerLeave: (e: PointerEvent) => {
      if (e.pointerType === "mouse") session.tellOf(null);
    },
    onFocusCapture: (e: FocusEvent) => {
      if ((e.target as Element).matches(":focus-visible")) session.tellOf({ player, beside: e.currentTarget as Element });
    },
    onBlurCapture: () => session.tellOf(null),
  };
}

/** Left of the row if there is room, otherwise below it, otherwise above. */
function put(box: HTMLElement, beside: DOMRect): void {
  const { offsetWidth: width, offsetHeight: height } = box;
  let x = beside.left - GAP - width;
  let y = beside.top;
  if (x < GAP) {
    x = beside.left;
    y = beside.bottom + GAP + height < innerHeight ? beside.bottom + GAP : beside.top - GAP - height;
  }
  y = Math.max(GAP, Math.min(innerHeight - height - GAP, y));
  box.style.transform = `translate(${Math.round(Math.min(x, innerWidth - width - GAP))}px, ${Math.round(y)}px)`;
}
