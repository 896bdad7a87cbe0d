// At the end of a live game: a link to its recording, where it is analysed.

import { useEffect, useState } from "preact/hooks";
import { ANALYSIS } from "../../core/address.ts";
import { ROOT } from "../../core/root.ts";
import type { Session } from "../../core/session.ts";
import { Icon } from "../../ui/icons.tsx";
import { askForJudges, wantAnalysis } from "./analysis.ts";
import { storyOf } from "./match.ts";

export function Review({ session }: { session: Session }) {
  const { store, recording } = session;
  const moves = storyOf(session)?.last.move ?? 0;
  const name = store.end && recording === null && moves > 0 ? (store.start?.recording ?? "") : "";
  const [judged, setJudged] = useState(false);
  useEffect(() => {
    if (name !== "") void askForJudges().then((judges) => setJudged(judges !== null));
  }, [name]);
  if (name === "" || !judged) return null;
  return (
    <p class="encore">
      <a
        class="button"
        href={`${ROOT}?recording=${encodeURIComponent(name)}${ANALYSIS}`}
        onClick={() => wantAnalysis(name)}
      >
        <Icon name="eye" size={18} /> Analyse this game
      </a>
    </p>
  );
}
