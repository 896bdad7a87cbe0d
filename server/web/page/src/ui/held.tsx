// Says why a live match does not go on: it is paused, or waits for a bot without a time limit.

import { useEffect, useState } from "preact/hooks";
import type { Page } from "../core/page.ts";
import { list } from "../core/text.ts";
import { Icon } from "./icons.tsx";
import { turnName } from "../core/turns.ts";

/** How long no turn has come before the server is asked why, in milliseconds; the wait doubles up to the longest. */
const FIRST = 1500;
const LONGEST = 12000;

export function Held({ session }: { session: Page }) {
  const { store, server } = session;
  const running =
    session.recording === null && store.start !== null && !store.end && !session.cutOff;
  /** The turn after which the server was asked. */
  const [asked, setAsked] = useState(-1);
  useEffect(() => {
    if (!running) return;
    let wait = FIRST;
    let timer = 0;
    const ask = () => {
      void server.refresh().then(() => setAsked(store.last));
      wait = Math.min(2 * wait, LONGEST);
      timer = window.setTimeout(ask, wait);
    };
    timer = window.setTimeout(ask, wait);
    return () => clearTimeout(timer);
  }, [running, store.start?.id, store.last]);
  const match = running && asked === store.last ? server.find(store.start!.id) : undefined;
  const awaited = (match?.awaits ?? [])
    .map((id) => store.seats[id]?.nickname ?? "")
    .filter(Boolean);
  if (!match?.paused && awaited.length === 0) return null;
  return (
    <div class="banner" role="status">
      <Icon name={match?.paused ? "pause" : "clock"} size={24} />
      <p>
        <b>
          {match?.paused
            ? `Paused at ${turnName(store.last)}.`
            : `Waiting for ${list(awaited)} at ${turnName(store.last)}.`}
        </b>
        <span>
          {match?.paused
            ? "Space or . on the server's terminal lets it go on."
            : "There is no time limit for a bot in a debugger."}
        </span>
      </p>
    </div>
  );
}
