// The banner of a recording that is not complete.

import { useState } from "preact/hooks";
import type { IncompleteEvent } from "../core/feed.ts";
import { ROOT } from "../core/root.ts";
import type { Session } from "../core/session.ts";
import { number } from "../core/text.ts";
import { Icon } from "./icons.tsx";
import { turnName, turnNumber } from "../core/turns.ts";

/** Returns what is missing and why, in words. */
function explain({ reason, turn, turns, error }: IncompleteEvent): { what: string; why: string } {
  const rest =
    turn + 1 < turns
      ? `Turns ${turnNumber(turn + 1)}–${turnNumber(turns)}`
      : turn < turns
        ? `Turn ${turnNumber(turns)}`
        : "The end";
  switch (reason) {
    case "running":
      return {
        what: "This match is still being played.",
        why: `It was at ${turnName(turn)} of ${number(turns)} when this page was loaded.`,
      };
    case "damaged":
      return {
        what: `${rest} cannot be read.`,
        why: error ? `The file is ${error}` : "The file is damaged.",
      };
    default:
      return {
        what:
          turn < turns
            ? `The recording ends at ${turnName(turn)} of ${number(turns)}.`
            : "The recording has no end.",
        why: "The server was stopped before the end, or the file was cut.",
      };
  }
}

/** Stays on the stage until the viewer closes it. */
export function IncompleteBanner({ session }: { session: Session }) {
  const [closed, close] = useState(false);
  const { incomplete } = session.store;
  if (!incomplete || closed) return null;
  const { what, why } = explain(incomplete);
  return (
    <div class="banner incomplete" role="status">
      <Icon name="film" size={24} />
      <p>
        <b>{what}</b>
        <span>{why}</span>
      </p>
      {incomplete.reason === "running" && !session.embedded && (
        <a class="button" href={ROOT}>
          Watch live
        </a>
      )}
      <button class="switch" aria-label="Close" title="Close" onClick={() => close(true)}>
        <Icon name="close" size={18} />
      </button>
    </div>
  );
}
