// What the bot of this page prints, grouped by turns, to which it leads.

import { useEffect, useRef } from "preact/hooks";
import type { Page } from "../core/page.ts";
import type { Line } from "../core/printedlines.ts";
import { count } from "../core/text.ts";
import { useRoving } from "./roving.ts";

export function Output({
  session,
  lines,
  onLine,
}: {
  session: Page;
  lines: Line[];
  onLine: (line: number) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const roving = useRoving(list);
  const follows = useRef(true);
  const before = useRef(0);
  useEffect(() => {
    if (follows.current) toEnd(box.current!);
  });
  useEffect(() => {
    // In a narrower window lines are broken, so that the end moves down.
    const observer = new ResizeObserver(() => follows.current && toEnd(box.current!));
    observer.observe(box.current!.firstElementChild!);
    return () => observer.disconnect();
  }, []);
  const scrolled = ({ scrollHeight, scrollTop, clientHeight }: Element): void => {
    // The event of toEnd arrives when more lines may have been added: only a person scrolls up.
    follows.current =
      scrollHeight - scrollTop - clientHeight < 8 ||
      (follows.current && scrollTop >= before.current);
    before.current = scrollTop;
  };
  const { game, player } = session;
  const goTo = (turn: number) => {
    player.playing = false;
    session.goTo(turn);
  };
  return (
    <div
      ref={box}
      class="printed"
      role="log"
      aria-label="What the bot prints"
      tabIndex={0}
      onScroll={(e) => scrolled(e.currentTarget)}
    >
      <ol ref={list} {...roving}>
        {lines.length === 0 && (
          <li class="note">
            Output of console.log() and errors appear here, with the turn, which the number shows on
            the board.
          </li>
        )}
        {lines.map((l, i) => (
          <li key={i} class={`${l.level} ${l.turn >= 0 && l.turn === player.turn ? "now" : ""}`}>
            {l.turn >= 0 && (
              <span class="turn">
                {lines[i - 1]?.turn !== l.turn && (
                  <button
                    aria-label={`Show ${game.unit} ${game.count(l.turn)}`}
                    title="Show it on the board"
                    onClick={() => goTo(l.turn)}
                  >
                    {game.count(l.turn)}
                  </button>
                )}
              </span>
            )}
            {l.line > 0 && <button onClick={() => onLine(l.line)}>line {l.line}</button>}
            <span>{l.text}</span>
            {l.times > 1 && <small>{count(l.times, "time")}</small>}
          </li>
        ))}
      </ol>
    </div>
  );
}

function toEnd(box: Element): void {
  box.scrollTop = box.scrollHeight;
}
