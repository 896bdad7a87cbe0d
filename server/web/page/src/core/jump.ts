// From event to event.

import type { Session } from "./session.ts";

/** Goes to the next turn with an event that the filter lets through, or with -1 to the previous one. */
export function jump(session: Session, direction: 1 | -1): void {
  const turns = session.shownEvents().map((e) => e.turn);
  const { turn } = session.player;
  const next = direction > 0 ? turns.find((t) => t > turn) : turns.reverse().find((t) => t < turn);
  if (next === undefined)
    return session.say(direction > 0 ? "No later event." : "No earlier event.");
  session.player.playing = false;
  session.goTo(next);
}
