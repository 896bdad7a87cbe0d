// Who has won, large on the stage at the end of a match. It is a chunk.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { SeatReport } from "../core/feed.ts";
import type { Page } from "../core/page.ts";
import { number, ordinal } from "../core/text.ts";
import STYLES from "sheet:winner.css";
import { Icon } from "./icons.tsx";
import { adopt } from "./lazy.tsx";
import { SeatGlyph } from "./seatglyph.tsx";

adopt(STYLES);

/** The number of places that are shown after the first. */
const NEXT = 3;
/** The room for the outline of the board below the card, in pixels. */
const GAP = 12;

/** cover is told how much of the stage's height the card takes at the top, which the board leaves free. */
export function Winner({ session, cover }: { session: Page; cover: (height: number) => void }) {
  const { store } = session;
  const [closed, close] = useState(false);
  const { end } = store;
  const card = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = card.current;
    if (!element) return;
    const observer = new ResizeObserver(() =>
      cover(element.offsetTop + element.offsetHeight + GAP),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      cover(0);
    };
  }, [closed]);
  if (!end || closed) return null;
  const winner = store.seats[end.winner];
  const places = (end.report?.seats ?? [])
    .filter((s) => s.rank !== undefined && s.id !== end.winner)
    .sort((a, b) => a.rank! - b.rank!);
  const first = end.report?.seats.find((s) => s.id === end.winner);
  const shown = places.filter((s, i) => i < NEXT || s.id === session.followed).slice(0, NEXT + 1);
  return (
    <section class="winner" ref={card} aria-label="Result">
      {winner && <SeatGlyph session={session} slot={session.slot(winner.id)} taken size={72} />}
      <div>
        <p class="who">
          {winner ? (
            <>
              <b>{winner.nickname}</b> wins
            </>
          ) : end.error ? (
            "The match was aborted"
          ) : (
            "No player has won"
          )}
        </p>
        <p>{[first ? scoreOf(first) : "", end.error || end.reason].filter(Boolean).join(" · ")}</p>
        {shown.length > 0 && (
          <ol>
            {shown.map((s) => (
              <li key={s.id}>
                {ordinal(s.rank!)}{" "}
                <SeatGlyph session={session} slot={session.slot(s.id)} taken size={18} />{" "}
                <bdi>{store.seats[s.id]?.nickname}</bdi> {scoreOf(s)}
              </li>
            ))}
          </ol>
        )}
      </div>
      {!session.projector && session.tab !== "report" && (
        <button class="button first" onClick={() => session.select("report")}>
          <Icon name="ranking" size={18} /> Match report
        </button>
      )}
      {!session.projector && (
        <button class="close" aria-label="Close" onClick={() => close(true)}>
          <Icon name="close" />
        </button>
      )}
    </section>
  );
}

/** Returns the figure that ranks: "6 450". */
function scoreOf({ counts }: SeatReport): string {
  const [score] = Object.values(counts);
  return score === undefined ? "" : number(score);
}
