// What the fragment of the page's address says: the tab or the turn.

import { ROOT } from "./root.ts";
import { shownIn, stepOf } from "./turns.ts";

export type Tab =
  | "match"
  | "report"
  | "edit"
  | "ranking"
  | "mybot"
  | "analysis"
  | "recordings"
  | "rules"
  | "compare";

/** The tabs with a fragment of their own. The page begins with another one without a fragment. */
const FRAGMENTS: readonly Tab[] = [
  "report",
  "edit",
  "ranking",
  "mybot",
  "analysis",
  "recordings",
  "rules",
  "compare",
  "match",
];
/** The fragment of the tab in which a recorded game is analysed. */
export const ANALYSIS = "#analysis";

/** Returns the tab that the address asks for. */
export function tabInAddress(): Tab {
  return FRAGMENTS.find((tab) => location.hash === `#${tab}`) ?? (compares() ? "compare" : "match");
}

/** Reports whether the address names what to compare the match with. */
function compares(): boolean {
  return /[?&](with|pin)=/.test(location.search);
}

/** Returns the address of a tab of this page. */
export function addressOf(tab: Tab): string {
  return location.pathname + location.search + (tab === "match" && !compares() ? "" : `#${tab}`);
}

/** Where another site shows this page in a frame: the board and the timeline, and nothing that acts on the server. */
export const EMBED = "embed";
export const framed = location.pathname === ROOT + EMBED;

/** A turn, and the player that is followed there, or -1. */
export interface Moment {
  turn: number;
  player: number;
}

/**
 * Returns the moment of an address such as /#turn=42 or, with the second player followed,
 * /#turn=42&p=2; null without a turn. Links of earlier versions count steps: /#t=43.
 */
export function momentInAddress(): Moment | null {
  const match = /^#(?:t=(\d+)|turn=(\d+|start))(?:&p=(\d+))?$/.exec(location.hash);
  if (!match) return null;
  const [, step, turn, player] = match;
  return {
    turn: step ? Number(step) : turn === "start" ? 0 : stepOf(Number(turn)),
    player: Number(player ?? 0) - 1,
  };
}

/** Returns the fragment of a moment. */
export function fragmentOf({ turn, player }: Moment): string {
  return `turn=${turn <= 0 ? "start" : shownIn(turn)}${player < 0 ? "" : `&p=${player + 1}`}`;
}
