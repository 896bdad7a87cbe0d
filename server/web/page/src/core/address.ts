// What the fragment of the page's address says: the tab or the turn.

export type Tab = "match" | "edit" | "ranking" | "mybot" | "analysis" | "recordings" | "rules";

/** The fragment of the tab in which a bot is written. */
export const EDIT = "#edit";
/** The fragment of the tab in which a recorded game is analysed. */
export const ANALYSIS = "#analysis";

/** Returns the tab that the address asks for. */
export function tabInAddress(): Tab {
  if (location.hash === ANALYSIS) return "analysis";
  return location.hash === EDIT ? "edit" : "match";
}

/** Returns the turn of an address such as /#t=43, or null. */
export function turnInAddress(): number | null {
  const match = /^#t=(\d+)$/.exec(location.hash);
  return match ? Number(match[1]) : null;
}
