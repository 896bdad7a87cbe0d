// Any game without a folder of its own.

import type { Game } from "../../core/game.ts";
import { UnknownStory } from "./story.ts";
import { NAME, UnknownView } from "./view.tsx";

export const unknown: Game = {
  name: NAME,
  recognizes: () => true,
  story: (start) => new UnknownStory(start),
  view: (session, element) => new UnknownView(session, element),
};
