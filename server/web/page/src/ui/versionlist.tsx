// The versions of the bot that were run, and how they did.

import type { Page } from "../core/page.ts";
import { count, number, ordinal } from "../core/text.ts";
import type { Outcome, Version } from "../core/versions.ts";
import type { Workshop } from "../core/workshop.ts";

export function VersionList({
  session,
  workshop,
  compared,
  onCompare,
}: {
  session: Page;
  workshop: Workshop;
  compared: Version | null;
  onCompare: (version: Version | null) => void;
}) {
  const list = [...workshop.versions.list].reverse();
  const take = (version: Version) => {
    workshop.write(version.code);
    session.say(
      `This is version ${version.number}. Press Ctrl+Z in the editor to get your code back.`,
    );
  };
  return (
    <div class="printed versions" role="region" aria-label="Versions" tabIndex={0}>
      <ol>
        {list.length === 0 && (
          <li class="note">
            Each version that you run is kept here, in this browser, with how it did.
          </li>
        )}
        {list.map((version) => (
          <li key={version.number} class={version.code === workshop.code ? "now" : ""}>
            <b>{version.number}</b>
            <span class="when">
              {new Date(version.at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}
            </span>
            <span>{outcomes(version.outcomes)}</span>
            <button
              disabled={version.code === workshop.code}
              aria-pressed={compared === version}
              onClick={() => onCompare(compared === version ? null : version)}
            >
              compare
            </button>
            <button disabled={version.code === workshop.code} onClick={() => take(version)}>
              take back
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Returns how a version did: the last run, and the mean of all if there are several. */
function outcomes(list: Outcome[]): string {
  const last = list.at(-1);
  if (!last) return "no match to its end yet";
  const one = `${ordinal(last.rank)} of ${last.players}${last.score === null ? "" : `, ${number(last.score)}`}`;
  if (list.length === 1) return one;
  const rank = list.reduce((sum, o) => sum + o.rank, 0) / list.length;
  const scored = list.filter((o) => o.score !== null);
  const score = scored.reduce((sum, o) => sum + o.score!, 0) / scored.length;
  return `${one}; in ${count(list.length, "match").replace("matchs", "matches")}, on average: place ${rank.toFixed(1)}${scored.length > 0 ? `, ${number(score)}` : ""}`;
}
