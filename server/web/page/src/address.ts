// What the end of the page's address says.

import type { Tab } from "./session.ts";

/** The end of an address that shows where a bot is written. */
export const EDIT = "#edit";

export function tabInAddress(): Tab {
  return location.hash === EDIT ? "edit" : "match";
}

/** The turn of an address such as /#t=43. */
export function turnInAddress(): number | null {
  const match = /^#t=(\d+)$/.exec(location.hash);
  return match ? Number(match[1]) : null;
}
