// The evaluation as an upright bar: cross from below, circle from above.

import type { Session } from "../../core/session.ts";
import { storyOf } from "./match.ts";
import { viewOf } from "./play.ts";
import { slotOfSide } from "./stones.ts";
import { verdict } from "./words.ts";

export function Rail({ session }: { session: Session }) {
  const p = storyOf(session)?.at(session.player.turn);
  const evaluation = viewOf(session).analysed?.after(p?.move ?? 0) ?? p?.evaluation ?? null;
  const share = (1 + (evaluation?.value ?? 0)) / 2;
  const part = (side: "x" | "o", grow: number) => {
    const paint = session.theme.players[slotOfSide(side)];
    return <div style={{ flexGrow: 12 + grow * 1000, background: paint.strong, border: `2px solid ${paint.line}`, opacity: evaluation ? 1 : 0.35 }} />;
  };
  return (
    <div class="rail slim" role="img" aria-label={evaluation ? `Evaluation: ${verdict(evaluation)}, above 0 is good for cross` : "No evaluation yet"}>
      {part("o", 1 - share)}
      {part("x", share)}
    </div>
  );
}
