// The list of events up to the current turn, newest first.

import { useEffect, useRef, useState } from "preact/hooks";
import { ALL, type Filter, type GameEvent, REFUSED } from "../core/events.ts";
import type { Session } from "../core/session.ts";
import { EventIcon, Icon } from "./icons.tsx";
import { Named } from "./named.tsx";
import { useRoving } from "./roving.ts";
import { Tabs } from "./tabs.tsx";
import { turnNumber } from "../core/turns.ts";

/** The number of events that are added when the viewer scrolls down. */
const PAGE = 60;
const FILTERS: readonly Filter[] = [ALL, REFUSED];

export function EventList({
  session,
  filters = FILTERS,
}: {
  session: Session;
  filters?: readonly Filter[];
}) {
  const { turn } = session.player;
  const [pages, setPages] = useState(1);
  const list = useRef<HTMLOListElement>(null);
  const roving = useRoving(list);
  const events = session.shownEvents().filter((e) => e.turn <= turn);
  const shown = events.slice(-pages * PAGE);
  const followed = session.store.seats[session.followed]?.nickname;
  const groups = grouped(shown).reverse();
  const newest = groups[0]?.[0].turn;
  useEffect(() => {
    list.current?.scrollTo({ top: 0 });
    setPages(1);
  }, [newest, session.filter]);
  const more = () => {
    const l = list.current;
    if (l && shown.length < events.length && l.scrollTop + l.clientHeight > l.scrollHeight - 200)
      setPages(pages + 1);
  };
  return (
    <section class="events" aria-label="Events">
      <header class="section">
        <h2>Events</h2>
        {followed && (
          <button
            class="only"
            title="Show the events of all players"
            onClick={() => session.follow(session.followed)}
          >
            only <bdi>{followed}</bdi> <Icon name="close" size={14} />
          </button>
        )}
        <Tabs
          label="Filter events"
          options={filters.map(({ name }) => [name, name] as const)}
          value={session.filter.name}
          onSelect={(name) => {
            session.filter = filters.find((f) => f.name === name)!;
            session.changed(true);
          }}
        />
      </header>
      <ol ref={list} {...roving} onScroll={more} aria-label="Events, newest first">
        {groups.length === 0 && (
          <li class="none">
            {session.filter === ALL ? "Nothing has happened yet." : "None so far."}
          </li>
        )}
        {groups.map((group) => (
          <li key={group[0].turn} class={group[0].turn === turn ? "now" : ""}>
            {group.map((event, i) => (
              <button key={i} onClick={() => session.goTo(event.turn)}>
                <span class="turn">{i === 0 ? turnNumber(event.turn) : ""}</span>
                <EventIcon
                  kind={event.kind}
                  theme={session.theme}
                  slot={event.player >= 0 ? session.slot(event.player) : null}
                />
                <span class="line" title={event.detail}>
                  <Sentence session={session} event={event} />
                </span>
              </button>
            ))}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Sentence({ session, event }: { session: Session; event: GameEvent }) {
  const who = session.store.seats[event.player]?.nickname;
  return (
    <>
      {who && <b>{who}</b>} {event.kind === "chain" ? "· " : ""}
      <Named session={session} text={event.what} />{" "}
      {event.detail && (
        <small>
          <Named session={session} text={event.detail} />
        </small>
      )}
    </>
  );
}

function grouped(events: GameEvent[]): GameEvent[][] {
  const groups: GameEvent[][] = [];
  for (const e of events) {
    const last = groups.at(-1);
    if (last && last[0].turn === e.turn) last.push(e);
    else groups.push([e]);
  }
  return groups;
}
