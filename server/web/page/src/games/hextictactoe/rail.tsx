// The evaluation as an upright bar: cross from below, circle from above.

import type { Session } from "../../core/session.ts";
import { storyOf } from "./match.ts";
import { playsHere, viewOf } from "./play.ts";
import { slotOfSide } from "./stones.ts";
import type { Evaluation, Position } from "./story.ts";
import { verdict } from "./words.ts";

/** Returns what both bots say: the mean, unless the newest word is that a side wins. */
function agreed({ evaluation, said }: Position): Evaluation | null {
  if (!evaluation || !said.x || !said.o || Math.abs(evaluation.value) >= 1) return evaluation;
  return { value: (said.x.value + said.o.value) / 2, winIn: 0 };
}

export function Rail({ session }: { session: Session }) {
  const p = storyOf(session)?.at(session.player.turn);
  const { trial } = viewOf(session);
  const evaluation = trial
    ? (trial.evaluation ?? null)
    : (viewOf(session).analysed?.after(p?.move ?? 0) ??
      (p && !playsHere(session) ? agreed(p) : null));
  const share = (1 + (evaluation?.value ?? 0)) / 2;
  const part = (side: "x" | "o", grow: number) => {
    const paint = session.theme.players[slotOfSide(side)];
    return (
      <div
        style={{
          flexGrow: 12 + grow * 1000,
          background: paint.strong,
          border: `2px solid ${paint.line}`,
          opacity: evaluation ? 1 : 0.35,
        }}
      />
    );
  };
  return (
    <div
      class="rail slim"
      role="img"
      aria-label={
        evaluation
          ? `Evaluation: ${verdict(evaluation)}, above 0 is good for cross`
          : "No evaluation yet"
      }
    >
      {part("o", 1 - share)}
      {part("x", share)}
    </div>
  );
}
