// The match on the stage, for the parts that show it.

import type { Session } from "../../core/session.ts";
import { GameStory } from "./story.ts";

/** Returns the match on the stage, or null if it is of another game. */
export function storyOf(session: Session): GameStory | null {
  return session.store.story instanceof GameStory ? session.store.story : null;
}
