// Links to a turn.

import type { Store } from "./store.ts";

/** Returns a link to a turn of what this page shows. */
export function linkHere(turn: number): URL {
  const link = new URL(location.href);
  link.hash = `t=${turn}`;
  return link;
}

/**
 * Returns a link that leads to a turn of the shown match for as long as there is a
 * recording of it. page is where other machines find this page; empty: not known.
 */
export function linkTo(turn: number, store: Store, recording: string | null, page: string): URL {
  const { start } = store;
  const link = linkHere(turn);
  if (page) {
    const { protocol, host } = new URL(page);
    Object.assign(link, { protocol, host });
  }
  const name = recording ?? start?.recording;
  if (name) link.search = new URLSearchParams({ recording: name }).toString();
  else if (start) link.search = new URLSearchParams({ match: start.id }).toString();
  return link;
}
