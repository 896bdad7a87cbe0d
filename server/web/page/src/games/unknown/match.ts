// The match on the stage of a game that the page does not know, as its panels see it.

import type { Action } from "../../core/feed.ts";
import type { Session } from "../../core/session.ts";
import { clip } from "../../core/text.ts";
import { UnknownStory } from "./story.ts";

const LONGEST_NAME = 40;

export function storyOf(session: Session): UnknownStory | null {
  return session.store.story instanceof UnknownStory ? session.store.story : null;
}

/** What the game is called, as far as that is known: of a game logic that connects there is no name. */
export function titleOf(session: Session): string {
  const rules = session.store.start?.rules ?? "";
  return rules === "external" || rules === "" ? "external game" : clip(rules, LONGEST_NAME);
}

const LONGEST_ACTION = 80;

/** Returns an action as JSON, cut to fit a line. */
export function plainAction(action: Action): string {
  return clip(JSON.stringify(action), LONGEST_ACTION);
}
