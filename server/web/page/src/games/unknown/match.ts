// The match on the stage, for the parts that show it.

import type { Action } from "../../core/feed.ts";
import type { Session } from "../../core/session.ts";
import { clip } from "../../core/text.ts";
import { UnknownStory } from "./story.ts";

/** Names of games are cut to this length. */
const LONGEST_NAME = 40;

/** Returns the match on the stage, or null if it belongs to another game. */
export function storyOf(session: Session): UnknownStory | null {
  return session.store.story instanceof UnknownStory ? session.store.story : null;
}

/** Returns the name of the game, if it has one: a game logic that connects does not tell its name. */
export function titleOf(session: Session): string {
  const { start, lobby } = session.store;
  const rules = start ? (start.logic?.rules ?? start.rules) : (lobby?.game ?? "");
  return rules === "external" || rules === "" ? "external game" : clip(rules, LONGEST_NAME);
}

const LONGEST_ACTION = 80;

/** Returns an action as JSON, cut to fit a line. */
export function plainAction(action: Action): string {
  return clip(JSON.stringify(action), LONGEST_ACTION);
}
