// Links to a turn, and to what the server makes of a recording.

import { EMBED, fragmentOf, type Moment } from "./address.ts";
import { ROOT } from "./root.ts";
import type { Store } from "./store.ts";
import { shownIn } from "./turns.ts";

/** Returns a link to a moment of what this page shows. */
export function linkHere(moment: Moment): URL {
  const link = new URL(location.href);
  link.hash = fragmentOf(moment);
  return link;
}

/**
 * Returns a link that leads to a moment of the shown match for as long as there is a
 * recording of it. page is where other machines find this page; empty: not known.
 */
export function linkTo(moment: Moment, store: Store, recording: string | null, page: string): URL {
  const { start } = store;
  const link = linkHere(moment);
  link.pathname = ROOT;
  if (page) {
    const { protocol, host, pathname } = new URL(page);
    Object.assign(link, { protocol, host, pathname });
  }
  const name = recording ?? start?.recording;
  if (name) link.search = new URLSearchParams({ recording: name }).toString();
  else if (start) link.search = new URLSearchParams({ match: start.id }).toString();
  else link.hash = "";
  return link;
}

/** Returns the HTML that shows a link of linkTo in a page of another site. */
export function frameOf(link: URL, title: string): string {
  const address = new URL(link);
  address.pathname += EMBED;
  const text = (s: string) =>
    s.replace(/&/g, "&amp;").replace(/["<>]/g, (c) => `&#${c.charCodeAt(0)};`);
  return `<iframe src="${text(address.href)}" title="${text(title)}" width="800" height="600" style="border:0" loading="lazy" allow="fullscreen"></iframe>`;
}

/** Returns the address of a recording as one HTML file. */
export function singleFile(name: string): string {
  return `${recordingPath(name)}/page.html`;
}

/** Returns the address of a small picture of a recording's last board. */
export function thumbnail(name: string, theme: string): string {
  return `${recordingPath(name)}/board.png?size=320&theme=${theme}`;
}

/** Returns the address of an animation of some turns of a recording. */
export function animation(name: string, from: number, to: number, theme: string): string {
  return `${recordingPath(name)}/turns.gif?from=${shownIn(from)}&to=${shownIn(to)}&theme=${theme}`;
}

/** Returns the address of a recording's events. */
export function recordingPath(name: string): string {
  return `${ROOT}api/recordings/${encodeURIComponent(name)}`;
}
